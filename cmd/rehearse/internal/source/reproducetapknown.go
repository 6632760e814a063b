package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/reachtest"
	"github.com/rehearse-go/rehearse/symbolic/target"
)

// tapKnown says which blocks the tests of a package execute.
type tapKnown struct {
	without map[*ssa.BasicBlock]bool // with no injected fault
	with    map[*ssa.BasicBlock]bool // with any
}

// What is known of a target.
const (
	knownExecuted = "executed" // without injected faults
	knownFaults   = "faults"   // with these only
	// only where the adapter ends an execution whose actors wait for each other: the program does not do that
	knownEnding = "ending"
)

// of says what is known of a target. Of panics nothing is: that their block is executed does not say that it panics.
func (k *tapKnown) of(t *target.Listed) string {
	switch {
	case t.Panic:
	case k.without[t.Block]:
		return knownExecuted
	case k.with[t.Block]:
		return knownFaults
	}
	return ""
}

// tapExecutions is how many executions each Check of a test makes.
const tapExecutions = "200x"

// learn runs the tests of the package, which explore orders: without injected faults, and with two of any kind in each
// execution.
func (p *tapProject) learn(ctx context.Context, s cli.Streams) (err error) {
	p.known = tapKnown{map[*ssa.BasicBlock]bool{}, map[*ssa.BasicBlock]bool{}}
	if p.run.executed != "" {
		return p.profiled()
	}
	if !p.run.faults {
		return nil
	}
	began := time.Now()
	for _, run := range []struct {
		faults string
		set    map[*ssa.BasicBlock]bool
	}{{"off", p.known.without}, {"all:2", p.known.with}} {
		if err := p.executed(ctx, run.faults, run.set); err != nil {
			return err
		}
	}
	fmt.Fprintf(s.Err, "%s: its tests ran in %.1f s\n", p.path, time.Since(began).Seconds())
	return nil
}

// profiled has a coverage profile say which blocks are executed.
func (p *tapProject) profiled() error {
	f, err := os.Open(p.run.executed)
	if err != nil {
		return fmt.Errorf("-executed: %w: `go test -coverpkg=./... -coverprofile=%s` writes such a file", err, p.run.executed)
	}
	defer f.Close()
	list, err := p.lister.Executed(f)
	for _, t := range list {
		p.known.without[t.Block] = true
	}
	return err
}

// executed adds the blocks that the tests execute, some of which may fail with other faults than theirs.
func (p *tapProject) executed(ctx context.Context, faults string, set map[*ssa.BasicBlock]bool) error {
	out := filepath.Join(p.scratch, "cover.out")
	os.Remove(out) // of the run before
	args := []string{"test", "-short", "-vet=off", "-ldflags=-s", "-timeout=5m", "-coverprofile=" + out, "-coverpkg=" + strings.Join(p.paths, ",")}
	if names := p.generated(); len(names) > 0 {
		args = append(args, "-skip=^("+strings.Join(names, "|")+")$")
	}
	cmd := exec.CommandContext(ctx, "go", append(args, p.paths...)...)
	cmd.Dir, cmd.Env = p.dir, append(os.Environ(), "REHEARSE_SAVE=off", "REHEARSE_FAULTS="+faults, "REHEARSE_BUDGET="+tapExecutions, "REHEARSE_KEEP_GOING=1")
	said, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return fmt.Errorf("go test: %w", err)
	}
	data, err := os.ReadFile(out)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("the tests of %s do not run, so what they execute is not known: mend them, or leave this out "+
			"with -tests=false\n%s", p.path, failures(said))
	}
	if err != nil || bytes.Count(data, []byte("\n")) < 2 { // it has no statements
		return err
	}
	list, err := p.lister.Executed(bytes.NewReader(data))
	for _, t := range list {
		set[t.Block] = true
	}
	return err
}

// generated lists the tests of generated files. They call handlers by themselves, with messages and states that no
// system may come to.
func (p *tapProject) generated() (names []string) {
	for _, pkg := range p.loaded.Packages {
		if !slices.Contains(p.paths, pkg.PkgPath) || len(pkg.GoFiles) == 0 {
			continue
		}
		// the program was read without them
		files, _ := filepath.Glob(filepath.Join(filepath.Dir(pkg.GoFiles[0]), "*_test.go"))
		for _, name := range files {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil || !ast.IsGenerated(file) {
				continue
			}
			for _, decl := range file.Decls {
				if fn, ok := decl.(*ast.FuncDecl); ok && strings.HasPrefix(fn.Name.Name, "Test") &&
					!slices.Contains(names, fn.Name.Name) {
					names = append(names, fn.Name.Name)
				}
			}
		}
	}
	return names
}

// goCommand runs the go command, and gives what it prints.
func goCommand(dir string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return "", fmt.Errorf("go %s: %s", args[0], strings.TrimSpace(string(exit.Stderr)))
	}
	return string(out), err
}

// whereOf is the line of a panic, "" where it may be anywhere.
func whereOf(p *load.Program, at *reachtest.Line) string {
	if at.Kind == "" || !at.Pos.IsValid() {
		return ""
	}
	pos := p.Fset.Position(at.Pos)
	return fmt.Sprintf("%s:%d", filepath.Base(pos.Filename), pos.Line)
}

var (
	placeIn  = regexp.MustCompile(`[\w./-]+\.go:\d+(:\d+)?(: )?`)
	quotedIn = regexp.MustCompile(`"[^"]*"|\(?\*?[\w./-]*[./][\w.)$]*\w`)
	numberIn = regexp.MustCompile(`\d+`)
)

// reasonOf is the class of a reason: without what differs from place to place.
func reasonOf(verdict, why string) string {
	if verdict == verdictInfeasible {
		return ""
	}
	text := placeIn.ReplaceAllString(why, "")
	text = quotedIn.ReplaceAllString(text, "X")
	text = numberIn.ReplaceAllString(text, "N")
	if len(text) > 90 {
		text = text[:90]
	}
	return strings.TrimSpace(text)
}
