package agree

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// This file: the strategies on wild programs of native actors.
//
//	cost: 10 ms a program; a quarter of the programs by default, all with REHEARSE_TOY=1; REHEARSE_TOY=50 compares 50
//	      times as many, in a minute or
//	two, and REHEARSE_TOY_FROM=n begins at seed n

// number reads a variable, which may not be there.
func number(t *testing.T, name string, otherwise uint64) uint64 {
	s := os.Getenv(name)
	if s == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// disagrees reports whether strategies differ on a program.
func disagrees(d *drawn) bool {
	p := d.program()
	return (&Hunt{Compared: 2}).On(&p) != nil // the third one is compared with strategies of the other kind too
}

func TestWildPrograms(t *testing.T) {
	for _, tt := range []struct {
		name     string
		species  species
		programs int
		seeds    []uint64 // of programs on which a result was wrong once, each for a reason of its own
	}{
		// 21174 and 62190: a message that another execution lost or doubled is not sent, since its receiver has stopped.
		// 707379: a message waits while a suspended task makes a call, and could have come before that task.
		{"tame", tame, 250, []uint64{2725, 5832, 7452, 8578, 21174, 62190, 707379}},
		// An actor is sent an answer and a system message in one step: either comes first. What a handler does after a choice
		// is kept back as what it does before. The clock advances while the test function is in a call. An actor whose state
		// nobody sees looks for system messages. 6002178 and 7003768: what a start hook sent arrives twice, while its actor
		// waits for the release of both. 6012342: a step is cut at the choice of its fault.
		{"feral", feral, 120, []uint64{12162, 12924, 52123, 17527, 13092, 34518, 6002178, 7003768, 6012342}},
		// Whether a timer has fired by the step whose cancel waits for its turn.
		{"hasty", hasty, 60, []uint64{193}},
		{"exotic", exotic, 100, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			seeds, from := tt.seeds, number(t, "REHEARSE_TOY_FROM", 0)
			programs := uint64(toy.Scale(t, tt.programs))
			for seed := from; seed < from+programs; seed++ {
				seeds = append(seeds, seed)
			}
			var h Hunt
			for _, seed := range seeds {
				d := tt.species.draw(seed)
				p := d.program()
				if err := h.On(&p); err != nil {
					t.Errorf("%v\n%s\nmade smaller:\n%s", err, d, d.minimise(disagrees))
				}
			}
			t.Log(&h)
			if len(h.Excused) > 0 { // of native programs nothing is left out
				t.Errorf("results differ: %s", &h)
			}
			if h.Compared < int(programs)/2 || h.Classes < 3*h.Compared {
				t.Errorf("too little was compared: %s", &h)
			}
		})
	}
}

// An execution was cut at a choice of its last step, whose values other branches of the wakeup tree had. The step
// counted as over, without faults.
func TestCutAtAChoice(t *testing.T) {
	w := &wild{handlers: map[[3]int][]deed{{0, 0, 0}: {{"after", 1, 1}}, {1, 1, 0}: {{"send", 0, 0}, {"stopOther", 0, 0}}},
		roots: []int{1, 0},
		first: []deed{{"pass", 0, 1}, {"call", 3, 0}}, left: 3}
	end := ""
	p := Program{System: w.system(&end), Conditions: explore.Conditions{Model: trace.Bag, Timers: trace.Async,
		Horizon: time.Minute, Copy: true, Blocked: 5 * time.Second,
		Faults: trace.Faults{Max: 1, Kinds: trace.FaultKindsOf(trace.Crash, trace.CrashLosing)}}}
	all, err := p.Show("naive")
	if err != nil || len(all.Classes) != 15 {
		t.Fatalf("%v, %v, want 15 classes", all, err)
	}
	for _, name := range []string{"source", "optimal"} {
		if s, err := p.Show(name); err != nil || s.differs(all) != nil {
			t.Errorf("%v, %v, %v", s, err, s.differs(all))
		}
	}
}

// The herd, which tells the ends apart, holds instances that an injected restart replaced. The states of this program
// differ by what these hold.
func TestReplacedInstances(t *testing.T) {
	p, text := tame.program(1424)
	all, err := p.Show("naive")
	if err != nil || !all.Exhausted {
		t.Fatalf("%s, %v\n%s", all, err, text)
	}
	var h Hunt
	if err := h.Complete(&p, all); err != nil || h.Silent > 0 {
		t.Errorf("%v; %d did not answer\n%s", err, h.Silent, text)
	}
}

// Without the case that a line names a strategy begins more executions of the program in vain, or goes astray.
func TestCountsOfPrograms(t *testing.T) {
	for _, tt := range []struct {
		why                 string
		species             species
		seed                uint64
		strategy            string
		executions, blocked int
	}{
		{"where nobody can tell whether a Receive would have taken a message earlier, the step before is looked at too", tame,
			88274, "source", 17, 4},
		{"a step that was inserted for a message, and that its receiver refuses, is passed over", tame,
			200446, "optimal", 4, 1},
		{"causal: what an actor sends later is sent after what its Start sent", feral, 500121, "optimal", 15, 0},
		{"of two messages that one step sends the first is the older one in their mailbox", feral, 301048, "source", 3, 0},
	} {
		p, text := tt.species.program(tt.seed)
		s, err := p.Show(tt.strategy)
		if err != nil || !s.Complete || s.Executions != tt.executions || s.Blocked != tt.blocked {
			t.Errorf("%s:\n%s, %v, want %d executions and %d blocked\n%s", tt.why, s, err, tt.executions, tt.blocked, text)
		}
	}
}
