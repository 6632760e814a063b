package cover

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// plain is the paper's text, definition by definition and line by line, on lists. It knows pure actors under bag and
// fifo.
type plain struct {
	rec, sender []int32 // by event: actors
	sends       [][]int // by event: the events that receive what it sends
	creates     []map[int32]bool
	cmh         []bool
	must        [][]bool
	achieved    map[[2]int]bool // O: r_i ->cr r_j
	cr          Criterion
}

// newPlain makes the paper's view of an execution: events are its receives.
func newPlain(tr *trace.Trace, fifo bool) *plain {
	p := &plain{}
	number := map[int32]int{} // by event of the trace
	var events []int
	for e := range tr.Events {
		if Asynchronous(tr, e) {
			number[int32(e)] = len(events)
			events = append(events, e)
		}
	}
	n := len(events)
	p.sends, p.creates = make([][]int, n), make([]map[int32]bool, n)
	for i, e := range events {
		m := &tr.Messages[tr.Events[e].Step.Message]
		p.rec, p.sender = append(p.rec, m.Receiver), append(p.sender, m.Sender)
		p.cmh = append(p.cmh, tr.Events[e].Changes)
		if k, ok := number[m.SentBy]; ok {
			p.sends[k] = append(p.sends[k], i)
		}
		p.creates[i] = map[int32]bool{}
		for _, a := range tr.Events[e].Created {
			p.creates[i][a] = true
		}
	}
	p.mustHB(fifo)
	return p
}

// causes is the first two conditions of definition 5.
func (p *plain) causes(i, j int) bool {
	return slices.Contains(p.sends[i], j) || p.creates[i][p.rec[j]]
}

// mustHB is definitions 5 to 7.
func (p *plain) mustHB(fifo bool) {
	n := len(p.rec)
	p.must = make([][]bool, n)
	for i := range n {
		p.must[i] = make([]bool, n)
		for j := i + 1; j < n; j++ {
			p.must[i][j] = p.causes(i, j) || fifo && p.sender[i] == p.sender[j] && p.rec[i] == p.rec[j]
			for k := i + 1; k < j; k++ {
				if p.rec[i] == p.rec[k] && p.causes(k, j) {
					p.must[i][j] = true
				}
			}
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				if p.must[i][k] && p.must[k][j] {
					p.must[i][j] = true
				}
			}
		}
	}
}

// goals are those that a schedule achieves: definitions 1 to 3.
func (p *plain) goals(s []int) map[[2]int]bool {
	goals := map[[2]int]bool{}
	for i := range s {
		for j := i + 1; j < len(s); j++ {
			if p.rec[s[i]] != p.rec[s[j]] {
				continue
			}
			between, changed := false, false
			for _, k := range s[i+1 : j] {
				if p.rec[k] == p.rec[s[i]] {
					between, changed = true, changed || p.cmh[k]
				}
			}
			switch p.cr {
			case PR:
				goals[[2]int{s[i], s[j]}] = true
			case PCR:
				if !between {
					goals[[2]int{s[i], s[j]}] = true
				}
			case PMR:
				if (p.cmh[s[i]] || p.cmh[s[j]]) && !changed {
					goals[[2]int{s[i], s[j]}] = true
				}
			}
		}
	}
	return goals
}

func (p *plain) isCrRelated(i, j int) bool {
	return p.rec[i] == p.rec[j] && (p.cr != PMR || p.cmh[i] || p.cmh[j])
}

// generateSchedules is algorithm 1.
func (p *plain) generateSchedules(cr Criterion) (schedules [][]int) {
	p.cr = cr
	s := make([]int, len(p.rec))
	for i := range s {
		s[i] = i
	}
	p.achieved = p.goals(s)
	put := func(out []int) {
		schedules = append(schedules, out)
		for g := range p.goals(out) {
			p.achieved[g] = true
		}
	}
	for i := range s {
		for j := i + 1; j < len(s); j++ {
			if p.isCrRelated(s[i], s[j]) && !p.must[s[i]][s[j]] {
				if !p.achieved[[2]int{s[i], s[j]}] {
					put(p.schedule(s, i, j, false))
				}
				if !p.achieved[[2]int{s[j], s[i]}] {
					put(p.schedule(s, i, j, true))
				}
			}
		}
	}
	return schedules
}

