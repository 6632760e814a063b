package cli

import (
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// helpCommand is a function because help lists the commands, itself among them.
func helpCommand() command {
	return command{
		name: "help", args: "[command]", short: "say how to use rehearse, or one of its commands",
		long:  "Help prints an overview, or how to use the command.\n",
		setup: func(*flag.FlagSet) func(Streams, arguments) int { return runHelp },
	}
}

func runHelp(s Streams, a arguments) int {
	switch {
	case len(a.operands) == 0:
		fmt.Fprint(s.Out, overview())
		return exitOK
	case len(a.operands) > 1:
		return usage(s, "help", fmt.Errorf("got %d arguments: want at most one command", len(a.operands)))
	}
	c, ok := find(a.operands[0])
	if !ok {
		fmt.Fprintf(s.Err, "rehearse help: unknown command %q: want one of %s\n", a.operands[0], strings.Join(names(), ", "))
		return exitError
	}
	fmt.Fprint(s.Out, c.help())
	return exitOK
}

var versionCommand = command{
	name: "version", short: "print the version of rehearse and of Go",
	long:  "Version prints the version of rehearse, of the Go that built it, and the platform.\n",
	setup: func(*flag.FlagSet) func(Streams, arguments) int { return runVersion },
}

func runVersion(s Streams, a arguments) int {
	if len(a.operands) > 0 {
		return usage(s, "version", fmt.Errorf("unexpected argument %q: it takes none", a.operands[0]))
	}
	v := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		v = info.Main.Version
	}
	fmt.Fprintf(s.Out, "rehearse %s %s %s/%s\n", v, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return exitOK
}
