package parallel

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/dpor"
	"github.com/rehearse-go/rehearse/internal/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// divided is a strategy that divides another one's search all the time: so many workers take turns, execution by execution, each with an
// item of its own; after an execution a worker divides what it has with some probability. Now and then all of them die, and the tally is
// made anew from what a file would hold. It is what Run and its workers do, in one process and in any order.
type divided struct {
	make    func() explore.Joiner
	rnd     *rand.Rand
	workers []*simulated
	often   int // of a hundred executions after which a worker divides what it has
	at      *simulated
	cond    explore.Conditions
	tally   *Tally
	reports []*Report // from which the tally becomes what it is
	deaths  int       // of a hundred executions before which all die
	fails   func(error)
	items   int
	owed    int
	died    int
}

// simulated is a worker.
type simulated struct {
	explore.Joiner
	item int // 0: it has none
}

func newDivided(make func() explore.Joiner, seed uint64, workers, often int, fails func(error)) *divided {
	d := &divided{make: make, rnd: rand.New(rand.NewPCG(seed, 7)), often: often, fails: fails}
	d.tally, _ = begun(make().Join)
	d.reports = []*Report{d.tally.snapshot()}
	for range workers {
		d.workers = append(d.workers, &simulated{})
	}
	return d
}

func (d *divided) Name() string { return "divided" }

func (d *divided) Fits(c explore.Conditions) error {
	d.cond = c
	return d.make().(explore.Fitter).Fits(c)
}

// free are the open items that nobody executes.
func (d *divided) free() []int {
	return slices.DeleteFunc(d.tally.ids(), func(id int) bool {
		return slices.ContainsFunc(d.workers, func(w *simulated) bool { return w.item == id })
	})
}

func (d *divided) Start() bool {
	if d.rnd.IntN(100) < d.deaths {
		d.die()
	}
	for len(d.tally.open) > 0 {
		w := d.workers[d.rnd.IntN(len(d.workers))]
		if w.item == 0 && !d.take(w) {
			continue
		}
		if w.Start() {
			d.at = w
			return true
		}
		d.report(w, nil)
	}
	return false
}

// take gives the worker an item, if there is one.
func (d *divided) take(w *simulated) bool {
	free := d.free()
	if len(free) == 0 {
		return false
	}
	w.item = free[d.rnd.IntN(len(free))]
	d.items++
	p := d.tally.open[w.item]
	item, err := p.item()
	w.Joiner = d.make()
	if err == nil {
		err = w.Take(item)
	}
	if err == nil {
		err = w.Joiner.(explore.Fitter).Fits(d.cond)
	}
	if err != nil {
		d.fails(err)
	}
	return true
}

func (d *divided) report(w *simulated, rest []explore.Item) {
	r := &Report{Done: []int{w.item}}
	for _, item := range rest {
		r.New = append(r.New, newPart(item))
	}
	if w.Start() {
		d.fails(fmt.Errorf("it goes on"))
	}
	r.owe(w.Owed())
	d.owed += len(r.Owed)
	r.Sum.Classes = w.Joiner.(explore.ClassCounter).Classes()
	r.Sum.Unsound = !w.Complete()
	d.tally.number(r)
	d.reports = append(d.reports, r)
	d.add(r)
	w.item, w.Joiner = 0, nil
}

// add adds a report to the tally as it is after it was written and read.
func (d *divided) add(r *Report) {
	b, err := json.Marshal(r)
	again := &Report{}
	if err == nil {
		err = json.Unmarshal(b, again)
	}
	if err == nil {
		_, err = d.tally.add(again)
	}
	if err != nil {
		d.fails(err)
	}
}

// die forgets all but the reports. Sometimes they are written anew as one.
func (d *divided) die() {
	for _, w := range d.workers {
		w.item, w.Joiner = 0, nil
	}
	if d.died++; d.rnd.IntN(2) == 0 {
		d.reports = []*Report{d.tally.snapshot()}
	}
	d.tally = newTally(d.make().Join)
	for _, r := range d.reports {
		d.add(r)
	}
}

func (d *divided) Open(x explore.Execution) { d.at.Joiner.(explore.Opener).Open(x) }

func (d *divided) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	return d.at.Choose(tr, enabled)
}

func (d *divided) Learn(tr *trace.Trace, cut bool) {
	w := d.at
	w.Learn(tr, cut)
	if v := w.Joiner.(explore.Diverger).Divergence(); v != nil {
		d.fails(fmt.Errorf("%s", v.Text))
	}
	if d.rnd.IntN(100) < d.often {
		d.report(w, w.Split(math.MaxInt))
	}
}

func (d *divided) Complete() bool { return len(d.tally.open) == 0 && !d.tally.Sum.Unsound }
func (d *divided) Classes() int   { return d.tally.Sum.Classes }

// TestDivided: however often source is divided, and in whatever order its items are executed, by one worker or by three in turns, it
// executes every class, and counts each once, also if all of them die now and then.
func TestDivided(t *testing.T) {
	effects := toy.Full
	effects.Effects = true
	for _, model := range toy.Models {
		cases, _, err := toy.Cases(toy.CompareOptions{Models: []trace.Model{model}, Features: toy.Full, Programs: 50, Limit: 300})
		if err != nil {
			t.Fatal(err)
		}
		more, _, err := toy.Cases(toy.CompareOptions{Models: []trace.Model{model}, Timers: toy.TimerModes[:1], Features: effects, Programs: 30, Limit: 300})
		cases = append(cases, more...)
		for _, faults := range []string{"drop", "crash,restart:2"} {
			f, err := trace.ParseFaults(faults)
			if err != nil {
				t.Fatal(err)
			}
			more, _, err := toy.Cases(toy.CompareOptions{Models: []trace.Model{model}, Faults: f, Features: toy.Features{Senders: true}, Programs: 15, Limit: 300})
			if err != nil {
				t.Fatal(err)
			}
			cases = append(cases, more...)
		}
		if err != nil {
			t.Fatal(err)
		}
		items, owed, died, executions, classes := 0, 0, 0, 0, 0
		for i := range cases {
			for _, how := range []struct{ workers, often, deaths int }{{1, 100, 0}, {3, 100, 0}, {3, 30, 0}, {3, 70, 10}} {
				var d *divided
				make := func() explore.Strategy {
					d = newDivided(func() explore.Joiner { return dpor.NewSource(nil) }, uint64(i), how.workers, how.often,
						func(err error) { t.Fatalf("%s: %v", &cases[i], err) })
					d.deaths = how.deaths
					return d
				}
				c, err := toy.CompareOn(cases[i:i+1], make, toy.Cover)
				if err != nil {
					t.Fatalf("%d workers, dividing after %d%%: %v", how.workers, how.often, err)
				}
				if got := d.Classes(); got != cases[i].Want.Classes {
					t.Fatalf("%s: %d classes counted by %d workers, dividing after %d%%, want %d", &cases[i], got, how.workers, how.often, cases[i].Want.Classes)
				}
				items, owed, died, executions, classes = items+d.items, owed+d.owed, died+d.died, executions+c.Executions+c.Blocked, classes+c.Known
			}
		}
		if owed == 0 || died == 0 {
			t.Errorf("%s: %d findings for nodes above, %d deaths: the comparison says little", model, owed, died)
		}
		t.Logf("%s: %d programs, %d items, %d findings for nodes above, %d deaths, %d executions, %d classes", model, len(cases), items, owed, died, executions, classes)
	}
}
