// Command rehearse-swarm shares an exploration among machines. The command rehearse starts it.
package main

import (
	"context"
	"errors"
	"os"

	_ "github.com/nats-io/nats-server/v2/server"
	_ "github.com/nats-io/nats.go"

	"github.com/rehearse-go/rehearse/internal/command"
	"github.com/rehearse-go/rehearse/scale/internal/cli"
	"github.com/rehearse-go/rehearse/scale/internal/request"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], command.Streams{Out: os.Stdout, Err: os.Stderr}, cli.Actions{
		Swarm: missing[*request.Swarm], Worker: missing[*request.Worker],
		Status: missing[*request.Status], Stop: missing[*request.Stop]}))
}

// missing is what a command line is understood for, and cannot be done yet.
func missing[R any](context.Context, command.Streams, R) (int, error) {
	return 0, errors.New("this version has no swarm")
}
