package conform

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/agree"
	"github.com/rehearse-go/rehearse/internal/tests/features"
	"github.com/rehearse-go/rehearse/trace"
)

// This file compares random programs on the framework, under control, with what is simpler: native actors, a search
// that leaves nothing out, and the framework as it runs by itself.

// explored is what an exploration of the program is compared by.
func (p *program) explored(model trace.Model, system func(func(*explore.T, Stage)) explore.System) *agree.Program {
	var end string
	return &agree.Program{
		System: system(func(t *explore.T, s Stage) {
			w := p.newWorld(nil)
			t.SetUp(func() { w.setUp(s) })
			t.AtEnd(func() { end = w.end() })
			w.test(s)
		}),
		Conditions: explore.Conditions{Model: model, Horizon: time.Minute, MaxSteps: 1000, Blocked: 10 * time.Second},
		State:      func() string { return end },
		Before:     func() { end = "" },
		Limit:      2000,
	}
}

// controlled is the program on the framework, under control.
func (f *Framework) controlled(p *program, model trace.Model) *agree.Program {
	return p.explored(model, func(test func(*explore.T, Stage)) explore.System { return f.System(test) })
}

// able leaves out the kinds that need what the framework lacks.
func (f *Framework) able(kinds []kind) []kind {
	return slices.DeleteFunc(slices.Clone(kinds), func(k kind) bool { return k.needs != "" && !f.has(k.needs) })
}

// more is how many further random programs there are with REHEARSE_TOY, where 1 has n of them. Of slow frameworks it
// has a third, and 2 has all.
func (f *Framework) more(t *testing.T, n int) int {
	if scale := features.Scale(t); !f.Slow || scale != 1 {
		return n * scale
	}
	return (n + 2) / 3
}

// seeds gives n seeds of programs, the lowest ones of which each kind has one, as far as n is enough.
func seeds(n int, kinds []kind) (list []uint64) {
	var further []uint64
	met := map[string]bool{}
	for seed := uint64(0); len(kinds) > 0 && (len(met) < len(kinds) || len(met)+len(further) < n); seed++ {
		if k := draw(seed, kinds).kind; !met[k] {
			met[k] = true
			list = append(list, seed)
		} else {
			further = append(further, seed)
		}
	}
	list = append(list, further...)
	return list[:min(n, len(list))]
}

// The same program comes to the same orders on native actors and on the framework, under every delivery model.
func (f *Framework) testNative(t *testing.T) {
	programs, compared, orders := 12, 0, 0
	if f.Slow {
		programs = 6
	}
	programs += 5 * features.Scale(t)
	if testing.Short() {
		programs = 4
	}
	for _, seed := range seeds(programs, f.able(kinds)) {
		p := draw(seed, f.able(kinds))
		for _, model := range models {
			theirs, err := f.controlled(p, model).Show("optimal")
			ours, errs := p.explored(model, nativeSystem).Show("optimal")
			switch {
			case err != nil || errs != nil:
				t.Errorf("%v, %v\n%s", err, errs, p)
			case theirs.Exhausted != ours.Exhausted && p.kind != "halts":
				t.Errorf("%s: one is complete\n%s\n%s\n%s", model, ours, theirs, p)
			case !theirs.Exhausted, !ours.Exhausted, late(ours.Ends()):
				// Which calls time out first is not the same: time passes as steps do.
			case !slices.Equal(ours.Ends(), theirs.Ends()):
				t.Errorf("%s: native actors come to\n  %q\n%s to\n  %q\n%s", model, ours.Ends(), f.Name, theirs.Ends(), p)
			default:
				compared++
				orders += len(ours.Ends())
			}
		}
	}
	t.Logf("%d comparisons, %d orders", compared, orders)
	if compared < 2*programs || orders <= compared {
		t.Errorf("too little was compared: %d comparisons, %d orders", compared, orders)
	}
}

// late reports whether calls time out.
func late(ends []string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.Contains(end, "=late") })
}

