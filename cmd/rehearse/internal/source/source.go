// Package source is the command rehearse-source: what rehearse does with the source of programs, apart from it so that
// rehearse is built fast. It is called by rehearse, or by go vet as its tool.
//
//	graph.go    rehearse graph; graphbuild.go: the analysis; graphcompare.go: its three precisions
//	facts.go    rehearse facts
//	summary.go  rehearse summary
//	generate.go rehearse generate
//	target.go   rehearse target: the line and the drivers; targetreach.go: search and execution; targettell.go: the
//	            answer; targetlist.go: many targets; targetcode.go: which code is that of actors
//	fill.go     rehearse fill; filltell.go: profiles and the report
//	reproduce.go  rehearse reproduce apet
//	reproducetap.go rehearse reproduce tap: what is asked for; reproducetapsearch.go: the search in each setting; reproducetapknown.go: what tests execute;
//	            reproducetaptell.go: the table
//	vet.go      rehearse vet, and the same program as a tool of go vet
package source

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
)

// room is how much garbage there may be in any case, in bytes. Programs are mostly small beside what reading them
// throws away, and collecting that took a tenth of the time, and a third where circuits are solved.
const room = 128 << 20

func commands() []cli.Command {
	return []cli.Command{graphCommand, factsCommand, vetCommand, summaryCommand, generateCommand, targetCommand,
		fillCommand, reproduceCommand}
}

// Main runs the command line of rehearse and gives the exit code. What comes from rehearse begins with who that is.
func Main(args []string, s cli.Streams) int {
	// never touched, so the system gives no memory for it, and the collector waits until as much has been allocated again
	empty := make([]byte, room)
	defer runtime.KeepAlive(empty)
	if len(args) > 0 && strings.HasPrefix(args[0], "-of=") {
		if args[0] != cli.Protocol() {
			fmt.Fprintf(s.Err, "rehearse-source is of another version than rehearse (%s, not %s): install both anew\n",
				cli.Protocol()[4:], args[0][4:])
			return cli.ExitError
		}
		args = args[1:]
	}
	if cli.AsVetTool(args) {
		vetTool(args)
	}
	if len(args) == 1 && args[0] == cli.DescribeAll {
		data, _ := json.Marshal(cli.Describe(commands())) // strings marshal
		fmt.Fprintf(s.Out, "%s\n", data)
		return cli.ExitOK
	}
	help := len(args) == 2 && args[0] == "help"
	for _, c := range commands() {
		switch {
		case help && args[1] == c.Name:
			fmt.Fprint(s.Out, c.Help())
			return cli.ExitOK
		case len(args) > 0 && args[0] == c.Name:
			return runWithOutput(c, args[1:], s)
		}
	}
	fmt.Fprintln(s.Err, "rehearse-source is a part of rehearse: use `rehearse graph`, `rehearse facts`, `rehearse vet`, "+
		"`rehearse summary`, `rehearse generate`, `rehearse target` or `rehearse fill`")
	return cli.ExitError
}
