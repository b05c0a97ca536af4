package kitumaija

import (
	"context"
	"fmt"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	pb "kitumaija.example/bots/v1"
)

const (
	silence      = 12 * time.Second // a stream on which nothing is heard for so long is given up
	leavingTime  = 2 * time.Second  // how long the server may take to see a Goodbye
	frameBytes   = 64 * 1024        // the largest frame that the server takes
	keepAlive    = 20 * time.Second
	largestFrame = 64 * 1024 * 1024 // that is read: a MatchSync has all events of a match
)

var errSilent = &Ended{Code: codes.DeadlineExceeded, Message: "nothing was heard for " + silence.String()}

// play dials, and plays on one stream until it ends; nil is an end without an error. When ctx ends it says Goodbye first.
func (c *client) play(ctx context.Context) error {
	c.welcomed = false
	secure, err := c.options.credentials()
	if err != nil {
		return err
	}
	connection, err := grpc.NewClient(c.options.target(),
		grpc.WithTransportCredentials(secure),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: keepAlive, Timeout: silence}),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(largestFrame)),
	)
	if err != nil {
		return &UsageError{fmt.Sprintf("got the address %q: %v", c.options.Address, err)}
	}
	defer func() { _ = connection.Close() }()

	// Leaving takes a word on the stream, so it must outlive ctx.
	streaming, cut := context.WithCancelCause(c.alive)
	defer cut(nil)
	giveUp := time.AfterFunc(silence, func() { cut(errSilent) })
	defer giveUp.Stop()
	streaming = metadata.AppendToOutgoingContext(streaming, "authorization", "Bearer "+c.options.Token)
	opened := make(chan error, 1)
	var stream grpc.BidiStreamingClient[pb.PlayRequest, pb.PlayResponse]
	go func() {
		var err error
		stream, err = pb.NewArenaServiceClient(connection).Play(streaming)
		opened <- ended(err)
	}()
	select {
	case err := <-opened:
		if err == nil {
			err = c.converse(ctx, stream, giveUp)
		}
		if err != nil && context.Cause(streaming) == errSilent {
			err = errSilent
		}
		return err
	case <-ctx.Done():
		return nil
	}
}

// converse is the loop: it alone touches the client, and everything that happens comes to it.
func (c *client) converse(ctx context.Context, stream grpc.BidiStreamingClient[pb.PlayRequest, pb.PlayResponse], giveUp *time.Timer) error {
	heard := make(chan *pb.PlayResponse)
	over := make(chan error, 1)
	done := make(chan struct{})
	defer close(done)
	go read(stream, heard, over, done)
	writes := make(chan *pb.PlayRequest)
	go write(stream, writes, done)

	c.open()
	leave := ctx.Done()
	var left <-chan time.Time
	for {
		var writable chan<- *pb.PlayRequest
		frame := c.frame()
		if frame != nil {
			writable = writes
		} else if left != nil && writes != nil {
			close(writes) // the Goodbye is out
			writes = nil
		}
		select {
		case writable <- frame:
			c.outbox = c.outbox[len(frame.GetMessages()):]
		case frame := <-heard:
			giveUp.Reset(silence)
			if left == nil {
				for _, message := range frame.GetMessages() {
					c.hear(message)
				}
			}
		case result := <-c.results:
			if left == nil {
				result()
			}
		case err := <-over:
			return err
		case <-leave:
			leave, left = nil, time.After(leavingTime)
			c.say(&pb.BotMessage{Message: &pb.BotMessage_Goodbye{Goodbye: &pb.Goodbye{Reason: "asked to stop"}}})
		case <-left:
			return &Ended{Code: codes.DeadlineExceeded, Message: "the server did not see the Goodbye"}
		}
	}
}

// frame packs what is to be said into a frame, as much as it takes; nil if there is nothing.
func (c *client) frame() *pb.PlayRequest {
	size := 0
	for count, message := range c.outbox {
		// At most five bytes for the field and the length of each.
		size += proto.Size(message) + 5
		if size > frameBytes && count > 0 {
			return &pb.PlayRequest{Messages: c.outbox[:count]}
		}
	}
	if len(c.outbox) == 0 {
		return nil
	}
	return &pb.PlayRequest{Messages: c.outbox}
}

func read(stream grpc.BidiStreamingClient[pb.PlayRequest, pb.PlayResponse], heard chan<- *pb.PlayResponse, over chan<- error, done <-chan struct{}) {
	for {
		frame, err := stream.Recv()
		if err != nil {
			over <- ended(err)
			return
		}
		select {
		case heard <- frame:
		case <-done:
			return
		}
	}
}

func write(stream grpc.BidiStreamingClient[pb.PlayRequest, pb.PlayResponse], frames <-chan *pb.PlayRequest, done <-chan struct{}) {
	for {
		select {
		case frame, more := <-frames:
			if !more {
				_ = stream.CloseSend()
				return
			}
			if stream.Send(frame) != nil {
				return // the reader learns why
			}
		case <-done:
			return
		}
	}
}
