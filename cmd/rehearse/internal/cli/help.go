package cli

import (
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// helpCommand is a function because help lists the commands, itself among them.
func helpCommand() Command {
	return Command{
		Name: "help", Args: "[command]", Short: "say how to use rehearse, or one of its commands",
		Long:  "Help prints an overview, or how to use the command.\n",
		Setup: func(*flag.FlagSet) func(Streams, Arguments) int { return runHelp },
	}
}

func runHelp(s Streams, a Arguments) int {
	switch {
	case len(a.Operands) == 0:
		fmt.Fprint(s.Out, overview())
		return ExitOK
	case len(a.Operands) > 1:
		return Usage(s, "help", fmt.Errorf("got %d arguments: want at most one command", len(a.Operands)))
	}
	c, ok := find(a.Operands[0])
	if !ok {
		fmt.Fprintf(s.Err, "rehearse help: unknown command %q: want one of %s\n", a.Operands[0], strings.Join(names(), ", "))
		return ExitError
	}
	if c.Setup == nil {
		return delegate(s, []string{"help", c.Name})
	}
	fmt.Fprint(s.Out, c.Help())
	return ExitOK
}

var versionCommand = Command{
	Name: "version", Short: "print the version of rehearse and of Go",
	Long:  "Version prints the version of rehearse, of the Go that built it, and the platform.\n",
	Setup: func(*flag.FlagSet) func(Streams, Arguments) int { return runVersion },
}

func runVersion(s Streams, a Arguments) int {
	if len(a.Operands) > 0 {
		return Usage(s, "version", fmt.Errorf("unexpected argument %q: it takes none", a.Operands[0]))
	}
	v := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		v = info.Main.Version
	}
	fmt.Fprintf(s.Out, "rehearse %s %s %s/%s\n", v, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return ExitOK
}
