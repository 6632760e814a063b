package tap_test

import (
	"go/constant"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/tap"
)

// places gives the blocks with a call of reached, by its argument.
func (s *subject) places() map[string]system.Goal {
	all := map[string]system.Goal{}
	for _, fn := range s.load.Functions() {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(*ssa.Call); ok && call.Call.StaticCallee() != nil && call.Call.StaticCallee().Name() == "reached" {
					all[constant.StringVal(call.Call.Args[0].(*ssa.Const).Value)] = system.Goal{Block: b}
				}
			}
		}
	}
	return all
}

// Each place of testdata/rules is reached by the rule that it is named after, with the values that this needs.
type ruled struct {
	place   string
	uses    []string
	runs    int
	message string           // the first one from outside
	values  map[string]int64 // of it
}

var rules = []ruled{
	{"Variable Reference", []string{"Variable Reference"}, 1, "main.number", map[string]int64{".N": 7}},
	{"Binary Expression", []string{"Binary Expression"}, 1, "main.number", map[string]int64{".N": 8}},
	{"Field Reference", []string{"Field Reference", "Creation Event Matching"}, 1, "main.number", map[string]int64{".N": 6}},
	{"Object Allocation", []string{"Object Allocation"}, 1, "main.number", map[string]int64{".N": 9}},
	{"If-True", []string{"If-True"}, 1, "main.number", map[string]int64{".N": 101}},
	{"If-False", []string{"If-False"}, 1, "main.number", map[string]int64{".N": -101}},
	{"Method Invocation", []string{"Method Invocation", "Return-CallStack Not Empty", "Method Entry-CallStack Not Empty", "Method Entry-CallStack Empty"}, 1, "main.number",
		map[string]int64{".N": 11}},
	{"Jump", []string{"Jump"}, 1, "main.number", map[string]int64{".N": 51}},
	{"Outside", []string{"Outside"}, 1, "main.text", nil},
	{"lengths", []string{"Binary Expression"}, 1, "main.lists", map[string]int64{".X!len": 2, ".Y!len": 1}},
	{"before lists are joined", []string{"Binary Expression"}, 1, "main.lists", map[string]int64{".X!len": 1, ".Y!len": 1}},
	{"Casting", []string{"Casting", "Messaging Event Matching-External"}, 1, "main.held", nil},
	{"Field Update", []string{"Field Update", "OnReceive Looping", "Return-CallStack Empty", "Actor Entry-Existing Actor"}, 2, "main.set", map[string]int64{".N": 9}},
	{"map", []string{"Field Update"}, 2, "main.set", map[string]int64{".N": 8}},
	{"slice", []string{"Object Allocation"}, 2, "main.set", map[string]int64{".N": 6}},
	{"Messaging Event Matching-Internal", []string{"Messaging Event Matching-Internal", "Message Sending", "Actor Entry-New Actor"}, 2, "main.pass", map[string]int64{".N": 11}},
	{"Actor Creation", []string{"Actor Creation"}, 2, "main.hire", map[string]int64{".N": 3}},
	{"Self Reference", []string{"Self Reference"}, 3, "main.pass", map[string]int64{".N": 9}},
	{"Sender Reference", []string{"Sender Reference"}, 3, "main.pass", nil},
	{"Answer-New Actor", []string{"Answer-New Actor"}, 2, "main.set", map[string]int64{".N": 2}},
	{"Answer-Existing Actor", []string{"Answer-Existing Actor"}, 3, "main.set", map[string]int64{".N": 2}},
	{"package variable", []string{"Field Reference"}, 1, "main.number", map[string]int64{".N": 41}},
	{"error", []string{"Field Reference"}, 1, "main.number", map[string]int64{".N": -1}},
	{"Deferred Call", []string{"Deferred Call"}, 1, "main.number", map[string]int64{".N": 11}},
	{"in a deferred function", []string{"Method Entry-CallStack Empty"}, 1, "main.number", map[string]int64{".N": 9}},
	{"Accepting", []string{"Accepting"}, 2, "main.set", map[string]int64{".N": 4}},
	{"Continuation", []string{"Continuation", "Answer-New Actor"}, 3, "main.pass", map[string]int64{".N": 2}},
	{"Continuation at once", []string{"Continuation"}, 2, "main.pass", map[string]int64{".N": 2}},
	{"a message behind the answer", []string{"Continuation"}, 3, "main.pass", nil},
	{"asked", []string{"Messaging Event Matching-External"}, 1, "main.number", map[string]int64{".N": 17}},
	{"asked further", []string{"Method Entry-CallStack Empty"}, 2, "main.set", map[string]int64{".N": 8}},
	{"asked of another", []string{"Messaging Event Matching-Internal"}, 2, "main.pass", map[string]int64{".N": 19}},
}

// ruled gives the starts of the drivers of testdata/rules, by the files that they are in.
func (s *subject) ruled() map[string]*system.Start {
	all := map[string]*system.Start{"main.go": s.sent("main")}
	for _, fn := range s.load.Functions() {
		if !slices.Contains([]string{"changes", "waits", "functions"}, fn.Name()) {
			continue
		}
		for _, d := range s.system.DriversOf(fn) {
			start, err := s.system.Start(s.t.Context(), d, system.Config{})
			if err != nil {
				s.t.Fatal(err)
			}
			all[fn.Name()+".go"] = start
		}
	}
	return all
}

