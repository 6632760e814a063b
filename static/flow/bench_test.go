package flow_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/static/flow"
	"github.com/rehearse-go/rehearse/static/load"
)

// generated writes a program of native actors: each of n types handles n/4 types of messages, keeps references to others, and has
// helpers. The number of lines is about 250 a type.
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

// measure loads and analyses, and reports what that took; the bytes are those that stay.
func measure(b *testing.B, dir string, patterns ...string) {
	var g *flow.Graph
	var loading time.Duration
	var memory runtime.MemStats
	for b.Loop() {
		start := time.Now()
		p, err := load.Config{Dir: dir, Patterns: patterns}.Load()
		if err != nil {
			b.Fatal(err)
		}
		loading += time.Since(start)
		if g, err = flow.Build(p, flow.Config{}); err != nil {
			b.Fatal(err)
		}
		runtime.ReadMemStats(&memory)
	}
	b.ReportMetric(float64(loading.Milliseconds())/float64(b.N), "ms-load/op")
	b.ReportMetric(float64(memory.Sys>>20), "MB")
	b.ReportMetric(float64(len(g.Actors)), "nodes")
	b.ReportMetric(float64(len(g.Edges)), "edges")
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
