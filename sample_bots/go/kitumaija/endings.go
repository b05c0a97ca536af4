package kitumaija

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// The exit codes of a bot, the same in every language.
const (
	ExitDone        = 0 // it left politely
	ExitUsage       = 2 // a setting is missing or wrong
	ExitUnreachable = 3 // no server, for as long as its patience lasts
	ExitRefused     = 4 // the server does not want it: a wrong token, a newer copy, a frozen version
)

// UsageError is a setting that is missing or wrong.
type UsageError struct{ Message string }

func (e *UsageError) Error() string { return e.Message }

// Ended is why a stream ended: an error of the server, or a lost connection.
type Ended struct {
	Reason   string // of proto/README.md's list; empty where gRPC itself made the error
	Code     codes.Code
	Message  string
	Metadata map[string]string
}

func (e *Ended) Error() string {
	if e.Reason == "" {
		return fmt.Sprintf("%s: %s", e.Code, e.Message)
	}
	return fmt.Sprintf("%s: %s", e.Reason, e.Message)
}

// UnreachableError is a server that could not be reached for as long as the bot's patience lasts.
type UnreachableError struct {
	Address  string
	Patience time.Duration
	Last     error
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("no server at %s for %s: %v", e.Address, e.Patience, e.Last)
}

func (e *UnreachableError) Unwrap() error { return e.Last }

// again tells for each reason that can end a stream whether a new stream may succeed.
var again = map[string]bool{
	"UNAUTHENTICATED_NO_TOKEN": false,
	"UNAUTHENTICATED_TOKEN":    false,
	"PERMISSION_DENIED":        false,
	"BOT_DISABLED":             false,
	"INVALID_ARGUMENT_FIELD":   false,
	"BOT_VERSION_FROZEN":       false,
	"REPLACED":                 false,
	"PROTOCOL_VIOLATION":       false,
	"FRAME_TOO_LARGE":          false,
	"FLOODING":                 false,
	"TOO_MANY_REPLACEMENTS":    true,
	"HELLO_LATE":               true,
	"NOT_READING":              true,
	"SILENT":                   true,
	"DRAINING":                 true,
	"RESOURCE_EXHAUSTED":       true,
	"STORE_FAILED":             true,
	"INTERNAL":                 true,
}

// Again tells if a new stream may succeed. Without a reason that is known the status decides.
func (e *Ended) Again() bool {
	if known, ok := again[e.Reason]; ok {
		return known
	}
	switch e.Code {
	case codes.Unauthenticated, codes.PermissionDenied, codes.InvalidArgument, codes.FailedPrecondition, codes.Unimplemented:
		return false
	default:
		return true
	}
}

// Wait returns how long the server wants to be left alone.
func (e *Ended) Wait() time.Duration {
	seconds, err := strconv.ParseFloat(e.Metadata["retry_seconds"], 64)
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(seconds * float64(time.Second))
}

// ended reads the status that ended a stream; nil is an end without an error.
func ended(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return nil
	}
	state := status.Convert(err)
	read := &Ended{Code: state.Code(), Message: state.Message()}
	for _, detail := range state.Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok && info.GetDomain() == "kitumaija" {
			read.Reason, read.Metadata = info.GetReason(), info.GetMetadata()
		}
	}
	return read
}

// ExitCode returns the exit code for what Run returned.
func ExitCode(err error) int {
	var unreachable *UnreachableError
	var refused *Ended
	switch {
	case err == nil:
		return ExitDone
	case errors.As(err, &unreachable):
		return ExitUnreachable
	case errors.As(err, &refused):
		return ExitRefused
	default:
		return ExitUsage
	}
}
