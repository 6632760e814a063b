// Command rehearse-swarm shares an exploration among machines. The command rehearse starts it.
package main

import (
	"os"

	"github.com/rehearse-go/rehearse/internal/command"
	"github.com/rehearse-go/rehearse/scale/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], command.Streams{Out: os.Stdout, Err: os.Stderr}, does))
}

// does is what the commands do.
var does = cli.Actions{Reach: reach, Swarm: swarmed, Worker: work, Status: status, Stop: stop}
