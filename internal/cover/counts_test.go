package cover

import (
	"fmt"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// marking has some receives change their actor's handlers: toys have none that change.
type marking struct{ *Star }

func (m marking) Learn(tr *trace.Trace, cut bool) {
	mark(tr)
	m.Star.Learn(tr, cut)
}

// counted explores random programs with everything under a model, and gives what f says of all runs together.
func counted(t *testing.T, model trace.Model, run func(seed uint64) explore.Strategy) (executed explore.Counters) {
	t.Helper()
	losses, err := trace.ParseFaults("all")
	if err != nil {
		t.Fatal(err)
	}
	features := []toy.Features{toy.Full, pure, toy.Answers}
	for seed := range uint64(72) {
		p := toy.Random(30_000+seed, features[seed%3])
		c := explore.Conditions{Model: model, Timers: toy.TimerModes[seed/3%2]}
		if seed%4 == 3 {
			c.Faults = losses
		}
		o := explore.Options{Conditions: c, Budget: explore.Budget{Executions: 25}}
		out, err := explore.Run(toy.NewSystem(p), run(seed), o)
		if err != nil {
			t.Fatal(err)
		}
		executed.Executions += out.Executions
		executed.Deliveries += out.Deliveries
		executed.Depth = max(executed.Depth, out.Depth)
	}
	return executed
}

// TestCounts: whoever changes a count says why. What is right the paper's text knows (plain_test.go), not they.
func TestCounts(t *testing.T) {
	for model, want := range map[trace.Model][2]string{
		trace.Bag:           {"[447 233 408] [169 90 160] 1800 6547 217 44298 10927 28 86 44 5568", "246 1297 174 19"},
		trace.FIFO:          {"[382 192 328] [102 56 100] 1800 6521 167 35788 11621 10 56 13 5531", "208 1168 137 17"},
		trace.Causal:        {"[365 184 311] [84 44 84] 1800 6465 153 33357 11926 11 24 34 5423", "159 913 87 11"},
		trace.Mailbox:       {"[388 196 325] [93 50 92] 1800 6564 164 44107 11725 8 346 17 5553", "188 1061 117 116"},
		trace.MailboxSerial: {"[337 154 265] [52 22 52] 1800 6500 119 30141 12133 3 8 6 5427", "140 790 68 0"},
	} {
		var stars []*Star
		c := counted(t, model, func(seed uint64) explore.Strategy {
			s := NewStar(seed, &sample.DefaultOrder{}, sample.NewPOS(seed, causal.Accesses{}))
			stars = append(stars, s)
			return marking{s}
		})
		var goals, covered [criteria]int
		bases, sizes, turns, tries, helped, dropped, words := 0, 0, 0, 0, 0, 0, 0
		for _, s := range stars {
			for c := range Criterion(criteria) {
				goals[c] += s.o.Count(c)
				covered[c] += s.o.Covered(c)
			}
			for _, b := range s.bases {
				sizes += b.size
			}
			bases, turns, tries, words = bases+len(s.bases), turns+s.turns, tries+len(s.tries), words+s.o.words
			helped, dropped = helped+s.follower.Helped, dropped+s.follower.Dropped
		}
		got := fmt.Sprint(goals, covered, c.Executions, c.Deliveries, bases, sizes, turns, tries, helped, dropped, words)
		if got != want[0] {
			t.Errorf("%v: goals, covered pairs, executions, deliveries, bases and their sizes, turns, tries, steps that "+
				"helped and were dropped, words:\n%s\nwant %s", model, got, want[0])
		}
		var literals []*Literal
		c = counted(t, model, func(seed uint64) explore.Strategy {
			l := NewLiteral(sample.NewRandom(seed))
			literals = append(literals, l)
			return changing{l}
		})
		schedules, stalled := 0, 0
		for _, l := range literals {
			schedules, stalled = schedules+l.Schedules, stalled+l.Stalled
		}
		if got := fmt.Sprint(c.Executions, c.Deliveries, schedules, stalled); got != want[1] {
			t.Errorf("%v: executions, deliveries, schedules, those that stalled: %s, want %s", model, got, want[1])
		}
	}
}
