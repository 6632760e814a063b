package tap_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/tap"
)

// These are rules for what protoactor-go does and native actors do not, on examples.
var protoRules = []struct {
	driver, class string
	fn, calls     string // the goal: where this method calls that one, the nth time
	nth           int
	uses          string
	messages      []string // of the answer, with who sends them
	assumes       bool     // it holds only if what is assumed does, which an execution does not tell
}{
	{"TestChameneos", "chameneos.creature", "Receive", "Send", 0, "Actor Creation", []string{"outside open", "event start"}, false},
	{"TestTimeout", "timeout.order", "Receive", "SetReceiveTimeout", 0, "Started", []string{"outside Place", "framework Started"}, false},
	{"TestTimeout", "timeout.order", "Receive", "settle", 1, "Receive Timeout", []string{"outside Place", "framework Started", "framework ReceiveTimeout"}, true},
	{"TestServer", "server.client", "read", "Result", 0, "Message Sending", []string{"outside start"}, false},
	{"TestServer", "server.server", "Receive", "Respond", 1, "OnReceive Looping", []string{"outside start", "event set", "event get"}, false},
	{"TestBarber", "barber.barber", "asleep", "ask", 0, "Method Entry-CallStack Empty", []string{"outside Come", "event Ring"}, false},
	{"TestBarber", "barber.barber", "awake", "Become", 0, "Behaving", []string{"outside Come", "event Ring", "event Next", "event Nobody"}, false},
	{"TestRestartFixed", "restart.durableCart", "Receive", "Items", 0, "Started", nil, false},
}

// protoPackages are read together.
var protoPackages = []string{"./barber", "./chameneos", "./deadlock", "./restart", "./server", "./timeout"}

func TestProtoactor(t *testing.T) {
	s := open(t, "../../examples", protoPackages...)
	for _, c := range protoRules {
		t.Run(c.driver+" "+c.uses, func(t *testing.T) {
			s := s.in(t)
			start := s.sent(c.driver)
			goal := s.calls(c.class, c.fn, c.calls, c.nth)
			config := tap.Of(tap.Feedback)
			config.FIFO, config.Steps, config.Seed = true, 5_000, 1
			a := s.search(start, goal, config)
			if a.Verdict != tap.Found {
				t.Fatalf("%s after %d steps: %s %v", a.Verdict, a.Steps, a.Reason, a.Reasons)
			}
			var got []string
			for _, step := range a.Plan.Steps {
				name := step.Message.String()
				got = append(got, step.From.Kind.String()+" "+name[strings.LastIndexByte(name, '.')+1:])
			}
			if !slices.Equal(got, c.messages) {
				t.Errorf("the messages are %q, want %q", got, c.messages)
			}
			if !slices.ContainsFunc(a.Rules, func(r string) bool { return strings.HasSuffix(r, " "+c.uses) }) {
				t.Errorf("the path does not use %s: %q", c.uses, a.Rules)
			}
			if c.assumes != (len(a.Assumed) > 0) {
				t.Errorf("assumed is %q", a.Assumed)
			}
			if !c.assumes {
				s.follows(start, goal, a)
			}
			t.Logf("%d steps, %d checks", a.Steps, a.Checks)
		})
	}
}

// A producer is executed by the one who creates the actor.
func TestProducer(t *testing.T) {
	s := open(t, "../../examples", protoPackages...)
	start := s.sent("TestChameneos")
	for _, fn := range s.load.Functions() {
		if fn.Name() != "Receive$1" || !strings.HasSuffix(fn.Parent().String(), "chameneos.broker).Receive") {
			continue
		}
		goal := system.Goal{Block: fn.Blocks[0]}
		config := tap.Of(tap.Feedback)
		config.FIFO, config.Steps, config.Seed = true, 5_000, 1
		a := s.search(start, goal, config)
		if a.Verdict != tap.Found || a.Runs != 1 {
			t.Fatalf("%s after %d steps with %d messages: %s %v", a.Verdict, a.Steps, a.Runs, a.Reason, a.Reasons)
		}
		s.follows(start, goal, a)
		return
	}
	t.Fatal("there is no producer in chameneos")
}

// in is the subject for a subtest.
func (s *subject) in(t *testing.T) *subject {
	x := *s
	x.t = t
	return &x
}

// Each rule is used by an answer whose execution shows it right, or forbids one.
func TestEveryRule(t *testing.T) {
	tested := []string{"Stopping", "Impossible"} // TestRulesThatForbid
	for _, c := range slices.Concat(rules, changing) {
		tested = append(tested, c.uses...)
	}
	for _, c := range protoRules {
		tested = append(tested, c.uses)
	}
	for _, name := range tap.Rules() {
		if !slices.Contains(tested, name) {
			t.Errorf("no test is about the rule %q", name)
		}
	}
}

// calls is the block in which a method of a type calls another function for the nth time, from 0.
func (s *subject) calls(class, method, called string, nth int) system.Goal {
	s.t.Helper()
	for _, fn := range s.load.Functions() {
		of := fn // of a literal, the method that it is written in
		for of.Parent() != nil {
			of = of.Parent()
		}
		if recv := of.Signature.Recv(); fn.Name() != method || recv == nil || !strings.HasSuffix(recv.Type().String(), "/"+class) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(ssa.CallInstruction)
				if !ok || nameOf(call.Common()) != called {
					continue
				}
				if nth--; nth < 0 {
					return system.Goal{Block: b}
				}
			}
		}
	}
	s.t.Fatalf("%s.%s does not call %s", class, method, called)
	return system.Goal{}
}

func nameOf(c *ssa.CallCommon) string {
	if c.IsInvoke() {
		return c.Method.Name()
	}
	if fn := c.StaticCallee(); fn != nil {
		return fn.Name()
	}
	return ""
}