// file gives the file that a goal is in.
func (s *subject) file(g system.Goal) string {
	return filepath.Base(s.load.SSA.Fset.Position(g.Block.Parent().Pos()).Filename)
}

// These are of other drivers.
var changing = []ruled{
	{"Become", []string{"Become"}, 2, "main.set", map[string]int64{".N": 5}},
	{"Unbecome", []string{"Become", "Unbecome"}, 3, "main.set", map[string]int64{".N": 6}},
	{"the last behaviour", []string{"Unbecome"}, 2, "main.halt", nil},
	{"function as a behaviour", []string{"Become"}, 3, "main.set", nil},
	{"function of the start", []string{"Method Invocation"}, 1, "main.number", map[string]int64{".N": 13}},
	{"function value", []string{"Method Invocation"}, 2, "main.set", map[string]int64{".N": 5}},
	{"Map Range", []string{"Map Range"}, 2, "main.set", map[string]int64{".N": 7}},
	{"Map Range, never", []string{"Map Range"}, 1, "main.get", map[string]int64{".N": 3}},
	{"delete", []string{"Field Update"}, 3, "main.set", map[string]int64{".N": 2}},
	{"Map Range, of the start", []string{"Map Range"}, 1, "main.number", map[string]int64{".N": 5}},
	{"len of a map", []string{"Map Range"}, 1, "main.number", map[string]int64{".N": 4}},
	{"clear", []string{"Field Update"}, 2, "main.set", nil},
}

func TestRules(t *testing.T) {
	s := open(t, "testdata/rules", ".")
	starts := s.ruled()
	goals := s.places()
	for _, c := range slices.Concat(rules, changing) {
		start := starts[s.file(goals[c.place])]
		t.Run(c.place, func(t *testing.T) {
			config := tap.Of(tap.Feedback)
			config.Runs, config.Seed = c.runs, 1
			a := s.search(start, goals[c.place], config)
			if a.Verdict != tap.Found || a.Runs != c.runs {
				t.Fatalf("%s with %d messages in %d steps, want %d: %s %v", a.Verdict, a.Runs, a.Steps, c.runs, a.Reason, a.Reasons)
			}
			s.follows(start, goals[c.place], a)
			for _, rule := range c.uses {
				if !slices.ContainsFunc(a.Rules, func(r string) bool { return strings.HasSuffix(r, " "+rule) }) {
					t.Errorf("the path does not use %s: %q", rule, a.Rules)
				}
			}
			if m := a.Outside[0]; m.Type != c.message {
				t.Errorf("the first message from outside is %s, want %s", m.Type, c.message)
			}
			for part, want := range c.values {
				if got := a.Outside[0].Values[part]; got.Int() != want {
					t.Errorf("%s of the first message is %v, want %d", part, got, want)
				}
			}
			t.Logf("%d steps, %d checks", a.Steps, a.Checks)
		})
	}
}

// What is not modelled is told.
var refused = []struct{ place, why string }{
	{"package variable that changes", "package variable changed at main.go"},
	{"start hook", "what actors do when they are created (Start) is not modelled: (*github.com/rehearse-go/rehearse/symbolic/tap/testdata/rules.eager).Start"},
}

func TestNotModelled(t *testing.T) {
	s := open(t, "testdata/rules", ".")
	starts := s.ruled()
	goals := s.places()
	for _, c := range refused {
		a := s.search(starts[s.file(goals[c.place])], goals[c.place], tap.Config{Runs: 1})
		if a.Verdict != tap.GaveUp || !strings.Contains(a.Reason, c.why) {
			t.Errorf("%s: %s: %s", c.place, a.Verdict, a.Reason)
		}
	}
}

// So is what is done behind an answer.
func TestReenterNotModelled(t *testing.T) {
	s := open(t, "../../examples", protoPackages...)
	a := s.search(s.sent("TestDeadlockFixed"), s.calls("deadlock.openOrders", "Receive$1", "decide", 0), tap.Config{Runs: 1})
	if a.Verdict != tap.GaveUp || !strings.Contains(a.Reason, "what is done behind an answer (ReenterAfter) is not modelled") {
		t.Errorf("%s: %s", a.Verdict, a.Reason)
	}
}

// What no rule leads to is not found: an actor handles nothing behind its Stop, and nothing comes behind a failure of
// the test.
func TestRulesThatForbid(t *testing.T) {
	s := open(t, "testdata/rules", ".")
	starts := s.ruled()
	goals := s.places()
	for _, place := range []string{"Stopping", "Impossible", "refused", "call not deferred", "deferred later", "never opened", "less than there is", "another entry", "cleared", "fewer than none", "more than there may be"} {
		config := tap.Of(tap.H1H2)
		if config.Runs = 2; strings.HasSuffix(place, "entry") {
			config.Runs, config.Share = 1, 20_000 // others have many ways through the loop, too
		}
		if a := s.search(starts[s.file(goals[place])], goals[place], config); a.Verdict != tap.Infeasible {
			t.Errorf("%s: %s after %d steps: %s %v", place, a.Verdict, a.Steps, a.Reason, a.Reasons)
		} else {
			t.Logf("%s: %d steps, %d checks", place, a.Steps, a.Checks)
		}
	}
}
