// Package cli is the command rehearse. It wraps `go test`: the exploring itself happens in the test binary, inside
// rehearse.Check. The two talk through environment variables (package settings) and a file of records (package record).
//
//	cli.go      the commands, help, exit codes
//	help.go     rehearse help, rehearse version
//	gotest.go   `go test -json` as a child, and what of its output is shown
//	testcmd.go  rehearse test
//	replay.go   rehearse replay
//	explorecmd.go rehearse explore; digest.go: what tells a program from a changed one
//	records.go  the file of records
//	summary.go  records to a table
//	cover.go    rehearse cover; covertext.go, coverdiff.go: what it prints
//	companion.go programs that do some of the commands: rehearse-source those that read sources, rehearse-swarm those
//	            that share an exploration among machines
//	buildtest.go the test binary that rehearse-swarm asks for
//	renew.go    rehearse test makes stale facts anew; factstext.go: how many there are
//	stale.go    types of a profile that are gone; declared.go: those that the module declares
//	reproduce.go rehearse reproduce
//	formats.go  -format: which, and where to; told.go, suites.go, places.go: what rehearse test writes in them
//	completion.go rehearse completion
package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/internal/command"
	"github.com/rehearse-go/rehearse/internal/settings"
)

// What commands consist of is in a package of its own, for the programs that do some of them too.
type (
	// Streams is where a command writes.
	Streams = command.Streams
	// Arguments is a command line without its flags.
	Arguments = command.Arguments
	// Command is a row of the table of commands.
	Command = command.Command
)

// Exit codes, as package command has them.
const (
	ExitOK    = command.ExitOK
	ExitFound = command.ExitFound
	ExitError = command.ExitError
)

// Usage tells of a wrong command line and where to read about the right one.
func Usage(s Streams, name string, err error) int { return command.Usage(s, name, err) }

// commands is a function because help refers back to it.
func commands() []Command {
	return slices.Concat([]Command{testCommand, replayCommand, reportCommand, exploreCommand, coverCommand},
		sourceCompanion.commands, swarmCompanion.commands,
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
	case command.BuildTest:
		return buildTestCommand.Run(args[1:], s)
	case command.FindCompanion:
		return tellCompanion(s, args[1:])
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
