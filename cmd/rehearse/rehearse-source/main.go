// Command rehearse-source is the part of rehearse that reads the source of programs. rehearse finds and runs it.
package main

import (
	"os"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/source"
)

func main() {
	os.Exit(source.Main(os.Args[1:], cli.Streams{Out: os.Stdout, Err: os.Stderr}))
}
