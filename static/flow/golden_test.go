package flow_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/static/flow"
	"github.com/rehearse-go/rehearse/static/load"
)

var update = flag.Bool("update", false, "write the graphs in testdata anew; then look at what has changed")

// text is a graph as the goldens have it: every actor with its handlers, and every edge without its place in the file.
func text(g *flow.Graph, pkg string) string {
	var b strings.Builder
	has := map[*flow.Actor]bool{}
	for _, a := range g.Actors {
		if a.Pkg != pkg && a.Pkg != pkg+"_test" && !strings.HasSuffix(a.Pkg, "/protoactor-go/router") &&
			!strings.HasSuffix(a.Pkg, "/hollywood/actor") && !strings.HasSuffix(a.Pkg, "/goakt/v4/actor") {
			continue
		}
		has[a] = true
		fmt.Fprintf(&b, "%s", a.Name)
		for _, h := range a.Handlers {
			fmt.Fprintf(&b, " %s", short(h.Message))
			if !h.Known {
				b.WriteString("?")
			}
		}
		if a.Default {
			b.WriteString(" default")
		}
		if a.Receptionist {
			b.WriteString(" receptionist")
		}
		if a.Around != "" {
			fmt.Fprintf(&b, ", around it %s", a.Around)
		}
		for _, m := range a.Made {
			fmt.Fprintf(&b, ", which makes %s", short(m))
		}
		b.WriteString("\n")
	}
	for _, e := range g.Edges {
		if !has[e.From] && !has[e.To] {
			continue
		}
		fmt.Fprintf(&b, "%s -> %s: %s %s", short(e.From.Name), short(e.To.Name), e.Kind, short(e.Message))
		if e.In != "" {
			fmt.Fprintf(&b, " in %s", short(e.In))
		}
		fmt.Fprintf(&b, ", conditions %d", e.Conditions)
		if e.Blocking {
			fmt.Fprintf(&b, ", blocking, timeout %t", e.Timeout)
		}
		for _, l := range e.Labels {
			if strings.Contains(l, "=") {
				fmt.Fprintf(&b, ", %s", l)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// programsRead are the programs that several tests look at.
var programsRead = map[string]*load.Program{}

// read loads packages, once for all tests of this run: that takes longer than an analysis, which leaves a program as it
// is.
func read(t *testing.T, dir string, patterns ...string) *load.Program {
	t.Helper()
	key := dir + " " + strings.Join(patterns, " ")
	if programsRead[key] == nil {
		p, err := load.Load(dir, patterns...)
		whole(t, p, err)
		programsRead[key] = p
	}
	return programsRead[key]
}

// only gives the part of a program that one package and its tests drive.
func only(p *load.Program, path string) *load.Program {
	part := *p
	part.Packages = nil
	for _, pkg := range p.Packages {
		if strings.TrimSuffix(pkg.PkgPath, "_test") == path {
			part.Packages = append(part.Packages, pkg)
		}
	}
	return &part
}

func short(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// goldenName is the path of a package below its module, or below examples, in one word.
func goldenName(path string) string {
	path = strings.TrimPrefix(strings.TrimPrefix(path, "github.com/rehearse-go/rehearse/"), "examples/")
	return strings.ReplaceAll(path, "/", "-")
}

// The graphs of the examples and the subjects are those in testdata: no edge is missing, and none is there that was not
// looked at. Those that cannot happen are listed in testdata/README.md.
func TestGoldens(t *testing.T) {
	for _, c := range []struct{ dir, pattern string }{{"../../examples", "./..."}, {"../..", "./subjects"}} {
		p := read(t, c.dir, c.pattern)
		seen := map[string]bool{}
		for _, pkg := range p.Packages {
			path := strings.TrimSuffix(pkg.PkgPath, "_test")
			if seen[path] || !pkg.Root || strings.Contains(path, "/internal/") {
				continue
			}
			seen[path] = true
			g, err := flow.Build(only(p, path), flow.Config{})
			if err != nil || len(g.Partial) > 0 {
				t.Fatalf("%v, missing %q", err, g.Partial)
			}
			golden(t, filepath.Join("testdata", goldenName(path)+".txt"), text(g, path))
		}
		if len(seen) == 0 {
			t.Errorf("%s: no actors", c.pattern)
		}
	}
}

// The analyses differ as the paper's table 2 says they may: the same actors, and every edge and label of a better one
// is in the worse one.
func TestPrecisions(t *testing.T) {
	for _, c := range []struct{ dir, pattern string }{{"../../examples", "./..."}, {"../..", "./subjects"}} {
		p := read(t, c.dir, c.pattern)
		var better map[string]bool
		for _, precision := range []string{flow.Instances, flow.Branches, flow.Baseline} {
			g, err := flow.Build(p, flow.Config{Precision: precision})
			if err != nil {
				t.Fatal(err)
			}
			edges, labels := map[string]bool{}, 0
			for _, e := range g.Edges {
				edges[fmt.Sprint(e.Kind, e.From.Name, e.To.Name, e.Message, e.Pos)] = true
				labels += len(e.Labels)
			}
			for e := range better {
				if !edges[e] {
					t.Errorf("%s: %s lacks an edge of a better one: %s", c.pattern, precision, e)
				}
			}
			better = edges
			t.Logf("%s, %s: %d nodes, %d edges, %d between places, %d labels", c.pattern, precision, len(g.Actors), len(g.Edges), len(edges), labels)
		}
	}
}
