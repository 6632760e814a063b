package subjects

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/trace"
)

// untilBug explores until the bug is found, and gives the number of executions; false: not within the budget.
func untilBug(t *testing.T, sys *actor.System, model trace.Model, kind trace.ViolationKind, s explore.Strategy,
	budget int) (executions int, found bool) {
	t.Helper()
	out, err := explore.Run(sys, s, explore.Options{
		Conditions: explore.Conditions{Model: model, Copy: true}, Budget: explore.Budget{Executions: budget},
		Check: &check.Checker{},
		Found: func(f explore.Found) bool {
			for _, v := range f.Violations {
				if v.Kind != kind {
					t.Errorf("found %v (%s), want %v only", v.Kind, v.Text, kind)
				}
			}
			found = true
			return false
		}})
	if err != nil {
		t.Fatal(err)
	}
	return out.Executions, found
}

// TestBita: how hard it is to find the bugs. The counts are ours; a change of them is one of the programs, of the
// default order, or of the strategies. walk: seeds of 20 that find the bug within 1,000 executions, and the sum of
// those executions.
func TestBita(t *testing.T) {
	want := map[string]struct{ optimal, seeds, walk int }{
		"gatling(1)": {2, 20, 69}, "gatling(10)": {3, 20, 70}, "flushdeep(3,8)": {2, 16, 5338}, "checkerr(1)": {7, 20, 2909},
		"checkerr(3)": {174, 19, 5723},
		"barber(6,4)": {2, 20, 131}, "procreg(5,3)": {409, 20, 202}, "threadring(20)": {2, 0, 0},
		"lostsub(6,2)": {3, 20, 4891}, "messenger(6)": {1699, 20, 98},
		"twoflags(4)": {5, 20, 1849},
	}
	for _, p := range Bita() {
		sys := p.Make()
		if _, found := untilBug(t, sys, p.Model, p.Kind, &sample.DefaultOrder{}, 1); found {
			t.Errorf("%s: the bug shows in the default order", p.Name)
		}
		if p.Large {
			continue
		}
		s, err := strategies.New("optimal", 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		got := want[p.Name]
		got.optimal, _ = untilBug(t, sys, p.Model, p.Kind, s, 10_000)
		got.seeds, got.walk = 0, 0
		for seed := range uint64(20) {
			if executions, found := untilBug(t, sys, p.Model, p.Kind, sample.NewRandom(seed+1), 1000); found {
				got.seeds++
				got.walk += executions
			}
		}
		if got != want[p.Name] {
			t.Errorf("%s: optimal, seeds and sum of walk are %v, want %v", p.Name, got, want[p.Name])
		}
		t.Logf("%-15s optimal %5d   walk %6.1f [%d]", p.Name, got.optimal,
			float64(got.walk)/float64(max(got.seeds, 1)), got.seeds)
	}
}

// TestBitaSmall: small sizes, completely. Classes under fifo are those of optimal and reverse, schedules those of
// naive; with the bug are so many of them. inProcess: mailbox has the bug, too.
func TestBitaSmall(t *testing.T) {
	type count struct{ all, bad int }
	for _, tt := range []struct {
		name               string
		sys                *actor.System
		classes, schedules count
		inProcess          bool
	}{
		{"gatling(1)", Gatling(1), count{2, 1}, count{4, 2}, false},
		{"gatling(2)", Gatling(2), count{12, 1}, count{184, 104}, false},
		{"flushdeep(2,2)", FlushDeep(2, 2), count{12, 1}, count{348, 152}, false},
		{"checkerr(1)", CheckErr(1), count{7, 1}, count{26, 2}, false},
		{"barber(1,1)", Barber(1, 1), count{3, 2}, count{42, 15}, false},
		{"barber(1,2)", Barber(1, 2), count{168, 128}, count{}, true},
		{"procreg(2,1)", ProcReg(2, 1), count{6, 2}, count{210, 66}, true},
		{"threadring(4)", ThreadRing(4), count{2, 1}, count{5, 1}, false},
		{"lostsub(2,1)", LostSub(2, 1), count{4, 2}, count{60, 12}, false},
		{"messenger(2)", Messenger(2), count{14, 1}, count{1080, 420}, true},
		{"twoflags(2)", TwoFlags(2), count{6, 1}, count{11, 1}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			executed := func(strategy string, model trace.Model) (c count) {
				s, err := strategies.New(strategy, 1, 0)
				if err != nil {
					t.Fatal(err)
				}
				out, err := explore.Run(tt.sys, s,
					explore.Options{Conditions: explore.Conditions{Model: model, Copy: true}, Check: &check.Checker{},
						Found: func(explore.Found) bool { c.bad++; return true }})
				if err != nil || !out.Complete {
					t.Fatalf("%s under %v: complete %v, error %v", strategy, model, out.Complete, err)
				}
				c.all = out.Executions
				return c
			}
			for _, strategy := range []string{"optimal", "reverse"} {
				if got := executed(strategy, trace.FIFO); got != tt.classes {
					t.Errorf("%s executes %v, want %v", strategy, got, tt.classes)
				}
			}
			if tt.schedules.all > 0 {
				if got := executed("naive", trace.FIFO); got != tt.schedules {
					t.Errorf("naive executes %v, want %v", got, tt.schedules)
				}
			}
			if got := executed("optimal", trace.Mailbox); got.bad > 0 != tt.inProcess {
				t.Errorf("under mailbox %d of %d classes have the bug", got.bad, got.all)
			}
		})
	}
}

