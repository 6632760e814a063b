package command

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/rehearse-go/rehearse/internal/facts"
)

// This file is the side of a companion: a program that does some of the commands of rehearse. It is called as part of
// rehearse, and its flags, help and exit codes are those of one command. The first arguments that rehearse hands on say
// which version calls, and where it is.

const (
	ofVersion = "-of=" // both have to be of one version
	byProgram = "-by="
	calledAs  = "-as="
)

// Companion is such a program.
type Companion struct {
	Name     string
	Does     string // as in: it is a part of rehearse, which ...
	Commands []Command
	Run      func(Command, []string, Streams) int // nil: Command.Run
}

// Caller is the rehearse that called, as far as it has said.
type Caller struct {
	Path   string // of the program; "": a companion was called by itself
	Called string // how it was called: what is to be typed to call it again
}

// Version is how the two know each other.
func Version() string {
	version := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && !strings.Contains(info.Main.Version, "+dirty") {
		version = info.Main.Version
	}
	return version + "/" + facts.Analysis
}

// HandOn are the arguments of a companion that is to do what rehearse was asked for.
func HandOn(c Caller, args []string) []string {
	return append([]string{ofVersion + Version(), byProgram + c.Path, calledAs + c.Called}, args...)
}

// Begin reads what HandOn has put before the arguments of rehearse. It is not ok if the two are of different versions,
// which it tells.
func Begin(name string, args []string, err io.Writer) (c Caller, rest []string, ok bool) {
	if len(args) == 0 || !strings.HasPrefix(args[0], ofVersion) {
		return c, args, true // somebody has typed it
	}
	if of := args[0][len(ofVersion):]; of != Version() {
		fmt.Fprintf(err, "%s is of another version than rehearse (%s, not %s): install both anew\n", name, Version(), of)
		return c, args, false
	}
	args = args[1:]
	for len(args) > 0 {
		by, isBy := strings.CutPrefix(args[0], byProgram)
		as, isAs := strings.CutPrefix(args[0], calledAs)
		switch {
		case isBy:
			c.Path = by
		case isAs:
			c.Called = as
		default:
			return c, args, true
		}
		args = args[1:]
	}
	return c, args, true
}

// Main runs the command line of rehearse and gives the exit code.
func (c *Companion) Main(args []string, s Streams) int {
	if len(args) == 1 && args[0] == DescribeAll {
		data, _ := json.Marshal(Describe(c.Commands)) // strings marshal
		fmt.Fprintf(s.Out, "%s\n", data)
		return ExitOK
	}
	run := c.Run
	if run == nil {
		run = Command.Run
	}
	help := len(args) == 2 && args[0] == "help"
	var names []string
	for _, command := range c.Commands {
		switch {
		case help && args[1] == command.Name:
			fmt.Fprint(s.Out, command.Help())
			return ExitOK
		case len(args) > 0 && args[0] == command.Name:
			return run(command, args[1:], s)
		}
		names = append(names, "`rehearse "+command.Name+"`")
	}
	fmt.Fprintf(s.Err, "%s is a part of rehearse, which %s: use %s\n", c.Name, c.Does, strings.Join(names, ", "))
	return ExitError
}
