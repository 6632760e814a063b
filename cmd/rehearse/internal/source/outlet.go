package source

import (
	"fmt"
	"io"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
)

// outlet is standard output, whose errors are not looked at where something is printed: a full disk, say.
type outlet struct {
	io.Writer
	err error // the first
}

func (o *outlet) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// runWithOutput runs a command, which has not run if what it says was lost.
func runWithOutput(c cli.Command, args []string, s cli.Streams) int {
	out := &outlet{Writer: s.Out}
	s.Out = out
	code := c.Run(args, s)
	if out.err != nil && code != cli.ExitError {
		fmt.Fprintf(s.Err, "rehearse %s: a part of the output is lost: %v\n", c.Name, out.err)
		return cli.ExitError
	}
	return code
}
