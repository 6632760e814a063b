// Package command is what the commands of rehearse consist of: flags, operands, settings, help. Some of the commands
// are done by other programs, of which rehearse is the front: each of them declares its commands with this package.
//
//	command.go    a command: how it is run, and its help
//	args.go       flags and operands
//	settings.go   the flags that the settings table has
//	describe.go   commands and their flags, for completion
//	companion.go  programs that do some of the commands
//	build.go      tests that these have built
package command

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Exit codes. (`go run` folds every failure into 1.)
const (
	ExitOK    = 0 // everything is as expected
	ExitFound = 1 // an unexpected violation, a missing expected one, a failing test, or less coverage than asked for
	// it could not run: wrong usage, settings that a Check refuses, a package that does not build, a file that cannot be
	// read
	ExitError = 2
)

// Streams is where a command writes: results to Out, diagnostics to Err.
type Streams struct{ Out, Err io.Writer }

// Command is one row of the table from which dispatch and help are made.
type Command struct {
	Name  string
	Args  string // after the name, in the usage line
	Short string // one line, for the overview
	Long  string // what it does, for its own help
	// Setup declares the flags and gives the function that runs the command. It is nil for what another program does.
	Setup func(*flag.FlagSet) func(Streams, Arguments) int
}

// Run runs one command with what follows its name, and gives the exit code.
func (c Command) Run(args []string, s Streams) int {
	fs := c.flags()
	run := c.Setup(fs)
	a, err := parse(fs, args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(s.Out, c.Help())
		return ExitOK
	}
	if err != nil {
		return Usage(s, c.Name, err)
	}
	return run(s, a)
}

// Usage tells of a wrong command line and where to read about the right one.
func Usage(s Streams, name string, err error) int {
	fmt.Fprintf(s.Err, "rehearse %s: %v\nSee `rehearse help %s`.\n", name, err, name)
	return ExitError
}

// Help is made from the flags that the command really has, so it is complete by construction.
func (c Command) Help() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: rehearse %s\n\n%s", strings.TrimSpace(c.Name+" "+c.Args), c.Long)
	fs := c.flags()
	c.Setup(fs)
	first := true
	fs.VisitAll(func(f *flag.Flag) {
		if first {
			b.WriteString("\nFlags:\n")
			first = false
		}
		kind, doc := flag.UnquoteUsage(f)
		doc += defaultOf(f)
		fmt.Fprintf(&b, "  %-20s %s\n", strings.TrimSpace("-"+f.Name+" "+kind),
			strings.ReplaceAll(doc, "\n", "\n"+strings.Repeat(" ", 23)))
	})
	return b.String()
}

// defaultOf tells a flag's default, unless it is none, or its line has the word.
func defaultOf(f *flag.Flag) string {
	value := f.DefValue
	if slices.Contains([]string{"", "0", "0s", "false"}, value) || strings.Contains(f.Usage, "default") {
		return ""
	}
	if strings.HasSuffix(value, "m0s") {
		value = strings.TrimSuffix(value, "0s") // as one would write it: 1m
	}
	return " (default: " + value + ")"
}

func (c Command) flags() *flag.FlagSet {
	fs := flag.NewFlagSet(c.Name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	return fs
}
