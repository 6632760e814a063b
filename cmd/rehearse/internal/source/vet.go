package source

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/static/vet"
)

var vetCommand = cli.Command{
	Name: "vet", Args: "[flags] [PKG...] [-- FLAGS OF GO VET]",
	Short: "check that actors share nothing and do nothing that exploring cannot see",
	Long: `Vet checks actor programs on protoactor-go and on native actors: messages that share memory, pointers that two actors have, and what
handlers do outside of messages (goroutines, locks, the clock, global random numbers, I/O, channels), waiting without a timeout, and
actors that wait for each other. Packages are given as for go vet; the default is the one in the current folder.

A finding is suppressed by a comment on its line, on the line before or in the function's doc comment: //rehearse:allow NAME REASON.
The same checks run as: go vet -vettool=$(which rehearse) PKG...

The checks are:

` + vetChecks(),
	Setup: func(fs *flag.FlagSet) func(cli.Streams, cli.Arguments) int {
		v := &vetRun{}
		fs.Func("only", "run only these checks, as in lock,clock: `names` with commas", func(s string) error { return v.choose(s, &v.only) })
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
	found, failed := v.goVet(s.Err, a)
	for _, f := range found {
		if v.json {
			line, _ := json.Marshal(f) // strings marshal
			fmt.Fprintf(s.Out, "%s\n", line)
		} else {
			fmt.Fprintf(s.Out, "%s: %s\n", f.Posn, f.Message)
		}
	}
	switch {
	case failed != nil:
		fmt.Fprintln(s.Err, "rehearse vet:", failed)
		return cli.ExitError
	case len(found) > 0:
		return cli.ExitFound
	}
	return cli.ExitOK
}

// flags are those of the analyzers for go vet.
func (v *vetRun) flags() []string {
	var flags []string
	for _, name := range v.only {
		flags = append(flags, "-"+name)
	}
	for _, name := range v.skip {
		flags = append(flags, "-"+name+"=false")
	}
	if v.silent {
		flags = append(flags, "-silent.report")
	}
	return flags
}

// goVet has go vet run this very program on each package, which gives build flags, test files, cached results and facts about
// imported packages for nothing. What was found comes with an error, too: go vet goes on with the packages that do not depend on a broken one.
func (v *vetRun) goVet(diagnostics io.Writer, a cli.Arguments) ([]vetFinding, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("where is this program? %w", err)
	}
	args := append([]string{"vet", "-vettool=" + self, "-json"}, v.flags()...)
	args = append(append(args, a.Rest...), a.Operands...)
	var out bytes.Buffer
	cmd := exec.Command("go", args...)
	cmd.Stdout, cmd.Stderr = &out, diagnostics
	failed := cmd.Run()
	found, err := readVet(&out)
	switch {
	case failed == nil:
		return found, err
	case err != nil || len(found) == 0:
		return nil, fmt.Errorf("go vet could not check the packages (%w): see above", failed)
	}
	return found, fmt.Errorf("go vet could not check all packages (%w): see above; what was found is in the others", failed)
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

// readVet reads what go vet -json prints: for each package an object from package to check to diagnostics, or to an error.
func readVet(r io.Reader) ([]vetFinding, error) {
	var all []vetFinding
	dir, _ := os.Getwd() // without it names stay absolute
	for dec := json.NewDecoder(r); ; {
		var units map[string]map[string]json.RawMessage
		if err := dec.Decode(&units); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("the output of go vet: %w", err)
		}
		for pkg, checks := range units {
			for check, raw := range checks {
				var found []vetFinding
				if err := json.Unmarshal(raw, &found); err != nil {
					return nil, fmt.Errorf("%s: check %s: %s", pkg, check, raw)
				}
				for _, f := range found {
					f.Check = check
					if rel, err := filepath.Rel(dir, f.Posn); err == nil && !strings.HasPrefix(rel, "..") {
						f.Posn = rel
					}
					f.File, f.Line, f.Column = splitPosn(f.Posn)
					all = append(all, f)
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b vetFinding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(all), nil
}

// splitPosn takes file:line:column apart. The file's name may have colons.
func splitPosn(p string) (file string, line, column int) {
	for _, n := range []*int{&column, &line} {
		i := strings.LastIndexByte(p, ':')
		if i < 0 {
			break
		}
		fmt.Sscan(p[i+1:], n) // not a number: 0
		p = p[:i]
	}
	return p, line, column
}
