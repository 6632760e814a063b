// Package source is the command rehearse-source: what rehearse does with the source of programs, apart from it so that
// rehearse is built fast. It is called by rehearse, or by go vet as its tool.
//
//	graph.go    rehearse graph; graphbuild.go: the analysis; graphcompare.go: its three precisions
//	facts.go    rehearse facts
//	summary.go  rehearse summary
//	generate.go rehearse generate
//	target.go   rehearse target: the line and the drivers; targetreach.go: search and execution; targettell.go: the
//	            answer; targetlist.go: many targets; targetshare.go: the same among processes; targetcode.go: which code
//	            is that of actors
//	fill.go     rehearse fill; filltell.go: profiles and the report
//	reproduce.go  rehearse reproduce apet
//	reproducetap.go rehearse reproduce tap: what is asked for; reproducetapsearch.go: the search in each setting; reproducetapknown.go: what tests execute;
//	            reproducetaptell.go: the table
//	vet.go      rehearse vet, and the same program as a tool of go vet
package source

import (
	"runtime"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/internal/command"
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
	_, args, ok := command.Begin("rehearse-source", args, s.Err)
	if !ok {
		return cli.ExitError
	}
	if cli.AsVetTool(args) {
		vetTool(args)
	}
	program := command.Companion{Name: "rehearse-source", Does: "reads sources", Commands: commands(), Run: runWithOutput}
	return program.Main(args, s)
}
