package cover

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

func newShared(seed uint64) *Shared {
	return NewShared(seed, &sample.DefaultOrder{}, sample.NewPOS(seed, causal.Accesses{}))
}

// parted divides a strategy among so many processes that execute an item each at the same time: what one learns, the
// others are told afterwards. observe is called with each execution.
func parted(t *testing.T, sys explore.System, c explore.Conditions, fresh func() *Shared, parts int,
	observe func(tr *trace.Trace)) {
	t.Helper()
	judge := fresh()
	open, told := []explore.Item{{}}, []byte(nil)
	for len(open) > 0 {
		now, all := open[:min(parts, len(open))], told
		open = slices.Clone(open[len(now):])
		for _, item := range now {
			s := fresh()
			err := s.Tell(told)
			if err == nil {
				err = s.Take(item)
			}
			if err != nil {
				t.Fatal(err)
			}
			out, err := explore.Run(sys, s, explore.Options{Conditions: c,
				After: func(_ *explore.Counters, tr *trace.Trace) { observe(tr) }})
			if err != nil || out.Executions > round || out.Complete {
				t.Fatalf("%+v, %v", out, err)
			}
			open = append(open, s.Split(math.MaxInt)...)
			if b := s.Learned(); b != nil {
				if all, err = judge.Merge(all, b); err != nil {
					t.Fatal(err)
				}
			}
		}
		told, open = all, slices.DeleteFunc(open, judge.Beyond)
	}
}

// seenBy is what is seen in so many executions of a program, by Star or by parts of Shared.
func seenBy(t *testing.T, p *toy.Program, c explore.Conditions, seed uint64, executions, parts int) *Achieved {
	t.Helper()
	o, n := NewAchieved(), 0
	observe := func(tr *trace.Trace) {
		o.Observe(tr)
		n++
	}
	if parts > 0 {
		parted(t, toy.NewSystem(p), c, func() *Shared {
			s := newShared(seed)
			s.Limit(executions)
			return s
		}, parts, observe)
	} else if _, err := explore.Run(toy.NewSystem(p),
		NewStar(seed, &sample.DefaultOrder{}, sample.NewPOS(seed, causal.Accesses{})),
		explore.Options{Conditions: c, Budget: explore.Budget{Executions: executions},
			After: func(_ *explore.Counters, tr *trace.Trace) { observe(tr) }}); err != nil {
		t.Fatal(err)
	}
	if n != executions {
		t.Fatalf("%d executions by %d parts, want %d", n, parts, executions)
	}
	return o
}

// TestSharedCoverage: in rounds, by one process and by four, as many pairs of random programs are seen in both orders
// as by Star, which keeps its bases, within a hundredth.
func TestSharedCoverage(t *testing.T) {
	const budget = 300
	programs := toy.Scale(t, 10)
	c := explore.Conditions{Model: trace.FIFO}
	sums := map[int]*[criteria]int{0: {}, 1: {}, 4: {}}
	for seed := uint64(0); programs > 0; seed++ {
		p := toy.Random(seed, pure)
		if _, ok := feasible(t, p, 1000); !ok {
			continue
		}
		programs--
		for parts, sum := range sums {
			o := seenBy(t, p, c, seed, budget, parts)
			for by, n := range o.covered {
				sum[by] += n
			}
		}
	}
	t.Logf("star %v, one part %v, four parts %v", *sums[0], *sums[1], *sums[4])
	for parts, sum := range sums {
		for by, n := range sum {
			if star := sums[0][by]; n*100 < star*99 {
				t.Errorf("%s: %d pairs by %d parts, %d by Star", Criterion(by), n, parts, star)
			}
		}
	}
}

// TestSharedIsExact: whatever a program does, under all models and with faults, parts make as many executions as the
// budget has.
func TestSharedIsExact(t *testing.T) {
	for seed := range uint64(toy.Scale(t, 30)) {
		c := explore.Conditions{Model: toy.Models[seed%5], Timers: trace.Async,
			Faults: trace.Faults{Max: 1, Kinds: trace.FaultKindsOf(trace.Drop, trace.Crash)}}
		seenBy(t, toy.Random(seed, toy.Full), c, seed, 150+int(seed)*7, 1+int(seed)%5)
	}
}

// TestSharedKnows: what is told is not scheduled again. Where all goals were achieved elsewhere no schedule is made.
func TestSharedKnows(t *testing.T) {
	var p *toy.Program
	var all *Achieved
	for seed, ok := uint64(0), false; !ok; seed++ {
		p = toy.Random(seed, pure)
		all, ok = feasible(t, p, 1000)
	}
	for _, told := range [][]byte{nil, all.encode(nil)} {
		s := newShared(1)
		if err := s.Tell(told); err != nil {
			t.Fatal(err)
		}
		s.Limit(100)
		schedules := 0
		if err := s.Take(explore.Item{}); err != nil {
			t.Fatal(err)
		}
		if _, err := explore.Run(toy.NewSystem(p), s, explore.Options{Conditions: explore.Conditions{Model: trace.FIFO},
			After: func(*explore.Counters, *trace.Trace) {
				if s.turn == nil {
					schedules++
				}
			}}); err != nil {
			t.Fatal(err)
		}
		if b := s.Learned(); told == nil != (b != nil) || told == nil != (schedules > 10) {
			t.Errorf("told %d bytes: %d schedules, %d bytes were learned", len(told), schedules, len(b))
		}
	}
}

// TestSharedRounds: a round begins with the execution of partial-order sampling that has its number, the first of all
// in the default order. Undivided, round follows round.
func TestSharedRounds(t *testing.T) {
	var p *toy.Program
	steps := func(s explore.Strategy, executions int) (all [][]trace.ID) {
		if _, err := explore.Run(toy.NewSystem(p), s, explore.Options{Budget: explore.Budget{Executions: executions},
			After: func(_ *explore.Counters, tr *trace.Trace) {
				var ids []trace.ID
				for e := range tr.Events {
					ids = append(ids, tr.Events[e].Step.ID)
				}
				all = append(all, ids)
			}}); err != nil {
			t.Fatal(err)
		}
		return all
	}
	var inOrder []trace.ID
	var drawn [][]trace.ID
	for seed, some := uint64(0), false; !some; seed++ { // one with many orders
		p = toy.Random(seed, toy.Full)
		inOrder, drawn = steps(&sample.DefaultOrder{}, 1)[0], steps(sample.NewPOS(7, causal.Accesses{}), 2*round+1)
		some = !slices.Equal(inOrder, drawn[round]) && !slices.Equal(drawn[round], drawn[2*round]) &&
			!slices.Equal(drawn[0], drawn[round/2])
	}
	whole := steps(newShared(7), 2*round+1)
	if len(whole) != 2*round+1 || !slices.Equal(whole[0], inOrder) {
		t.Errorf("%d executions; the first in the default order: %v", len(whole), slices.Equal(whole[0], inOrder))
	}
	for _, number := range []int{round, 2 * round} {
		if !slices.Equal(whole[number], drawn[number]) {
			t.Errorf("execution %d begins a round, and is not the one that is drawn for its number", number)
		}
	}
	s := newShared(7)
	item := explore.Item{Rest: binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, round/2), 2*round)}
	if err := s.Take(item); err != nil {
		t.Fatal(err)
	}
	if part := steps(s, 0); len(part) != round || !slices.Equal(part[0], drawn[round/2]) {
		t.Errorf("a part makes %d executions, want %d; the first as drawn: %v", len(part), round,
			slices.Equal(part[0], drawn[round/2]))
	}
}
