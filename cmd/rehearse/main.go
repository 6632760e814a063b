// Command rehearse runs Go tests that explore message orders, sums up what they explored, and replays saved schedules.
//
// See internal/cli for what it does; `rehearse help` for how to use it.
package main

import (
	"os"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], cli.Streams{Out: os.Stdout, Err: os.Stderr}))
}
