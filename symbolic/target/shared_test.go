package target_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/trace"
)

// pot is a program whose two actors have the same memory. The line in which the filler writes is a parameter.
const pot = `package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

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
	file, err := filepath.Abs(filepath.Join(dir, "zz.go"))
	if err != nil {
		t.Fatal(err)
	}
	loaded, store, solver := readAs(t, load.Config{Dir: dir, Patterns: []string{"."}, NoTests: true, Overlay: map[string][]byte{file: []byte(source)}})
	p := system.New(loaded, store, solver)
	for _, fn := range loaded.Functions() {
		if fn.Name() == "ZZ" && fn.Signature.Recv() == nil {
			s, err := p.Start(t.Context(), p.DriversOf(fn)[0], system.Config{})
			if err != nil {
				t.Fatal(err)
			}
			return &bench{t, loaded, store, target.New(loaded, p.Summaries(), store, p)}, s
		}
	}
	t.Fatal("there is no function ZZ")
	return nil, nil
}

// TestSharedMemory: an actor that reads what another one may write behind a pointer makes an exhausted search inconclusive. What is written elsewhere does not.
func TestSharedMemory(t *testing.T) {
	for write, want := range map[string]target.Verdict{
		"f.pot.n = n":           target.GaveUp,
		"*f.pot = zzPot{n}":     target.GaveUp,
		"f.lid.n = n":           target.Infeasible,
		"f.lid = &zzLid{n}":     target.Infeasible,
		"p := &f.pot.n; *p = n": target.GaveUp,
	} {
		b, s := written(t, "../../subjects/tap", strings.NewReplacer("WRITE", write, "package subjects", "package tap").Replace(pot))
		a, err := b.engine.Reach(t.Context(), s, b.calls("zzTaker", "", "Errorf"), target.Config{Model: trace.Bag, Steps: 3, Without: target.Parts{Judge: true}})
		if err != nil {
			t.Fatal(err)
		}
		if a.Verdict != want {
			t.Errorf("%s: %v %q, want %v", write, a.Verdict, a.Reasons, want)
		}
	}
}
