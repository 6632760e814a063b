package freerun

import (
	"maps"
	"slices"
	"testing"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/rehearse-go/rehearse/trace"
)

// passing is a program in which the test sends A a letter, stops it, and sends it another one.
func passing() *program {
	return &program{feature: endings, roots: []int{0, 1}, hops: 1,
		first: []deed{{what: "send", typ: 0}, {what: "stop"}, {what: "send", typ: 1}}}
}

// The second letter passes the stop, on native actors and on protoactor-go, and under naive and the reductions.
func TestLetterPassesStop(t *testing.T) {
	for _, tt := range []struct {
		model trace.Model
		want  []string
	}{{trace.Mailbox, []string{"", "A: 0", "A: 0 2"}}, {trace.MailboxSerial, []string{""}}, {trace.FIFO, []string{""}}} {
		for _, strategy := range []string{"naive", "source", "optimal", "auto"} {
			theirs, err := explored(passing(), tt.model, map[string]logs{}).Show(strategy)
			ours, errs := exploredNative(passing(), tt.model).Show(strategy)
			if err != nil || errs != nil {
				t.Fatal(err, errs)
			}
			if !slices.Equal(theirs.Ends(), tt.want) || !slices.Equal(ours.Ends(), tt.want) || !theirs.Exhausted || !ours.Exhausted {
				t.Errorf("%s under %s: protoactor-go comes to %q, native actors to %q, want %q", strategy, tt.model, theirs.Ends(), ours.Ends(), tt.want)
			}
		}
	}
}

// So it does on the plain framework, if the mailbox of A waits when it has looked for a system message; not if it waits
// before it looks. Both are among what is explored.
func TestPlainLetterPassesStop(t *testing.T) {
	all := map[string]logs{}
	if _, err := explored(passing(), trace.Mailbox, all).Show("naive"); err != nil {
		t.Fatal(err)
	}
	for _, late := range []bool{true, false} {
		c, g := newCast(passing()), &gates{}
		c.options = func(path string) []actor.PropsOption {
			return (&door{gates: g, path: path, late: func() bool { return late }}).options()
		}
		opened := 0
		end := c.run(t, func(test func()) {
			g.set(true)
			c.world.pause = func(d deed, name string) { g.pass(d.what, name) }
			go test()
			g.drive(func(waiting []gate) int {
				// The letter, the mailbox, which handles it, all else that the test does, and the mailbox again.
				opened++
				i := slices.IndexFunc(waiting, func(g gate) bool { return g.ofMailbox() == (opened == 2) })
				return max(i, 0)
			})
		}).String()
		want := "A: 0"
		if late {
			want = "A: 0 2"
		}
		if _, ok := all[end]; end != want || !ok {
			t.Errorf("late %v: the plain framework comes to %q, want %q; explored are %q", late, end, want, slices.Sorted(maps.Keys(all)))
		}
	}
}

// A handler that waits for an answer looks when it is over, so that a letter that came meanwhile does not pass a stop
// that came before it.
func TestLetterOfTheWaitPassesNothing(t *testing.T) {
	p := &program{feature: endings, roots: []int{0, 1}, hops: 2, first: []deed{{what: "send", typ: 0}}}
	p.handlers[0][0] = []deed{{what: "call", to: 1}}
	p.handlers[1][0] = []deed{{what: "stop"}, {what: "send", typ: 1}, {what: "respond"}}
	want := []string{"A: 0 0.0? =0.0.2; B: 0.0"}
	theirs, err := explored(p, trace.Mailbox, map[string]logs{}).Show("naive")
	ours, errs := exploredNative(p, trace.Mailbox).Show("naive")
	if err != nil || errs != nil || !slices.Equal(theirs.Ends(), want) || !slices.Equal(ours.Ends(), want) {
		t.Errorf("protoactor-go comes to %q, native actors to %q, want %q; %v, %v", theirs.Ends(), ours.Ends(), want, err, errs)
	}
}

// Gates alone lead to each order of these programs, of which draws hardly ever come to some. In the first a mailbox has
// handled that it is watched and found no other system message, when it is told to stop and sent a letter: the letter
// passes the stop. In the second that is so of a child that has just started.
func TestGatesLeadToAll(t *testing.T) {
	for seed, orderCount := range map[uint64]int{396: 2, 237: 14} {
		p := draw(seed, features)
		all, named := orders(t, p)
		if named || len(all) != orderCount {
			t.Errorf("seed %d: %d orders, want %d; named %t", seed, len(all), orderCount, named)
		}
		for end, to := range all {
			if !steer(t, p, to, 1000) {
				t.Errorf("no gates lead to %s\n%s", end, p)
			}
		}
	}
}
