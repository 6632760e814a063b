package effects

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/facts"
)

// This file explores the examples, programs of protoactor-go most of them, with and without facts. Their tests know how
// to build them, so a test is added to those of each example, which prints what it sees.

var wanted = flag.String("examples", "", "explore these examples (names with commas, or all) instead of the first one")

// example is one program of the examples: its package, what it is explored with, and the expressions that make it with
// its bug and without.
type example struct{ pkg, config, buggy, fixed string }

var examples = []example{
	{"overdraft", "overdrawn", "payments(false)", "payments(true)"},
	{"bank", "overtaken", "day(trusting)", "day(ordered)"},
	{"barber", "slept", "morning(false)", "morning(true)"},
	{"chameneos", "rehearse.Config{}", "", "meetings(3, 2)"},
	{"deadlock", "stuck", "morning(false)", "morning(true)"},
	{"failover", "early", "opening(false)", "opening(true)"},
	{"gatling", "flushed", "load(false)", "load(true)"},
	{"lostsub", "lost", "opening(false)", "opening(true)"},
	{"messenger", "unread", "chat(false)", "chat(true)"},
	{"metering", "unbilled", "hamlet(false)", "hamlet(true)"},
	{"pi", "rehearse.Config{}", "", "computed(4)"},
	{"procreg", "untold", "takeover(false)", "takeover(true)"},
	{"quicksort", "rehearse.Config{}", "", "sorted(81, 28, 47, 38, 97, 98)"},
	{"restart", "emptied", "campaign(false)", "campaign(true)"},
	{"retry", "lossy", "load(false)", "load(true)"},
	{"server", "differ", "reads(false)", "reads(true)"},
	{"threadring", "overtaken", "round(false)", "round(true)"},
	{"timeout", "raced", "purchase(false)", "purchase(true)"},
}

// exploring is the added test. Faults are left out: under them facts do not count.
const exploring = `package %s_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse"
)

func TestExplored(t *testing.T) {
	for _, sys := range []struct {
		name string
		make func() rehearse.System
	}{
%s	} {
		for _, model := range []rehearse.Model{rehearse.Bag, rehearse.FIFO} {
			for _, strategy := range strings.Fields(%q) {
				for _, facts := range []string{"off", %q} {
					if strategy == "trans/FIFO" && facts != "off" {
						continue // it has no use for them
					}
					cfg := %s
					cfg.Model, cfg.Strategy, cfg.Facts, cfg.Budget, cfg.Timers, cfg.Faults, cfg.Expect = model, strategy, facts, "%dx", rehearse.Quiescent, "", nil
					r, err := rehearse.Explore(cfg, sys.make())
					if err != nil {
						t.Errorf("%%s, %%v, %%s, facts %%s: %%v", sys.name, model, strategy, facts, err)
						continue
					}
					var keys []string
					for _, f := range r.Findings {
						keys = append(keys, f.Violation.Key())
					}
					slices.Sort(keys)
					fmt.Printf("ROW\t%%s\t%%v\t%%s\t%%t\t%%d\t%%t\t%%q\t%%s\n", sys.name, model, strategy, facts != "off", r.Executions, r.Complete, keys, r.Facts)
				}
			}
		}
	}
}
`

// explored is what one exploration showed.
type explored struct {
	executions int
	complete   bool
	violations string
	said       string
}

// cell is a place in the tables.
type cell struct {
	version, model, strategy string
	facts                    bool
}

// explore runs the added test of an example.
func (x example) explore(t *testing.T, strategies string, budget int) map[cell]explored {
	t.Helper()
	dir, err := filepath.Abs("../../examples/" + x.pkg)
	if err != nil {
		t.Fatal(err)
	}
	return x.exploreIn(t, dir, strategies, budget)
}

// exploreIn is explore for a program in a folder.
func (x example) exploreIn(t *testing.T, dir, strategies string, budget int) map[cell]explored {
	t.Helper()
	temp := t.TempDir()
	var systems strings.Builder
	for _, v := range [][2]string{{"with the bug", x.buggy}, {"fixed", x.fixed}} {
		if v[1] != "" {
			fmt.Fprintf(&systems, "\t\t{%q, func() rehearse.System { return %s }},\n", v[0], v[1])
		}
	}
	test := filepath.Join(temp, "added.go")
	text := fmt.Sprintf(exploring, x.pkg, systems.String(), strategies, writeFacts(t, dir, temp), x.config, budget)
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(dir, "zz_explored_test.go"): test}})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{test: []byte(text), filepath.Join(temp, "overlay.json"): overlay} {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "test", "-count=1", "-vet=off", "-timeout=30m", "-overlay", filepath.Join(temp, "overlay.json"), "-run", "^TestExplored$", "-v", ".")
	cmd.Dir = dir
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "REHEARSE_") })
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", x.pkg, err, out)
	}
	return parseRows(t, string(out))
}