// On random programs the optimal strategy comes to the classes and ends of the search that leaves nothing out.
func (f *Framework) testStrategies(t *testing.T) {
	programs, compared := 6+f.more(t, 10), 0
	if testing.Short() {
		programs = 2
	}
	for _, kinds := range [][]kind{f.able(drains), f.able(kinds)} {
		for _, seed := range seeds(programs, kinds) {
			p := draw(seed, kinds)
			for _, model := range []trace.Model{trace.Mailbox, trace.MailboxSerial, trace.FIFO} {
				if f.compareStrategies(t, p, model) {
					compared++
				}
			}
		}
	}
	t.Logf("%d comparisons", compared)
	if compared < programs {
		t.Errorf("too little was compared: %d", compared)
	}
}

// compareStrategies reports whether the program was small enough, and the result said that nothing was left out.
func (f *Framework) compareStrategies(t *testing.T, p *program, model trace.Model) (compared bool) {
	t.Helper()
	all, err := f.controlled(p, model).Show("naive")
	if err != nil {
		t.Fatalf("%v\n%s", err, p)
	}
	if !all.Exhausted {
		return false
	}
	optimal, err := f.controlled(p, model).Show("optimal")
	if err != nil {
		t.Fatalf("%v\n%s", err, p)
	}
	if optimal.PassedOver != "" { // calls of several that time out at once
		return false
	}
	if !slices.Equal(optimal.Ends(), all.Ends()) || len(optimal.Classes) != len(all.Classes) {
		t.Errorf("%s: optimal has %d classes and %d ends, naive %d and %d\n%s", model, len(optimal.Classes),
			len(optimal.Ends()), len(all.Classes), len(all.Ends()), p)
	}
	return true
}

// free executes the program on the framework itself, in a bubble, which tells when all is quiet. Its goroutines yield
// before each deed.
func (f *Framework) free(t *testing.T, p *program) (end string) {
	synctest.Test(t, func(*testing.T) {
		s, stop := f.Stock()
		w := p.newWorld(func() {
			for range rand.IntN(4) {
				runtime.Gosched()
			}
		})
		w.setUp(s)
		synctest.Wait()
		go w.test(s)
		time.Sleep(time.Minute) // all calls are over
		synctest.Wait()
		end = w.end()
		time.Sleep(time.Hour) // and those that come of them
		stop()
	})
	return end
}

// What the framework does by itself is among what the mailbox model explores. REHEARSE_TOY=30 compares 620 programs.
func (f *Framework) testPlain(t *testing.T, kinds []kind) {
	programs, runs := 20, 100
	if f.Slow {
		programs, runs = 8, 50
	}
	programs += f.more(t, 20)
	if testing.Short() {
		programs = 5
	}
	compared, named, orders, seen := 0, 0, 0, 0
	for seed := uint64(1000); compared < programs; seed++ {
		p := draw(seed, f.able(kinds))
		all, err := f.controlled(p, trace.Mailbox).Show("optimal")
		if err != nil {
			t.Fatalf("%v\n%s", err, p)
		}
		ends := all.Ends()
		switch {
		case all.PassedOver != "" || all.Beyond != "": // calls of several that time out at once
			named++
			continue
		case !all.Exhausted || len(ends) == 1:
			continue
		}
		compared++
		orders += len(ends)
		came := map[string]bool{}
		for range runs {
			end := f.free(t, p)
			if !slices.Contains(ends, end) {
				t.Fatalf("%s comes to what no exploration does, of %d orders:\n  %s\n%s", f.Name, len(ends), end, p)
			}
			came[end] = true
		}
		seen += len(came)
	}
	t.Logf("%d programs, %d orders explored, %d seen in free runs; of %d more the result names what is left out", compared,
		orders, seen, named)
	if seen <= compared {
		t.Errorf("free runs show too little: %d orders in %d programs", seen, compared)
	}
}
