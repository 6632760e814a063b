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
//	explorecmd.go rehearse explore; digest.go: what tells a program from a changed one
//	records.go  the file of records
//	summary.go  records to a table
//	cover.go    rehearse cover; covertext.go, coverdiff.go: what it prints
//	sources.go  rehearse graph, facts, vet, summary, generate, target, fill: package source does these, in a command of
//	            its own
//	renew.go    rehearse test makes stale facts anew; factstext.go: how many there are
//	stale.go    types of a profile that are gone; declared.go: those that the module declares
//	reproduce.go rehearse reproduce
//	formats.go  -format: which, and where to; told.go, suites.go, places.go: what rehearse test writes in them
//	completion.go rehearse completion
package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/internal/settings"
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
	// Setup declares the flags and gives the function that runs the command. It is nil for what the command for sources
	// does.
	Setup func(*flag.FlagSet) func(Streams, Arguments) int
}

// commands is a function because help refers back to it.
func commands() []Command {
	return slices.Concat([]Command{testCommand, replayCommand, reportCommand, exploreCommand, coverCommand}, sources,
		[]Command{reproduceCommand, completionCommand(), helpCommand(), versionCommand})
}

// Main runs the command line and gives the exit code.
func Main(args []string, s Streams) int {
	if AsVetTool(args) {
		return delegate(s, args)
	}
	if len(args) == 0 {
		fmt.Fprint(s.Err, "rehearse: no command given\n\n", overview())
		return ExitError
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
		return ExitError
	}
	if c.Setup == nil {
		return delegate(s, args)
	}
	return c.Run(args[1:], s)
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

func find(name string) (Command, bool) {
	for _, c := range commands() {
		if c.Name == name {
			return c, true
		}
	}
	return Command{}, false
}

func names() []string {
	var ns []string
	for _, c := range commands() {
		ns = append(ns, c.Name)
	}
	return ns
}

func overview() string {
	var b strings.Builder
	b.WriteString("Rehearse finds the message orders that break an actor program, and replays them.\n\nUsage: rehearse " +
		"<command> [arguments]\n\nThe commands are:\n\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-10s %s\n", c.Name, c.Short)
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
