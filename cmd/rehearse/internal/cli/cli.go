// Package cli is the command rehearse. It wraps `go test`: the exploring itself happens in the test binary, inside
// rehearse.Check. The two talk through environment variables (package settings) and a file of records (package record).
//
//	cli.go      the commands, help, exit codes
//	help.go     rehearse help, rehearse version
//	args.go     flags and operands
//	settings.go the flags that the settings table has
//	gotest.go   `go test -json` as a child, and what of its output is shown
//	testcmd.go  rehearse test
//	replay.go   rehearse replay
//	records.go  the file of records
//	summary.go  records to a table
//	cover.go    rehearse cover; covertext.go, coverdiff.go: what it prints
//	graph.go    rehearse graph; graphbuild.go: the analysis; graphcompare.go: its three precisions
//	facts.go    rehearse facts; renew.go: rehearse test makes stale ones anew
//	stale.go    types of a profile that are gone; declared.go: those that the module declares
//	vet.go      rehearse vet, and the same program as a tool of go vet
//	reproduce.go rehearse reproduce
package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/rehearse-go/rehearse/internal/settings"
)

// Exit codes. (`go run` folds every failure into 1.)
const (
	exitOK    = 0 // everything is as expected
	exitFound = 1 // an unexpected violation, a missing expected one, a failing test, or less coverage than asked for
	exitError = 2 // it could not run: wrong usage, settings that a Check refuses, a package that does not build, a file that cannot be read
)

// Streams is where a command writes: results to Out, diagnostics to Err.
type Streams struct{ Out, Err io.Writer }

// command is one row of the table from which dispatch and help are made.
type command struct {
	name  string
	args  string // after the name, in the usage line
	short string // one line, for the overview
	long  string // what it does, for its own help
	// setup declares the flags and gives the function that runs the command.
	setup func(*flag.FlagSet) func(Streams, arguments) int
}

// commands is a function because help refers back to it.
func commands() []command {
	return []command{testCommand, replayCommand, coverCommand, graphCommand, factsCommand, vetCommand, reproduceCommand, helpCommand(), versionCommand}
}

// Main runs the command line and gives the exit code.
func Main(args []string, s Streams) int {
	if asVetTool(args) {
		vetTool()
	}
	if len(args) == 0 {
		fmt.Fprint(s.Err, "rehearse: no command given\n\n", overview())
		return exitError
	}
	switch args[0] {
	case "-h", "-help", "--help":
		args = append([]string{"help"}, args[1:]...)
	case "-version", "--version":
		args = append([]string{"version"}, args[1:]...)
	}
	c, ok := find(args[0])
	if !ok {
		hint := "want one of " + strings.Join(names(), ", ") + ";"
		if closest := settings.Closest(args[0], names()); closest != "" {
			hint = "did you mean " + closest + "?"
		}
		fmt.Fprintf(s.Err, "rehearse: unknown command %q: %s see `rehearse help`\n", args[0], hint)
		return exitError
	}
	fs := c.flags()
	run := c.setup(fs)
	a, err := parse(fs, args[1:])
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(s.Out, c.help())
		return exitOK
	}
	if err != nil {
		return usage(s, c.name, err)
	}
	return run(s, a)
}

// usage tells of a wrong command line and where to read about the right one.
func usage(s Streams, name string, err error) int {
	fmt.Fprintf(s.Err, "rehearse %s: %v\nSee `rehearse help %s`.\n", name, err, name)
	return exitError
}

func find(name string) (command, bool) {
	for _, c := range commands() {
		if c.name == name {
			return c, true
		}
	}
	return command{}, false
}

func names() []string {
	var ns []string
	for _, c := range commands() {
		ns = append(ns, c.name)
	}
	return ns
}

func overview() string {
	var b strings.Builder
	b.WriteString("Rehearse finds the message orders that break an actor program, and replays them.\n\nUsage: rehearse <command> [arguments]\n\nThe commands are:\n\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-10s %s\n", c.name, c.short)
	}
	b.WriteString("\nSee `rehearse help <command>` for one of them.\n\n" + exitCodes)
	return b.String()
}

const exitCodes = `Exit codes:
  0  everything is as expected (a violation that its test expects included)
  1  an unexpected violation, a missing expected one, a failing test, less coverage than asked for,
     or findings in the source
  2  could not run: wrong usage, settings that do not go together, a package that does not build,
     an unreadable file
`

// help is made from the flags that the command really has, so it is complete by construction.
func (c command) help() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: rehearse %s\n\n%s", strings.TrimSpace(c.name+" "+c.args), c.long)
	fs := c.flags()
	c.setup(fs)
	first := true
	fs.VisitAll(func(f *flag.Flag) {
		if first {
			b.WriteString("\nFlags:\n")
			first = false
		}
		kind, doc := flag.UnquoteUsage(f)
		fmt.Fprintf(&b, "  %-20s %s\n", strings.TrimSpace("-"+f.Name+" "+kind), strings.ReplaceAll(doc, "\n", "\n"+strings.Repeat(" ", 23)))
	})
	return b.String()
}

func (c command) flags() *flag.FlagSet {
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	return fs
}
