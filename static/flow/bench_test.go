package flow_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/static/flow"
	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/static/points"
)

// generated writes a program of native actors: each of n types handles n/4 types of messages, keeps references to
// others, and has helpers. The number of lines is about 250 a type.
func generated(t testing.TB, n int) (dir string, lines int) {
	t.Helper()
	var b strings.Builder
	b.WriteString("package big\n\nimport (\n\t\"testing\"\n\n\t\"github.com/rehearse-go/rehearse/actor\"\n\t\"github.com/rehearse-go/rehearse/explore\"\n)\n\n")
	for i := range n {
		fmt.Fprintf(&b, "type m%d struct {\n\tn    int\n\tback actor.Ref\n\tdata []int\n}\n\n", i)
	}
	for i := range n {
		fmt.Fprintf(&b, "type a%d struct {\n\tpeers []actor.Ref\n\tnamed map[string]actor.Ref\n\tlast  actor.Ref\n\tcount int\n\tseen  []m%d\n}\n\n", i, i)
		fmt.Fprintf(&b, "func (a *a%d) Receive(ctx *actor.Context, msg any) {\n\tswitch msg := msg.(type) {\n", i)
		for j := range n / 4 {
			k := (i + j) % n
			fmt.Fprintf(&b, "\tcase m%d:\n\t\ta.count += msg.n\n\t\ta.last = msg.back\n\t\tif a.count > %d {\n\t\t\ta.handle%d(ctx, msg)\n\t\t}\n", k, j, j)
		}
		b.WriteString("\t}\n}\n\n")
		for j := range n / 4 {
			k := (i + j) % n
			fmt.Fprintf(&b, "func (a *a%d) handle%d(ctx *actor.Context, msg m%d) {\n", i, j, k)
			fmt.Fprintf(&b, "\tfor i, p := range a.peers {\n\t\tif i > msg.n {\n\t\t\tctx.Send(p, m%d{n: i, back: ctx.Self()})\n\t\t}\n\t}\n", (k+1)%n)
			fmt.Fprintf(&b, "\tif len(msg.data) > 0 {\n\t\tctx.Send(msg.back, m%d{n: len(msg.data), back: a.last})\n\t}\n", (k+2)%n)
			fmt.Fprintf(&b, "\ttotal := 0\n\tfor _, d := range msg.data {\n\t\ttotal += d\n\t}\n\ta.count += total\n\ta.named[\"last\"] = msg.back\n}\n\n")
		}
	}
	b.WriteString("func TestBig(t *testing.T) {\n\tactor.New(func(t *explore.T, ctx *actor.Context) {\n")
	for i := range n {
		fmt.Fprintf(&b, "\t\tr%d := &a%d{named: map[string]actor.Ref{}}\n\t\tp%d := ctx.Spawn(r%d)\n", i, i, i, i)
	}
	for i := range n {
		fmt.Fprintf(&b, "\t\tr%d.peers = append(r%d.peers, p%d, p%d)\n\t\tctx.Send(p%d, m%d{n: 1, back: p%d})\n", i, i, (i+1)%n, (i+7)%n, i, i, (i+3)%n)
	}
	b.WriteString("\t})\n}\n")
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	mod := "module big\n\ngo 1.25.0\n\nrequire github.com/rehearse-go/rehearse v0.0.0\n\nrequire github.com/huandu/go-clone v1.7.3 // indirect\n\nreplace github.com/rehearse-go/rehearse => " + root + "\n"
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": mod, "go.sum": string(sum), "big_test.go": b.String(), "doc.go": "package big\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOWORK", "off")
	return dir, strings.Count(b.String(), "\n")
}

// peak samples the memory in use while f runs, and gives the most in bytes: heap with what is not collected yet, stacks
// and the runtime's own.
func peak(f func()) uint64 {
	runtime.GC()
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}, {Name: "/memory/classes/heap/free:bytes"}}
	most, stop, stopped := uint64(0), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for tick := time.NewTicker(2 * time.Millisecond); ; {
			metrics.Read(sample)
			most = max(most, sample[0].Value.Uint64()-sample[1].Value.Uint64()-sample[2].Value.Uint64())
			select {
			case <-stop:
				tick.Stop()
				return
			case <-tick.C:
			}
		}
	}()
	f()
	close(stop)
	<-stopped
	return most
}

