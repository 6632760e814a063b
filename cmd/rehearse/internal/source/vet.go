package source

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/static/vet"
)

var vetCommand = cli.Command{
	Name: "vet", Args: "[flags] [PKG...] [-- BUILD FLAGS]",
	Short: "check that actors share nothing and do nothing that exploring cannot see",
	Long: `Vet checks actor programs on protoactor-go and on native actors: messages that share memory, pointers that two actors have, and what
handlers do outside of messages (goroutines, locks, the clock, global random numbers, I/O, channels), waiting without a timeout, and
actors that wait for each other. Packages are given as for go vet; the default is the one in the current folder. What follows -- is for go build, as in -- -tags=integration.

A finding is suppressed by a comment on its line, on the line before or in the function's doc comment: //rehearse:allow NAME REASON.
The same checks run as: go vet -vettool=$(which rehearse) PKG...

The checks are:

` + vetChecks(),
	Setup: func(fs *flag.FlagSet) func(cli.Streams, cli.Arguments) int {
		v := &vetRun{}
		fs.Func("only", "run only these checks, as in lock,clock: `names` with commas",
			func(s string) error { return v.choose(s, &v.only) })
		fs.Func("skip", "run all checks but these: `names` with commas", func(s string) error { return v.choose(s, &v.skip) })
		fs.BoolVar(&v.silent, "silent", false, "report handlers that ignore unknown messages, too")
		fs.BoolVar(&v.json, "json", false, "print JSON, one finding a line")
		return v.run
	},
}

func vetChecks() string {
	var b strings.Builder
	for _, a := range vet.Analyzers() {
		short, _, _ := strings.Cut(a.Doc, "\n")
		fmt.Fprintf(&b, "  %-10s %s\n", a.Name, strings.TrimPrefix(short, "report "))
	}
	return b.String()
}

// vetTool is the tool of go vet. It does not return.
func vetTool(args []string) {
	os.Args = append(os.Args[:1:1], args...) // which is where it looks
	unitchecker.Main(vet.Analyzers()...)
}

// vetRun is one `rehearse vet`.
type vetRun struct {
	only, skip   []string
	silent, json bool
}

func (v *vetRun) choose(list string, to *[]string) error {
	for name := range strings.SplitSeq(list, ",") {
		if !slices.ContainsFunc(vet.Analyzers(), func(a *analysis.Analyzer) bool { return a.Name == name }) {
			return fmt.Errorf("unknown check %q: `rehearse help vet` lists them", name)
		}
		*to = append(*to, name)
	}
	return nil
}

func (v *vetRun) run(s cli.Streams, a cli.Arguments) int {
	if len(v.only) > 0 && len(v.skip) > 0 {
		return cli.Usage(s, "vet", errors.New("-only and -skip: use one of them"))
	}
	c := load.Config{Patterns: a.Operands, Flags: a.Rest}
	if len(c.Patterns) == 0 {
		c.Patterns = []string{"."}
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // it ends soon, and a third of its time would be collecting
	}
	all, problems, err := vet.Run(c, v.analyzers())
	if err != nil {
		fmt.Fprintln(s.Err, "rehearse vet:", err)
		return cli.ExitError
	}
	found := listed(all)
	for _, f := range found {
		if v.json {
			line, _ := json.Marshal(f) // strings marshal
			fmt.Fprintf(s.Out, "%s\n", line)
		} else {
			fmt.Fprintf(s.Out, "%s: %s\n", f.Posn, f.Message)
		}
	}
	for _, p := range problems {
		fmt.Fprintln(s.Err, p)
	}
	switch {
	case len(problems) > 0:
		fmt.Fprintln(s.Err, "rehearse vet: not all packages could be checked: see above; what was found is in the others")
		return cli.ExitError
	case len(found) > 0:
		return cli.ExitFound
	}
	return cli.ExitOK
}

// analyzers are those that the flags choose.
func (v *vetRun) analyzers() []*analysis.Analyzer {
	if v.silent {
		vet.Silent.Flags.Set("report", "true") // which takes a bool
	}
	return slices.DeleteFunc(vet.Analyzers(), func(a *analysis.Analyzer) bool {
		return len(v.only) > 0 && !slices.Contains(v.only, a.Name) || slices.Contains(v.skip, a.Name)
	})
}

// vetFinding is one diagnostic. Posn is file:line:column; File, Line and Column are the same for programs.
type vetFinding struct {
	Check   string `json:"check"`
	Posn    string `json:"posn"`
	Message string `json:"message"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
}

// listed gives findings for people and programs, in order of place. Packages and the same with test files have the same
// ones.
func listed(found []vet.Finding) []vetFinding {
	var all []vetFinding
	dir, _ := os.Getwd() // without it names stay absolute
	for _, f := range found {
		at := f.At
		if rel, err := filepath.Rel(dir, at.Filename); err == nil && !strings.HasPrefix(rel, "..") {
			at.Filename = rel
		}
		all = append(all, vetFinding{f.Check, at.String(), f.Message, at.Filename, at.Line, at.Column})
	}
	slices.SortFunc(all, func(a, b vetFinding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(all)
}
