package search_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

// divided explores item by item: each is put down after so many executions. It gives the schedules.
func divided(t *testing.T, sys explore.System, c explore.Conditions, each int) (paths []string, out explore.Counters) {
	t.Helper()
	open := []explore.Item{{}}
	turns := 0
	for len(open) > 0 {
		s := search.NewNaive()
		if err := s.Take(open[len(open)-1]); err != nil {
			t.Fatal(err)
		}
		open = open[:len(open)-1]
		o := explore.Options{Conditions: c,
			After: func(_ *explore.Counters, tr *trace.Trace) { paths = append(paths, pathOf(tr)) }}
		n := 0
		o.Stop = func() bool { n++; return each > 0 && n > each }
		if untouched := turns%5 == 4; untouched {
			o.Stop = func() bool { return true } // stopped before it begins
		}
		turns++
		x, err := explore.Run(sys, s, o)
		if err != nil || x.Diverged {
			t.Fatalf("%+v, %v", x, err)
		}
		open = append(open, s.Split(1<<30)...)
		if s.Start() || !s.Complete() {
			t.Fatal("something is left after everything was given away")
		}
		out.Executions += x.Executions
		out.Deliveries += x.Deliveries
	}
	slices.Sort(paths)
	return paths, out
}

func pathOf(tr *trace.Trace) string {
	var b []byte
	for e := range tr.Events {
		id := tr.Events[e].Step.ID
		b = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(b, id.Hi), id.Lo)
		b = binary.BigEndian.AppendUint32(b, uint32(tr.Events[e].Released))
	}
	return string(b)
}

// TestDivided: however the search is divided, the executions are the same, each once, and so are the deliveries.
func TestDivided(t *testing.T) {
	check := func(name string, sys func() explore.System, c explore.Conditions) {
		want, all := divided(t, sys(), c, 0)
		if len(slices.Compact(slices.Clone(want))) != len(want) {
			t.Fatalf("%s: an execution came twice", name)
		}
		for _, each := range []int{1, 2, 7} {
			got, counted := divided(t, sys(), c, each)
			if !slices.Equal(got, want) || counted != all {
				t.Errorf("%s, divided after %d: %d executions %+v, want %d %+v", name, each, len(got), counted, len(want), all)
			}
		}
	}
	enough := toy.Scale(t, 30)
	for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Mailbox} {
		workers := 3
		if model == trace.Mailbox && os.Getenv("REHEARSE_TOY") == "" {
			workers = 2 // of 3 there are 97,440 executions
		}
		check("pi "+model.String(), func() explore.System { return subjects.Pi(workers) }, explore.Conditions{Model: model})
		compared := 0
		c := explore.Conditions{Model: model, Timers: trace.Async,
			Faults: trace.Faults{Max: 1, Kinds: trace.FaultKindsOf(trace.Drop, trace.Crash)}}
		for seed := uint64(1); compared < enough; seed++ {
			p := toy.Random(seed, toy.Full)
			if twin := toy.Enumerate(p, c, 1000); twin.Over || twin.Executions < 2 {
				continue
			}
			compared++
			check(fmt.Sprintf("program %d %s", seed, model), func() explore.System { return toy.NewSystem(p) }, c)
		}
	}
}

// TestTakeRefuses what no item of this strategy is.
func TestTakeRefuses(t *testing.T) {
	for _, item := range []explore.Item{{Steps: []trace.ID{{Hi: 1}}}, {Rest: []byte("x")},
		{Steps: []trace.ID{{Hi: 1}}, Rest: make([]byte, 48)}} {
		if err := search.NewNaive().Take(item); err == nil {
			t.Errorf("%+v was taken", item)
		}
	}
}
