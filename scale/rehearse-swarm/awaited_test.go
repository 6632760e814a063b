package main

import (
	"context"
	"net"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/scale/internal/broker"
	"github.com/rehearse-go/rehearse/scale/internal/request"
)

// A worker waits for a server that is not there yet, and says so. One that refuses it is not asked again.
func TestAwaited(t *testing.T) {
	place(t)
	server, err := broker.Start(broker.Options{Folder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	ctx, cancel := context.WithCancel(context.Background())
	var log waits = func() { cancel() }
	_, err = awaited(ctx, &request.Server{URL: server.Access().URL}, "stranger", log)
	if err == nil || !strings.Contains(err.Error(), "refuses the credentials") || ctx.Err() != nil {
		t.Errorf("got %v, want a refusal at once", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := "nats://" + l.Addr().String()
	l.Close()
	_, err = awaited(ctx, &request.Server{URL: nobody}, "early", log)
	if err == nil || !strings.Contains(err.Error(), "does not answer") || ctx.Err() == nil {
		t.Errorf("got %v, want to be told of the wait", err)
	}
}

// waits is called when it is told that a connection is waited for.
type waits func()

func (w waits) Write(p []byte) (int, error) {
	if strings.Contains(string(p), "trying again for") {
		w()
	}
	return len(p), nil
}
