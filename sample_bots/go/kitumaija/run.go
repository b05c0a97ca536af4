package kitumaija

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

// Options are how a bot reaches its server, and what it says of itself.
type Options struct {
	Address    string        // HOST:PORT, or https://HOST:PORT for TLS
	Token      string        // the bot's own
	CAFile     string        // certificates to trust, in PEM; it switches TLS on
	BotVersion string        // frozen by a tournament at its first match
	Capacity   uint32        // matches at once; 0 means the server's default
	Patience   time.Duration // how long to dial without success; 0 means ten minutes
	Logger     *slog.Logger  // nil means the default one
}

// OptionsFromEnvironment reads KITUMAIJA_ADDRESS, KITUMAIJA_TOKEN and KITUMAIJA_TLS_CA.
func OptionsFromEnvironment() Options {
	return Options{
		Address: os.Getenv("KITUMAIJA_ADDRESS"),
		Token:   os.Getenv("KITUMAIJA_TOKEN"),
		CAFile:  os.Getenv("KITUMAIJA_TLS_CA"),
	}
}

func (o Options) checked() (Options, error) {
	if o.target() == "" {
		return o, &UsageError{"there is no address: set KITUMAIJA_ADDRESS to HOST:PORT or https://HOST:PORT"}
	}
	if o.Token == "" {
		return o, &UsageError{"there is no token: set KITUMAIJA_TOKEN to what the organizer gave you"}
	}
	if o.Patience == 0 {
		o.Patience = 10 * time.Minute
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	return o, nil
}

// target is the address as gRPC takes it.
func (o Options) target() string {
	host := o.Address
	for _, scheme := range []string{"https://", "http://"} {
		host = strings.TrimPrefix(host, scheme)
	}
	return strings.TrimSuffix(host, "/")
}

func (o Options) credentials() (credentials.TransportCredentials, error) {
	if o.CAFile == "" && !strings.HasPrefix(o.Address, "https://") {
		return insecure.NewCredentials(), nil
	}
	settings := &tls.Config{MinVersion: tls.VersionTLS12}
	if o.CAFile != "" {
		certificates, err := os.ReadFile(o.CAFile)
		if err != nil {
			return nil, &UsageError{fmt.Sprintf("the certificates to trust cannot be read: %v", err)}
		}
		settings.RootCAs = x509.NewCertPool()
		if !settings.RootCAs.AppendCertsFromPEM(certificates) {
			return nil, &UsageError{fmt.Sprintf("there is no certificate in %s", o.CAFile)}
		}
	}
	return credentials.NewTLS(settings), nil
}

// Run plays until ctx ends (then it returns nil), or until playing on is of no use: a *UsageError, an *Ended that says why
// the server refuses, or an *UnreachableError. newBot makes the bot of each match.
func Run(ctx context.Context, newBot func() Bot, options Options) error {
	options, err := options.checked()
	if err != nil {
		return err
	}
	alive, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	c := newClient(alive, newBot, options)
	waits, heard := newBackOff(), time.Now()
	for ctx.Err() == nil {
		began := time.Now()
		err := c.play(ctx)
		if ctx.Err() != nil {
			return nil
		}
		var end *Ended
		if err != nil && (!errors.As(err, &end) || !end.Again()) {
			return err
		}
		if c.welcomed {
			heard = time.Now()
			if heard.Sub(began) > lastWait {
				waits.reset()
			}
		}
		if time.Since(heard) > options.Patience {
			return &UnreachableError{options.Address, options.Patience, err}
		}
		var atLeast time.Duration
		if end != nil {
			atLeast = end.Wait()
		}
		wait := waits.wait(atLeast)
		options.Logger.Warn("dialing again", "in", wait, "because", err)
		select {
		case <-time.After(wait):
		case <-ctx.Done():
		}
	}
	return nil
}

// Main runs a bot by the environment until Ctrl-C or SIGTERM, and ends the process with its exit code. A second Ctrl-C
// does not wait.
func Main(newBot func() Bot) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	err := Run(ctx, newBot, OptionsFromEnvironment())
	if err != nil {
		slog.Error("the bot stops", "because", err)
	}
	os.Exit(ExitCode(err))
}