// measure loads and analyses, and reports what that took.
func measure(b *testing.B, dir string, patterns ...string) {
	var g *flow.Graph
	var w points.Work
	var loading, building time.Duration
	var most uint64
	if _, err := (load.Config{Dir: dir, Patterns: patterns}).Load(); err != nil {
		// the go command builds and keeps what is not there
		b.Fatal(err)
	}
	for b.Loop() {
		most = max(most, peak(func() {
			start := time.Now()
			p, err := load.Config{Dir: dir, Patterns: patterns}.Load()
			if err != nil {
				b.Fatal(err)
			}
			loaded := time.Now()
			if g, w, err = flow.Measure(p, flow.Config{}); err != nil {
				b.Fatal(err)
			}
			loading, building = loading+loaded.Sub(start), building+time.Since(loaded)
		}))
	}
	b.ReportMetric(float64(loading.Milliseconds())/float64(b.N), "ms-load/op")
	b.ReportMetric(float64(building.Milliseconds())/float64(b.N), "ms-build/op")
	b.ReportMetric(float64(most>>20), "MB-peak")
	b.ReportMetric(float64(len(g.Actors)), "nodes")
	b.ReportMetric(float64(len(g.Edges)), "edges")
	b.ReportMetric(float64(w.Functions), "contexts")
	b.ReportMetric(float64(w.Instructions), "constraints")
	b.ReportMetric(float64(w.Looked), "looked")
	b.ReportMetric(float64(w.Grown), "propagations")
	b.ReportMetric(float64(w.Grown)*float64(b.N)/building.Seconds(), "propagations/s")
}

// BenchmarkGraph is loading and analysis, when what the go command keeps is there. The bound is 2 s and 300 MB.
func BenchmarkGraph(b *testing.B) {
	b.Run("generated", func(b *testing.B) {
		dir, lines := generated(b, 40)
		if lines < 10000 {
			b.Fatalf("%d lines", lines)
		}
		measure(b, dir, ".")
	})
	b.Run("examples", func(b *testing.B) { measure(b, "../../examples", "./...") })
	b.Run("subjects", func(b *testing.B) { measure(b, "../..", "./subjects") })
	b.Run("protoactor", func(b *testing.B) {
		measure(b, "../../examples", "github.com/asynkron/protoactor-go/actor", "github.com/asynkron/protoactor-go/router", "github.com/asynkron/protoactor-go/scheduler",
			"github.com/asynkron/protoactor-go/eventstream", "github.com/asynkron/protoactor-go/persistence", "github.com/asynkron/protoactor-go/plugin")
	})
}

// What an analysis does is bounded by counts, which no other load of the machine changes. Looking at an instruction
// more than once is for what has grown since; a function that is run from its beginning each time looks 15 times as
// often.
func TestWork(t *testing.T) {
	dir, _ := generated(t, 40)
	p, err := load.Load(dir, ".")
	whole(t, p, err)
	g, w, err := flow.Measure(p, flow.Config{})
	if err != nil || len(g.Actors) != 41 || len(g.Edges) != 16880 {
		t.Fatalf("%v, %d nodes, %d edges", err, len(g.Actors), len(g.Edges))
	}
	t.Logf("%+v", w)
	for _, c := range []struct {
		what        string
		count, most int
	}{{"functions in contexts", w.Functions, 2_200}, {"instructions", w.Instructions, 380_000}, {"places", w.Places, 18_000},
		{"looks at instructions", w.Looked, 180_000}, {"growths", w.Grown, 145_000}} {
		if c.count > c.most || c.count < c.most/2 {
			t.Errorf("%d %s, want at most %d, and not much less", c.count, c.what, c.most)
		}
	}
}

// When an analysis is done, looking at everything once more adds nothing.
func TestSettled(t *testing.T) {
	programs := map[string]*load.Program{}
	for dir, pattern := range map[string]string{"../../examples": "./...", "../..": "./subjects"} {
		programs[pattern] = read(t, dir, pattern)
	}
	_, _, programs["framework"] = frameworkPrograms(t, "proto")
	for name, p := range programs {
		for _, precision := range []string{flow.Instances, flow.Branches, flow.Baseline} {
			settled, err := flow.Settled(p, flow.Config{Precision: precision})
			if err != nil || !settled {
				t.Errorf("%s, %s: something was not looked at again; %v", name, precision, err)
			}
		}
	}
}