// writeFacts analyses the package in a folder, and keeps what is found in another one.
func writeFacts(t *testing.T, dir, temp string) (path string) {
	t.Helper()
	f, folder, err := Facts(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	for i := range f.Sources {
		at := filepath.Join(folder, filepath.Dir(facts.Place), filepath.FromSlash(f.Sources[i].Dir))
		rel, err := filepath.Rel(temp, at)
		if err != nil {
			t.Fatal(err)
		}
		f.Sources[i].Dir = filepath.ToSlash(rel)
	}
	path = filepath.Join(temp, "facts")
	if err := os.WriteFile(path, f.Marshal(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func parseRows(t *testing.T, out string) map[cell]explored {
	t.Helper()
	rows := map[cell]explored{}
	for line := range strings.Lines(out) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if f[0] != "ROW" {
			continue
		}
		x := explored{complete: f[6] == "true", violations: f[7], said: f[8]}
		if _, err := fmt.Sscan(f[5], &x.executions); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		rows[cell{f[1], f[2], f[3], f[4] == "true"}] = x
	}
	return rows
}

// With facts and without, whatever explores an example finds the same, and `optimal` never has more to execute. Without
// -examples only the first one is explored.
func TestSavedByExamples(t *testing.T) {
	list := examples[:1]
	if *wanted != "" {
		list = slices.DeleteFunc(slices.Clone(examples), func(x example) bool { return *wanted != "all" && !slices.Contains(strings.Split(*wanted, ","), x.pkg) })
	}
	table, err := os.ReadFile("../../docs/selection.md")
	if err != nil {
		t.Fatal(err)
	}
	saved := 0
	for _, x := range list {
		rows := x.explore(t, "source optimal trans/FIFO select", 20_000)
		if len(rows) == 0 {
			t.Errorf("%s: nothing was explored", x.pkg)
		}
		for c, with := range rows {
			if !c.facts {
				continue
			}
			c.facts = false
			without := rows[c]
			where := fmt.Sprintf("%s %s, %s, %s", x.pkg, c.version, c.model, c.strategy)
			if !strings.HasPrefix(with.said, "facts of ") {
				t.Errorf("%s: %q is said of the facts", where, with.said)
			}
			if with.complete && without.complete && with.violations != without.violations {
				t.Errorf("%s: with facts %s was found, without %s", where, with.violations, without.violations)
			}
			// select leaves something else out where it has no facts (docs/selection.md).
			if without.complete && !with.complete || with.executions > without.executions && c.strategy == "optimal" {
				t.Errorf("%s: %d executions with facts, %d without", where, with.executions, without.executions)
			}
			saved += max(0, without.executions-with.executions)
		}
		x.told(t, rows, string(table))
	}
	if saved == 0 && *wanted == "" {
		t.Error("facts save nothing")
	}
}

// told compares the rows of an example with those of docs/selection.md, and prints them: executions, with a + where
// there are more.
func (x example) told(t *testing.T, rows map[cell]explored, table string) {
	t.Helper()
	columns := []struct {
		strategy string
		facts    bool
	}{{"trans/FIFO", false}, {"select", false}, {"select", true}, {"optimal", false}, {"optimal", true}}
	said := map[string]bool{}
	for _, version := range []string{"with the bug", "fixed"} {
		if version == "with the bug" && x.buggy == "" {
			continue
		}
		line := map[string]string{}
		for _, model := range []string{"bag", "fifo"} {
			for _, c := range columns {
				r := rows[cell{version, model, c.strategy, c.facts}]
				line[model] += fmt.Sprintf(" %d", r.executions)
				if !r.complete {
					line[model] += "+"
				}
				line[model] += " |"
				said[r.said] = c.facts
			}
		}
		models := []string{"`bag`", "`fifo`"}
		if line["bag"] == line["fifo"] {
			models = []string{"`bag`, `fifo`"}
		}
		for _, m := range models {
			of, _, _ := strings.Cut(strings.TrimPrefix(m, "`"), "`")
			row := fmt.Sprintf("| %s, %s | %s |%s", x.pkg, version, m, line[of])
			if t.Log(row); !strings.Contains(table, row+"\n") {
				t.Errorf("docs/selection.md has another row, or none, than %s", row)
			}
		}
	}
	for s, with := range said {
		if with {
			t.Logf("%s: %s", x.pkg, s)
		}
	}
}
