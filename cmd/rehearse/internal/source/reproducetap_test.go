package source

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/symbolic/reachtest"
)

var updateTAP = flag.Bool("update", false, "write the counts that samples of targets have")

// tapCounts is what a setting makes of a sample.
type tapCounts struct{ Targets, Covered, Infeasible, Spurious, Unfollowed int }

// tapSample is a sample of targets, with a file of what each setting makes of it.
type tapSample struct {
	file, module string
	args         []string
	packages     []string
}

// Of a sample of targets each setting covers about as many as it did, and claims nothing that the program does not do.
// More are taken with REHEARSE_TOY=1: all settings, and programs of Savina. REHEARSE_TOY=2 adds more of the examples.
func TestTAP(t *testing.T) {
	samples := []tapSample{{"tapfew.json", "examples", []string{"-settings=ours,H+F", "-sample=6", "-steps=200"},
		[]string{"./bank"}}}
	switch os.Getenv("REHEARSE_TOY") {
	case "":
	default:
		samples = append(samples, tapSample{"tap50.json", "examples", []string{"-sample=50", "-steps=150"},
			[]string{"./bank", "./overdraft", "./threadring", "./messenger", "./lostsub"}})
		fallthrough
	case "1":
		samples = append(samples,
			tapSample{"tapall.json", "examples", []string{"-sample=12", "-steps=150"}, []string{"./bank", "./overdraft"}},
			tapSample{"tapsavina.json", "savina",
				[]string{"-settings=ours", "-drivers=./starts", "-model=fifo", "-sample=50", "-steps=60"},
				[]string{"./pingpong", "./threadring", "./fib"}})
	}
	for _, sample := range samples {
		t.Run(sample.file, func(t *testing.T) {
			golden, err := filepath.Abs(filepath.Join("testdata", sample.file))
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(filepath.Join("..", "..", "..", "..", sample.module))
			args := slices.Concat([]string{"-tests=false", "-json", "-counts"}, sample.args, []string{"tap"}, sample.packages)
			compareTAP(t, golden, countTAP(t, reproducedTAP(t, args)))
		})
	}
}

// countTAP counts what settings make of a sample. What the paper's engine covers ours has to cover.
func countTAP(t *testing.T, results []*tapResult) map[string]*tapCounts {
	t.Helper()
	got := map[string]*tapCounts{}
	for _, m := range beyond(results) {
		if m.missing() {
			t.Errorf("%s: %s covers it by %d messages, and ours does not: %s", m.ours.Target, m.theirs.Setting,
				m.theirs.Messages, m.ours.Why)
		}
	}
	for _, r := range results {
		c := got[r.Setting]
		if c == nil {
			c = &tapCounts{}
			got[r.Setting] = c
		}
		c.Targets++
		c.Spurious += r.Spurious
		c.Unfollowed += r.Unfollowed
		switch r.Verdict {
		case verdictCovered:
			c.Covered++
		case verdictInfeasible:
			c.Infeasible++
		}
		if r.Late {
			t.Errorf("%s, %s: the clock has ended the search, so its counts do not repeat", r.Setting, r.Target)
		}
	}
	return got
}

// What a search for a target costs in each setting, and what it covers.
func BenchmarkTAP(b *testing.B) {
	b.Chdir(filepath.Join("..", "..", "..", "..", "examples"))
	for _, setting := range tapSettings() {
		b.Run(setting, func(b *testing.B) {
			var sum tapSum
			for b.Loop() {
				sum = sumTAP(reproducedTAP(b, []string{"-tests=false", "-json", "-sample=20", "-settings=" + setting, "tap",
					"./bank", "./overdraft"}), setting, func(*tapResult) bool { return true })
			}
			b.ReportMetric(float64(sum.Covered), "covered")
			b.ReportMetric(float64(sum.Spurious), "spurious")
			b.ReportMetric(float64(sum.Unfollowed), "unfollowed")
			b.ReportMetric(float64(sum.Steps), "steps")
			b.ReportMetric(float64(sum.Queries), "queries")
			b.ReportMetric(1000*sum.Median, "ms-search/target")
		})
	}
}

// tapSlack is how many targets fewer may be covered: a search that takes another turn needs more steps for some, and
// fewer for others.
const tapSlack = 2

