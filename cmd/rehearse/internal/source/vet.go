package source

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/internal/formats"
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
		fs.BoolVar(&v.json, "json", false, "print JSON, one finding a line: -format json")
		v.outputs.Declare(fs, cli.FormatText, cli.FormatJSON, cli.FormatGitHub, cli.FormatSARIF)
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
	outputs      cli.Outputs
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
	if v.json {
		if err := v.outputs.Add(cli.FormatJSON); err != nil {
			return cli.Usage(s, "vet", fmt.Errorf("-json: %w", err))
		}
	}
	if err := v.outputs.Check(); err != nil {
		return cli.Usage(s, "vet", err)
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
	if err := v.write(s, found, problems); err != nil {
		fmt.Fprintln(s.Err, "rehearse vet:", err)
		return cli.ExitError
	}
	v.tell(s, problems)
	switch {
	case len(problems) > 0:
		fmt.Fprintln(s.Err, "rehearse vet: not all packages could be checked: see above; what was found is in the others")
		return cli.ExitError
	case len(found) > 0:
		return cli.ExitFound
	}
	return cli.ExitOK
}

// write writes what was found in all formats. Problems are of the packages that could not be checked.
func (v *vetRun) write(s cli.Streams, found []vetFinding, problems []load.Problem) error {
	var unseen []string
	for _, p := range problems {
		unseen = append(unseen, fmt.Sprint("Not all packages could be checked: ", p))
	}
	var fs []formats.Finding
	for _, f := range found {
		fs = append(fs, formats.Finding{Rule: f.Check, Level: formats.Warning, Title: "rehearse vet: " + f.Check,
			Message: f.Message, File: cli.RepositoryPath(f.File), Line: f.Line,
			Column: cli.InCharacters(f.File, f.Line, f.Column)})
	}
	for _, o := range []struct {
		format string
		write  func(io.Writer) error
	}{
		{cli.FormatText, func(w io.Writer) error {
			return eachLine(w, found, func(f vetFinding) string { return f.Posn + ": " + f.Message })
		}},
		{cli.FormatJSON, func(w io.Writer) error {
			return eachLine(w, found, func(f vetFinding) string {
				line, _ := json.Marshal(f) // strings marshal
				return string(line)
			})
		}},
		{cli.FormatSARIF, func(w io.Writer) error {
			return formats.SARIF(w, "rehearse vet", cli.Version(), vetRules(), fs, unseen...)
		}},
		{cli.FormatGitHub, func(w io.Writer) error { return formats.Annotations(w, fs) }},
	} {
		if err := v.outputs.Write(s.Out, o.format, o.write); err != nil {
			return err
		}
	}
	if !v.outputs.Wants(cli.FormatGitHub) {
		return nil
	}
	return cli.AddSummary(cli.SummaryOfFindings("rehearse vet", fs))
}

// eachLine writes a line for each finding.
func eachLine(w io.Writer, found []vetFinding, line func(vetFinding) string) error {
	for _, f := range found {
		if _, err := io.WriteString(w, line(f)+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// tell tells which packages could not be checked. Compilers quote sources, in which anything may stand.
func (v *vetRun) tell(s cli.Streams, problems []load.Problem) {
	w := s.Err
	if v.outputs.Wants(cli.FormatGitHub) && len(problems) > 0 {
		w = s.Out
		defer cli.Guard(w)()
	}
	for _, p := range problems {
		fmt.Fprintln(w, p)
	}
}

// vetRules are the checks, for SARIF.
func vetRules() (rules []formats.Rule) {
	for _, a := range vet.Analyzers() {
		short, _, _ := strings.Cut(a.Doc, "\n")
		rules = append(rules, formats.Rule{Name: a.Name, Doc: short})
	}
	return rules
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
