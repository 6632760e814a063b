package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/rehearse-go/rehearse/internal/command"
	"github.com/rehearse-go/rehearse/scale/internal/broker"
	"github.com/rehearse-go/rehearse/scale/internal/request"
)

// patience is how long a server may take to answer for the first time: it may be starting.
const patience = time.Minute

// connect connects to the server that a request names.
func connect(ctx context.Context, r *request.Server, name string, log io.Writer) (*nats.Conn, error) {
	o := broker.ConnectOptions{URL: r.URL, CA: r.CA, Cert: r.Cert, Key: r.Key, Credentials: r.Credentials}
	if r.URL == "" {
		access, err := broker.Find(r.Store)
		if err != nil {
			return nil, err
		}
		o = access.Local(name)
	}
	o.Name = name
	o.Log = func(line string) { fmt.Fprintln(log, "rehearse: "+line) }
	return broker.Connect(ctx, o)
}

// reach says what is wrong with a server, or with the folder of one that is about to start.
func reach(ctx context.Context, s command.Streams, r *request.Server) error {
	if r.URL == "" {
		return broker.Usable(r.Store)
	}
	nc, err := connect(ctx, r, "whether it is there", s.Err)
	if err == nil {
		nc.Close()
	}
	return err
}

// atRest connects to a server, and starts the one of a folder if it does not run: jobs that are kept are there.
func atRest(ctx context.Context, r *request.Server, name string, log io.Writer) (*nats.Conn, func(), error) {
	nc, err := connect(ctx, r, name, log)
	if err == nil || r.URL != "" {
		return nc, func() { nc.Close() }, err
	}
	if _, none := os.Stat(r.Store); none != nil {
		return nil, nil, fmt.Errorf("%s: there was no swarm: %w", r.Store, none)
	}
	server, failed := broker.Start(broker.Options{Folder: r.Store})
	if failed != nil {
		return nil, nil, errors.Join(err, failed)
	}
	if nc, err = connect(ctx, r, name, log); err != nil {
		server.Close()
		return nil, nil, err
	}
	return nc, func() { nc.Close(); server.Close() }, nil
}

// awaited connects to a server that may not be there yet. One that refuses is not asked again.
func awaited(ctx context.Context, r *request.Server, name string, log io.Writer) (*nats.Conn, error) {
	for until, told := time.Now().Add(patience), false; ; told = true {
		nc, err := connect(ctx, r, name, log)
		if err == nil || r.URL != "" && !broker.Passing(err) || time.Now().After(until) {
			return nc, err
		}
		if !told {
			fmt.Fprintf(log, "rehearse: %v: trying again for %v\n", err, patience)
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(time.Second / 2):
		}
	}
}