// compareTAP compares counts with those that are kept.
func compareTAP(t *testing.T, golden string, got map[string]*tapCounts) {
	t.Helper()
	if *updateTAP {
		data, err := json.MarshalIndent(got, "", "\t")
		if err == nil {
			err = os.WriteFile(golden, append(data, '\n'), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]*tapCounts
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want))) {
		t.Fatalf("the settings are %v, want %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
	for setting, w := range want {
		if g := got[setting]; g.Targets != w.Targets || g.Covered+tapSlack < w.Covered || g.Spurious > w.Spurious ||
			g.Unfollowed > w.Unfollowed {
			t.Errorf("%s: %+v, want at least %+v", setting, *g, *w)
		} else if *g != *w {
			t.Logf("%s: %+v, and %+v is kept: write it with -update", setting, *g, *w)
		}
	}
}

// reproducedTAP runs the command, which tells each target before it comes to the end of its package: who interrupts it
// has what was found until then.
func reproducedTAP(t testing.TB, args []string) (list []*tapResult) {
	t.Helper()
	var said strings.Builder
	out := lineWriter(func(line []byte) {
		r := &tapResult{}
		if err := json.Unmarshal(line, r); err != nil {
			t.Fatal(err)
		}
		if list = append(list, r); strings.Contains(said.String(), r.Package+": of ") {
			t.Errorf("%s, %s: told only when all of its package was done", r.Setting, r.Target)
		}
	})
	if code := reproduceCommand.Run(args, cli.Streams{Out: out, Err: &said}); code != cli.ExitOK {
		t.Fatalf("exit code %d\n%s", code, said.String())
	}
	t.Log(said.String())
	return list
}

// lineWriter is called with each line, which has to be written at once.
type lineWriter func(line []byte)

func (f lineWriter) Write(line []byte) (int, error) {
	f(line)
	return len(line), nil
}

// What a setting of the paper's engine covers, ours has to cover with as many messages to as many actors.
func TestTAPTwin(t *testing.T) {
	of := func(setting, target, verdict string, messages, actors int) *tapResult {
		return &tapResult{Setting: setting, Target: target, Verdict: verdict, Messages: messages, Actors: actors}
	}
	list := beyond([]*tapResult{
		of(ours, "same", verdictCovered, 3, 2), of("H1", "same", verdictCovered, 3, 2),
		of(ours, "fewer", verdictCovered, 2, 2), of("H1", "fewer", verdictCovered, 3, 2),
		of(ours, "more", verdictCovered, 5, 2), of("H1", "more", verdictCovered, 9, 2),
		of("H2", "more", verdictCovered, 4, 2),
		of(ours, "missing", verdictUnconfirmed, 0, 0), of("H1", "missing", verdictGaveUp, 0, 0),
		of("H2", "missing", verdictCovered, 1, 1),
		of(ours, "neither", verdictGaveUp, 0, 0), of("H1", "neither", verdictUnconfirmed, 0, 0),
	})
	var got []string
	for _, m := range list {
		got = append(got, fmt.Sprint(m.ours.Target, " ", m.theirs.Setting, " ", m.missing()))
	}
	if want := []string{"missing H2 true", "more H2 false"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Tests of generated files say nothing of what systems execute.
func TestTAPGenerated(t *testing.T) {
	r := &tapRun{}
	var err error
	if r.dir, err = filepath.Abs(filepath.Join("..", "..", "..", "..", "examples")); err != nil {
		t.Fatal(err)
	}
	p, err := r.project(t.Context(), cli.Streams{Out: io.Discard, Err: io.Discard},
		"github.com/rehearse-go/rehearse/examples/bank")
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	names := p.generated()
	if !slices.Contains(names, "TestClient_Deposit") || slices.Contains(names, "TestBank") {
		t.Errorf("%q", names)
	}
}

// Spurious is what was executed in its order and is not reached. Where no counter tells, or the order was not followed,
// it is not.
func TestTAPConcludes(t *testing.T) {
	for _, tt := range []struct {
		o      reachtest.Outcome
		unsure bool
		want   string
	}{
		{reachtest.Outcome{Covered: true}, true, "covered 0 0 0 0"},
		{reachtest.Outcome{Why: "not executed"}, false, "not confirmed 1 0 0 0"},
		{reachtest.Outcome{Why: "not executed"}, true, "not confirmed 0 0 0 1"},
		{reachtest.Outcome{Why: "another way", Unfollowed: true}, false, "not confirmed 0 1 0 0"},
		{reachtest.Outcome{Why: "another way", Unfollowed: true}, true, "not confirmed 0 0 0 1"},
		{reachtest.Outcome{Why: "no counter", Uncounted: true}, false, "not counted 0 0 1 0"},
		{reachtest.Outcome{Why: "no counter", Uncounted: true}, true, "not counted 0 0 1 0"},
	} {
		x := &pursuit{result: &tapResult{Verdict: verdictInfeasible}, unsure: tt.unsure}
		x.conclude(&tt.o)
		if r := x.result; fmt.Sprint(r.Verdict, " ", r.Spurious, " ", r.Unfollowed, " ", r.Uncounted, " ",
			r.Unsure) != tt.want || r.Why != tt.o.Why {
			t.Errorf("%+v, unsure %v: %+v, want %s", tt.o, tt.unsure, r, tt.want)
		}
	}
}