// late takes the steps in the default order, but deliveries of some kinds, "message to receiver", as late as it can,
// those of the last kind last.
type late struct {
	sample.DefaultOrder
	kinds []string
}

func (l *late) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	best, rank := 0, len(l.kinds)
	for i := range enabled {
		m := &tr.Messages[enabled[i].Message]
		r := slices.Index(l.kinds, m.Type.Name+" to "+tr.Actors[m.Receiver].Type.Name)
		if r < rank || r == rank && enabled[i].Before(&enabled[best]) {
			best, rank = i, r
		}
	}
	return explore.Choice{Index: best}
}

// Pick leaves it to Choose, that of the default order included.
func (*late) Pick(*trace.Trace, explore.Offer) (s trace.Step, c explore.Choice, picked bool) {
	return s, c, false
}

// TestBitaLarge: the bugs of the large programs are there, and optimal finds those that few races hide. (The others
// have so many that learning from one execution takes it minutes.)
func TestBitaLarge(t *testing.T) {
	want := map[string]struct {
		late    []string
		optimal int // executions, 0: not tried
	}{
		"gatling(1000)":      {[]string{"subjects.write to subjects.writer"}, 0},
		"flushdeep(10,1000)": {[]string{"subjects.write to subjects.writer"}, 3},
		"threadring(1000)":   {[]string{"subjects.successor to subjects.ringNode"}, 2},
		"lostsub(1000,8)":    {[]string{"subjects.subscribe to subjects.publisher"}, 0},
		"messenger(1000)":    {[]string{"subjects.logOut to subjects.user", "subjects.deliver to subjects.user"}, 0},
		"twoflags(1000)":     {[]string{"subjects.opened to subjects.flagged"}, 5},
	}
	for _, p := range Bita() {
		if !p.Large {
			continue
		}
		_, err := explore.Run(p.Make(), &sample.DefaultOrder{},
			explore.Options{Conditions: explore.Conditions{Model: p.Model},
				After: func(c *explore.Counters, tr *trace.Trace) {
					if len(tr.Actors) < 1000 || c.Deliveries < 1000 {
						t.Errorf("%s has %d actors and %d deliveries, want 1,000 and more", p.Name, len(tr.Actors), c.Deliveries)
					}
				}})
		if err != nil {
			t.Fatal(err)
		}
		sys, w := p.Make(), want[p.Name]
		if _, found := untilBug(t, sys, p.Model, p.Kind, &late{kinds: w.late}, 1); !found {
			t.Errorf("%s: the bug does not show where %v is late", p.Name, w.late)
		}
		if w.optimal == 0 {
			continue
		}
		s, err := strategies.New("optimal", 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got, found := untilBug(t, sys, p.Model, p.Kind, s, 10); got != w.optimal || !found {
			t.Errorf("%s: optimal finds the bug %v at execution %d, want %d", p.Name, found, got, w.optimal)
		}
	}
}
