package target_test

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/trace"
)

// locked is a program with lines that nothing leads to, each for another reason.
const locked = `package tap

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

type zzKey struct{ n int }
type zzNeverSent struct{}
type zzTick struct{}

type zzDoor struct {
	opened bool
	tries  int
	log    []int
}

func (d *zzDoor) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case zzKey:
		if d.tries > 20 {
			ctx.T().Logf("tried often")
		}
		if msg.n >= 0 {
			d.tries++
		}
		if d.opened {
			ctx.T().Helper()
		}
		if len(d.log) > 1 {
			ctx.Unhandled()
		}
	case zzNeverSent:
		ctx.T().Errorf("who sent that?")
	}
}

func ZZ() *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) { ctx.Send(ctx.SpawnNamed("door", &zzDoor{}), zzKey{1}) })
}
`

// TestNearest: what is not found names the nearest point, the condition that does not hold there, in the words of the
// source, and what would help.
func TestNearest(t *testing.T) {
	b, s := written(t, "../../subjects/tap", locked)
	for name, want := range map[string]target.Nearest{
		"Logf": {
			Steps:  []string{"door handles tap.zzKey from outside"},
			Blocks: []string{"door, when it handles tap.zzKey wants d.tries >= 21 (zz.go:21), and d.tries is 0 there"},
			Help:   "more than 3 messages (-steps), if it can be reached at all: d.tries is written when door handles tap.zzKey",
		},
		"Helper": {
			Steps:  []string{"door handles tap.zzKey"},
			Blocks: []string{"door, when it handles tap.zzKey wants d.opened (zz.go:27), and d.opened is false at all times"},
			Help:   "another start, or a driver that sends other messages",
		},
		"Unhandled": {
			Steps:  []string{"door handles tap.zzKey"},
			Blocks: []string{"door, when it handles tap.zzKey wants len(d.log) >= 2 (zz.go:30), and len(d.log) is 0 at all times"},
			Help:   "another start, or a driver that sends other messages",
		},
		"Errorf": {
			Steps:  []string{"door handles tap.zzNeverSent"},
			Blocks: []string{"no handler that may run here, and no driver, sends tap.zzNeverSent to door"},
			Help:   "a driver that sends it",
		},
	} {
		t := b.calls("zzDoor", "", name)
		a, err := b.engine.Reach(b.t.Context(), s, &target.Target{Goal: system.Goal{Block: t.Block}}, target.Config{Model: trace.Bag, Usual: true, Steps: 3, Without: target.Parts{Judge: true}})
		if err != nil || a.Nearest == nil {
			b.t.Fatal(name, err, a.Verdict, a.Why)
		}
		if got := *a.Nearest; !slices.Equal(got.Steps, want.Steps) || !slices.Equal(got.Blocks, want.Blocks) || got.Help != want.Help {
			b.t.Errorf("%s: %v\n%q,\nwant\n%q", name, a.Verdict, got, want)
		}
	}
}
