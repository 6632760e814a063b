package replay_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// passes is a program with an actor that is sent a, told to stop, and sent b: b may pass the stop. Logged is what the
// actor got.
func passes(logged *string) explore.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		*logged = ""
		var a actor.Ref
		t.SetUp(func() { a = ctx.Spawn(actor.Func(func(_ *actor.Context, msg any) { *logged += msg.(string) })) })
		ctx.Send(a, "a")
		ctx.StopActor(a)
		ctx.Send(a, "b")
	})
}

// A schedule in which b passes the stop is repeated. If only that b is handled is forced, it passes too, but not in
// schedules of the time when no message passed a system message: there the stop comes first, and b is stale. Nothing
// that is not forced passes.
func TestReplayPasses(t *testing.T) {
	var logged string
	var forced []trace.Forced
	o := explore.Options{Conditions: explore.Conditions{Model: trace.Mailbox}}
	o.After = func(_ *explore.Counters, tr *trace.Trace) {
		if logged == "ab" {
			forced = tr.Schedule()
		}
	}
	sys := passes(&logged)
	if _, err := explore.Run(sys, search.NewNaive(), o); err != nil || forced == nil {
		t.Fatal("no execution passes", err)
	}
	o.After = nil
	isB := func(f trace.Forced) bool { return f.Kind == trace.Deliver && f.ID == forced[len(forced)-2].ID }
	var arrivals, b []trace.Forced
	for _, f := range forced {
		switch {
		case isB(f):
			b = append(b, f)
		case f.Kind == trace.Send || len(arrivals) == 1:
			arrivals = append(arrivals, f)
		}
	}
	late := append(arrivals[:len(arrivals):len(arrivals)], trace.Forced{ID: trace.ID{Hi: 1}, Optional: true},
		forced[len(forced)-1])
	for _, tt := range []struct {
		name  string
		steps []trace.Forced
		want  string
	}{{"all", forced, "ab"}, {"nothing", nil, ""},
		{"arrivals and b", append(arrivals[:len(arrivals):len(arrivals)], b...), "ab"}, {"arrivals", arrivals, "a"},
		{"what never comes and the stop", late, "a"}} {
		r := replay.New(tt.steps)
		if _, err := explore.Run(sys, r, o); err != nil || logged != tt.want || len(r.Stale()) > 0 {
			t.Errorf("%s: logged %q, want %q; %v, %v", tt.name, logged, tt.want, r.Stale(), err)
		}
	}
	// What began a handler released its first send then.
	x, err := replay.Split(sys, o, append(arrivals[1:len(arrivals):len(arrivals)], b...))
	if err != nil || logged != "a" || len(x.Stale) != 1 || x.Stale[0].Step.ID != b[0].ID {
		t.Errorf("as it was then: logged %q, want a; %v, want b alone; %v", logged, x.Stale, err)
	}
}
