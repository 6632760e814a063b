package dpor

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// faultCases gives random programs with injected faults of these kinds under every delivery model, and both timer modes
// where the programs have timers.
func faultCases(t *testing.T, kinds string, features toy.Features, programs int) []toy.Case {
	t.Helper()
	faults, err := trace.ParseFaults(kinds)
	if err != nil {
		t.Fatal(err)
	}
	cases, _, err := toy.Cases(toy.CompareOptions{Faults: faults, Features: features, Programs: programs, Limit: 300})
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// Each kind alone, all together, one and two in an execution: source misses no class, optimal executes each exactly
// once and blocks nothing. Final states and violations are those of brute force. Several actors that begin to send make
// races, and all features at once everything else that a fault may meet: calls, timers, stops, other choices.
func TestFaultsAgainstTwin(t *testing.T) {
	for _, tt := range []struct {
		kinds         string
		senders, full int // programs under each model, and timer mode
	}{
		{"drop", 30, 12}, {"drop:2", 15, 8}, {"duplicate", 20, 8}, {"duplicate:2", 10, 5},
		{"crash-losing", 30, 15}, {"crash-losing:2", 15, 8}, {"crash", 30, 15}, {"crash:2", 15, 8}, {"restart", 30, 12}, {"restart:2", 15, 8},
		{"all", 20, 10}, {"all:2", 15, 5},
	} {
		t.Run(tt.kinds, func(t *testing.T) {
			cases := faultCases(t, tt.kinds, toy.Features{Senders: true}, tt.senders)
			cases = append(cases, faultCases(t, tt.kinds, toy.Full, tt.full)...)
			toy.Check(t, "source", cases, newSource, toy.Cover)
			toy.Check(t, "optimal", cases, newOptimal, toy.Exact)
		})
	}
}

// Where optimal may miss a class it says so, and where that is, and nowhere else. Nothing is refused.
func TestOptimalDoubtsCrashes(t *testing.T) {
	for _, model := range toy.Models {
		for kind := trace.Drop; kind <= trace.Restart; kind++ {
			for _, twice := range []bool{false, true} {
				for _, most := range []int{0, 1} {
					kinds := trace.FaultKindsOf(kind)
					if twice {
						kinds = trace.FaultKindsOf(kind, trace.Duplicate)
					}
					c := explore.Conditions{Model: model, Faults: trace.Faults{Max: most, Kinds: kinds}}
					for _, ranked := range []bool{false, true} {
						checkDoubt(t, c, kind, twice, ranked)
					}
				}
			}
		}
	}
}

func checkDoubt(t *testing.T, c explore.Conditions, kind trace.FaultKind, twice, ranked bool) {
	t.Helper()
	o := NewOptimal(nil)
	if ranked {
		o = NewOptimal(shuffled(1))
	}
	if err := o.Bind(explore.Env{Conditions: c}); err != nil {
		t.Errorf("%s, %s: %v", c.Model, kind, err)
	}
	want := ""
	if c.Faults.Max > 0 && (kind == trace.Crash || kind == trace.Restart) {
		switch {
		case c.Model == trace.MailboxSerial:
			want = "under mailbox-serial"
		case ranked:
			want = "in another order than the default one"
		case twice:
			want = "where messages may also arrive twice"
		}
	}
	if got := o.Report().IncompleteReason; !strings.Contains(got, want) || (want == "") != (got == "") {
		t.Errorf("%s, %s, %d at most, with duplicate %v, in another order %v: %q, want %q", c.Model, kind, c.Faults.Max,
			twice, ranked, got, want)
	}
}

// Programs with faults that once lost a class, had one executed twice or an execution begun in vain. Each says what was
// wrong.
var faultRegressions = []struct {
	seed   uint64
	model  trace.Model
	time   trace.TimerMode
	kinds  string
	why    string
	sender bool
}{
	{7, trace.MailboxSerial, trace.Quiescent, "crash-losing", "before the handler a step has not sent what it sent when it ran", true},
	{57, trace.MailboxSerial, trace.Quiescent, "crash-losing", "a race with what the handler did is one of the step that runs", true},
	{38, trace.MailboxSerial, trace.Quiescent, "crash", "the step that comes before the last fault suffers none", true},
	{14, trace.MailboxSerial, trace.Quiescent, "crash", "a step that suffers the last fault leaves others asleep that would wake by a fault of theirs", false},
	{38, trace.MailboxSerial, trace.Quiescent, "crash-losing", "a fault that sleeps where the step is taken without it, and would wake if another came first", false},
	{38, trace.MailboxSerial, trace.Quiescent, "all", "a branch that will be pruned makes no value needless", false},
	{137, trace.FIFO, trace.Quiescent, "drop,duplicate,restart:2", "a doubled message does not end the handler that sent it", false},
	{20, trace.Bag, trace.Quiescent, "crash-losing", "the event of a delivery is another when its handler does not run", false},
	{98, trace.Bag, trace.Quiescent, "duplicate,crash,restart:2",
		"a value that was left out was prescribed without its fault, once an execution", true},
	{57, trace.MailboxSerial, trace.Quiescent, "crash",
		"all values of a choice were left to branches with a fault", false},
	{142, trace.Causal, trace.Quiescent, "crash:2",
		"a branch was begun although its step sleeps without a fault, and a later branch has the fault", true},
}

func TestFaultRegressions(t *testing.T) {
	for _, r := range faultRegressions {
		faults, err := trace.ParseFaults(r.kinds)
		if err != nil {
			t.Fatal(err)
		}
		features := toy.Full
		if r.sender {
			features = toy.Features{Senders: true}
		}
		k := toy.NewCase(r.why, toy.Random(r.seed, features), explore.Conditions{Model: r.model, Timers: r.time, Faults: faults}, 20000)
		if k.Want.Over {
			t.Errorf("seed %d is too large", r.seed)
		}
		if _, err := toy.CompareOn([]toy.Case{k}, newSource, toy.Cover); err != nil {
			t.Errorf("source: %v", err)
		}
		if _, err := toy.CompareOn([]toy.Case{k}, newOptimal, toy.Exact); err != nil {
			t.Errorf("optimal: %v", err)
		}
	}
}

// A value that was left out where a step was taken, since another step that slept would lead to it, is not met if that
// wakes before: here a restart after the timer fired, while the send of the other actor sleeps until the firing.
func TestValueLeftOut(t *testing.T) {
	faults, err := trace.ParseFaults("restart")
	if err != nil {
		t.Fatal(err)
	}
	after := toy.Op{Kind: toy.After, To: 1, Message: 1, When: -1}
	p := program([]int{0, 1}, []toy.Op{send(0, 1), send(0, 0)}, []toy.Op{send(1, 1)})
	p.Kinds = append(p.Kinds, program(nil, nil, []toy.Op{send(1, 1), after}).Kinds...)
	k := toy.NewCase("restart", &p, explore.Conditions{Model: trace.MailboxSerial, Timers: trace.Async, Faults: faults}, 20000)
	if k.Want.Classes != 21 {
		t.Errorf("the twin has %d classes, want 21", k.Want.Classes)
	}
	if _, err := toy.CompareOn([]toy.Case{k}, newOptimal, toy.Exact); err != nil {
		t.Errorf("optimal: %v", err)
	}
}