// schedule is algorithm 2.
func (p *plain) schedule(s []int, i, j int, swap bool) []int {
	out := slices.Clone(s[:i])
	for k := i + 1; k < j; k++ {
		if p.must[s[k]][s[j]] {
			out = append(out, s[k])
		}
	}
	if swap {
		out = append(out, s[j], s[i])
	} else {
		out = append(out, s[i], s[j])
	}
	var tail []int
	if p.cr == PR {
		tail = append(tail, out[len(out)-1])
	}
	for _, k := range s {
		if !slices.Contains(out, k) && !p.must[s[i]][k] && !p.must[s[j]][k] {
			tail = append(tail, k)
		}
	}
	return p.scheduleTail(out, tail, p.cr == PR)
}

// scheduleTail is algorithm 3. The tail begins with the last event of the prefix under PR.
func (p *plain) scheduleTail(prefix, t []int, shared bool) []int {
	for i := range t {
		for j := i + 1; j < len(t); j++ {
			if p.isCrRelated(t[i], t[j]) && !p.must[t[i]][t[j]] {
				before := prefix
				if shared {
					before = prefix[:len(prefix)-1]
				}
				whole := append(slices.Clone(before), t...)
				if !p.achieved[[2]int{t[i], t[j]}] {
					return p.schedule(whole, i+len(before), j+len(before), false)
				} else if !p.achieved[[2]int{t[j], t[i]}] {
					return p.schedule(whole, i+len(before), j+len(before), true)
				}
			}
		}
	}
	return prefix
}

// pure is the programs that the paper's guarantees are about: no constraints, calls or stops.
var pure = toy.Features{Spawn: true, Senders: true}

// traceOf executes a program once, by a random walk.
func traceOf(t testing.TB, p *toy.Program, model trace.Model, seed uint64) (tr *trace.Trace) {
	t.Helper()
	o := explore.Options{Conditions: explore.Conditions{Model: model}, Budget: explore.Budget{Executions: 1},
		After: func(_ *explore.Counters, x *trace.Trace) { tr = x.Clone() }}
	if _, err := explore.Run(toy.NewSystem(p), sample.NewRandom(seed), o); err != nil {
		t.Fatal(err)
	}
	return tr
}

// mark has some receives change their actor's handlers: which ones is decided by their identity.
func mark(tr *trace.Trace) {
	for e := range tr.Events {
		tr.Events[e].Changes = tr.Events[e].Step.ID.Lo%3 == 0
	}
}

func TestSchedulesAreThoseOfThePaper(t *testing.T) {
	count := 0
	for seed := range uint64(3000) {
		model := []trace.Model{trace.Bag, trace.FIFO}[seed%2]
		tr := traceOf(t, toy.Random(seed, pure), model, seed)
		if len(tr.Events) > 40 {
			continue
		}
		mark(tr)
		text := newPlain(tr, model == trace.FIFO)
		for c := range Criterion(criteria) {
			want := text.generateSchedules(c)
			o := NewAchieved()
			o.Observe(tr)
			g := newGenerator(newBase(tr, model, o), o, c)
			var got [][]int
			var seqs []sequence
			for out := g.next(); out != nil && len(got) <= len(want); out = g.next() {
				seqs = g.achieve(out, seqs)
				var s []int
				for _, p := range out {
					s = append(s, int(p))
				}
				got = append(got, s)
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("seed %d, %v, %v:\n got %v\nwant %v\n%s", seed, model, c, got, want, toy.Random(seed, pure))
			}
			count += len(want)
		}
	}
	if count < 10_000 {
		t.Errorf("%d schedules compared: the programs show too little", count)
	}
	t.Logf("%d schedules", count)
}
