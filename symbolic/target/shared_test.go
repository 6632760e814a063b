package target_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/trace"
)

// pots begins a file of such programs.
const pots = `package tap

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)
`

// pot is a program whose two actors have the same memory. The line in which the filler writes is a parameter, and the
// names are.
const pot = `
type zzPot struct{ n int }
type zzLid struct{ n int }

type zzFiller struct {
	pot *zzPot
	lid *zzLid
}

func (f *zzFiller) Receive(_ *actor.Context, msg any) {
	if n, ok := msg.(int); ok {
		WRITE
	}
}

type zzTaker struct{ pot *zzPot }

func (k *zzTaker) Receive(ctx *actor.Context, msg any) {
	if _, ok := msg.(bool); ok && k.pot.n > 3 {
		ctx.T().Errorf("taken")
	}
}

func ZZ() *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		pot := &zzPot{}
		ctx.Send(ctx.Spawn(&zzFiller{pot: pot, lid: &zzLid{}}), 5)
		ctx.Send(ctx.Spawn(&zzTaker{pot: pot}), true)
	})
}
`

// written reads a package with one more file, and gives the start configuration that its function ZZ makes.
func written(t *testing.T, dir, source string) (*bench, *system.Start) {
	t.Helper()
	b, p := withFile(t, dir, source)
	return b, b.startBy(p, "ZZ")
}

// withFile reads a package with one more file.
func withFile(t *testing.T, dir, source string) (*bench, *system.Program) {
	t.Helper()
	file, err := filepath.Abs(filepath.Join(dir, "zz.go"))
	if err != nil {
		t.Fatal(err)
	}
	loaded, store, solver := readAs(t, load.Config{Dir: dir, Patterns: []string{"."}, NoTests: true, Overlay: map[string][]byte{file: []byte(source)}})
	p := system.New(loaded, store, solver)
	return &bench{t, loaded, store, target.New(loaded, p.Summaries(), store, p)}, p
}

// startBy gives the start configuration that a function of a name makes.
func (b *bench) startBy(p *system.Program, name string) *system.Start {
	b.t.Helper()
	for _, fn := range b.loaded.Functions() {
		if fn.Name() == name && fn.Signature.Recv() == nil {
			s, err := p.Start(b.t.Context(), p.DriversOf(fn)[0], system.Config{})
			if err != nil {
				b.t.Fatal(err)
			}
			return s
		}
	}
	b.t.Fatalf("there is no function %s", name)
	return nil
}

// TestSharedMemory: an actor that reads what another one may write behind a pointer makes an exhausted search
// inconclusive. What is written elsewhere does not.
func TestSharedMemory(t *testing.T) {
	cases := []struct {
		write string
		want  target.Verdict
	}{
		{"f.pot.n = n", target.GaveUp},
		{"*f.pot = zzPot{n}", target.GaveUp},
		{"f.lid.n = n", target.Infeasible},
		{"f.lid = &zzLid{n}", target.Infeasible},
		{"p := &f.pot.n; *p = n", target.GaveUp},
	}
	source := pots
	for i, c := range cases { // all in one file, since reading a package takes longer than the search
		text := strings.Replace(pot, "WRITE", c.write, 1)
		source += strings.NewReplacer("zz", fmt.Sprint("zz", i), "ZZ", fmt.Sprint("ZZ", i)).Replace(text)
	}
	b, p := withFile(t, "../../subjects/tap", source)
	for i, c := range cases {
		goal := b.calls(fmt.Sprintf("zz%dTaker", i), "", "Errorf")
		a, err := b.engine.Reach(t.Context(), b.startBy(p, fmt.Sprint("ZZ", i)), goal, target.Config{Model: trace.Bag, Steps: 3, Without: target.Parts{Judge: true}})
		if err != nil {
			t.Fatal(err)
		}
		if a.Verdict != c.want {
			t.Errorf("%s: %v %q, want %v", c.write, a.Verdict, a.Reasons, c.want)
		}
	}
}
