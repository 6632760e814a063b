package protoactor_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/internal/check"
)

// finding is what a check is to report of a program.
type finding struct {
	name    string
	config  rehearse.Config
	program func(*rehearse.T)
	kind    rehearse.ViolationKind
	actor   string // type
	message string // type
	site    string // suffix
	text    string // part
}

// single is a program with one actor, "a", that handles one tick.
func single(handle func(*rehearse.T, actor.Context)) func(*rehearse.T) {
	return func(t *rehearse.T) {
		var pid *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			pid = start(s, "a", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); ok {
					handle(t, ctx)
				}
			})
		})
		s.Root.Send(pid, tick{})
	}
}

// counter is an actor with a private field.
type counter struct{ n int }

func (c *counter) Receive(ctx actor.Context) {
	if _, ok := ctx.Message().(tick); ok {
		c.n++
	}
}

func counting(t *rehearse.T) {
	var pid *actor.PID
	s := world(t, func(s *actor.ActorSystem) {
		pid = s.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &counter{} }))
	})
	s.Root.Send(pid, tick{})
	s.Root.Send(pid, tick{})
}

// below wants the counters below a limit.
func below(limit int) func(rehearse.State) error {
	return func(s rehearse.State) (err error) {
		s.Actors(func(name, _ string, value any) bool {
			if c, ok := value.(*counter); ok && c.n >= limit {
				err = fmt.Errorf("%s counted to %d", name, c.n)
			}
			return err == nil
		})
		return err
	}
}

// stops is a program with an actor that is stopped, by the driver, while a tick is on its way.
func stops(t *rehearse.T) {
	var a, b *actor.PID
	s := world(t, func(s *actor.ActorSystem) {
		a = start(s, "a", func(actor.Context) {})
		b = start(s, "b", func(ctx actor.Context) {
			if _, ok := ctx.Message().(quit); ok {
				ctx.Stop(a)
			}
		})
	})
	s.Root.Send(b, quit{})
	s.Root.Send(a, tick{})
}

func mutually(t *rehearse.T) { mutual(-1)(t, &journal{}) }

// never is a request that nobody answers.
func never(t *rehearse.T) {
	var a, mute *actor.PID
	s := world(t, func(s *actor.ActorSystem) {
		mute = start(s, "mute", func(actor.Context) {})
		a = start(s, "a", func(ctx actor.Context) {
			if _, ok := ctx.Message().(tick); ok {
				ctx.RequestFuture(mute, ask{}, -1).Wait()
			}
		})
	})
	s.Root.Send(a, tick{})
}

func forever(_ *rehearse.T, ctx actor.Context) { ctx.Send(ctx.Self(), tick{}) }

var findings = []finding{
	{name: "Panic", program: single(func(*rehearse.T, actor.Context) { panic("no") }), kind: rehearse.Panic,
		actor: "a", message: "tick", text: "a panicked on tick from Driver: no"},
	{name: "PanicInDriver", program: func(*rehearse.T) { panic("no") }, kind: rehearse.Panic, actor: "Driver", text: "Driver panicked: no"},
	{name: "PanicAtEnd", program: func(t *rehearse.T) { counting(t); t.AtEnd(func() { panic("no") }) }, kind: rehearse.Panic, text: "no"},
	{name: "ErrorInHandler", program: single(func(t *rehearse.T, _ actor.Context) { t.Errorf("n is %d", 1) }),
		kind: rehearse.Assertion, actor: "a", message: "tick", text: "n is 1"},
	{name: "ErrorInDriver", program: func(t *rehearse.T) { t.Error("no") }, kind: rehearse.Assertion, actor: "Driver", text: "no"},
	{name: "ErrorAtEnd", program: func(t *rehearse.T) { counting(t); t.AtEnd(func() { t.Error("no") }) },
		kind: rehearse.Assertion, actor: "Driver", text: "no"},
	{name: "FatalInHandler", program: single(func(t *rehearse.T, _ actor.Context) { t.Fatal("no"); panic("went on") }),
		kind: rehearse.Assertion, actor: "a", message: "tick", text: "no"},
	{name: "FailNowInDriver", program: func(t *rehearse.T) { t.FailNow(); panic("went on") },
		kind: rehearse.Assertion, actor: "Driver", text: "FailNow called"},
	{name: "FailNowAtEnd", program: func(t *rehearse.T) { counting(t); t.AtEnd(func() { t.FailNow(); panic("went on") }) },
		kind: rehearse.Assertion, actor: "Driver", text: "FailNow called"},
	{name: "Invariant", program: counting, config: rehearse.Config{Invariants: []rehearse.Invariant{{Name: "below 2", Holds: below(2)}}},
		kind: rehearse.Assertion, actor: "protoactor_test.counter", message: "tick", site: "invariant below 2",
		text: "invariant below 2 does not hold: counter counted to 2"},
	{name: "Final", program: counting, config: rehearse.Config{Final: below(2)}, kind: rehearse.Environment, site: "final state",
		text: "counter counted to 2"},
	{name: "EnvironmentEmpty", program: counting, config: rehearse.Config{Environment: rehearse.Empty}, kind: rehearse.Environment,
		text: "counter has not stopped, and the environment sends nothing more"},
	{name: "DeadlockOfTwo", program: mutually, kind: rehearse.Deadlock,
		text: "blocked in a cycle of calls: a waits for reply to protoactor_test.ask from b; b waits for reply to protoactor_test.ask from a"},
	{name: "DeadlockNoReply", program: never, kind: rehearse.Deadlock,
		text: "blocked for ever: a waits for reply to protoactor_test.ask from mute"},
	{name: "DeadLetter", program: stops, kind: rehearse.DeadLetter, text: "tick was sent to nobody: a had stopped"},
	{name: "OrphanDead", program: stops, kind: rehearse.OrphanDead, actor: "a", message: "tick",
		config: rehearse.Config{Checks: rehearse.Levels{rehearse.OrphanDead: rehearse.Error, rehearse.DeadLetter: rehearse.Off}},
		text:   "tick from Driver was never handled: a had stopped"},
	{name: "Livelock", program: single(forever), config: rehearse.Config{MaxSteps: 50}, kind: rehearse.Livelock, actor: "a", message: "tick",
		text: "more than 50 steps and still going"},
}

// shorter gives a type's name without this package.
func shorter(typ string) string { return strings.TrimPrefix(typ, "protoactor_test.") }

// Every check reports its violation, and that one alone, with whom it hit and where.
func TestChecks(t *testing.T) {
	for _, f := range findings {
		t.Run(f.name, func(t *testing.T) {
			f.config.Budget = "200x"
			r, err := rehearse.Explore(f.config, protoactor.System(f.program))
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Findings) != 1 {
				t.Fatalf("%d findings: %+v", len(r.Findings), r.Findings)
			}
			v := r.Findings[0].Violation
			if v.Kind != f.kind || f.actor != "" && shorter(v.ActorType) != shorter(f.actor) || f.message != "" && shorter(v.MessageType) != f.message ||
				!strings.HasSuffix(v.Site, f.site) || !strings.Contains(v.Text, f.text) {
				t.Errorf("the violation is %s of %s on %s at %s: %s", v.Kind, v.ActorType, v.MessageType, v.Site, v.Text)
			}
			if (f.kind == rehearse.Panic || f.kind == rehearse.Assertion && !strings.HasPrefix(f.site, "invariant")) && !strings.HasPrefix(v.Where, "checks_test.go:") {
				t.Errorf("it is said to be at %q", v.Where)
			}
		})
	}
}

// A finding that is only a warning is no finding; one that is off is nothing.
func TestLevels(t *testing.T) {
	for level, warnings := range map[check.Level]int{rehearse.Off: 0, rehearse.Warning: 1} {
		levels := rehearse.Levels{rehearse.DeadLetter: level, rehearse.OrphanDead: rehearse.Off}
		r, err := rehearse.Explore(rehearse.Config{Checks: levels}, protoactor.System(stops))
		if err != nil || len(r.Findings) > 0 {
			t.Errorf("level %d: error %v, findings %+v", level, err, r.Findings)
		}
		if len(r.Warnings) != warnings {
			t.Errorf("level %d: %d warnings, want %d: %+v", level, len(r.Warnings), warnings, r.Warnings)
		}
	}
}

// Check passes when the bug that Expect states is found.
func TestExpect(t *testing.T) {
	for _, f := range findings {
		if f.name == "DeadlockOfTwo" || f.name == "Panic" || f.name == "OrphanDead" {
			t.Run(f.name, func(t *testing.T) {
				f.config.Expect = &rehearse.Expectation{Kind: f.kind, Actor: f.actor, Message: f.message, Text: f.text}
				r := rehearse.Check(t, f.config, protoactor.System(f.program))
				if len(r.Findings) != 1 || !r.Findings[0].Expected {
					t.Errorf("findings %+v", r.Findings)
				}
			})
		}
	}
}

// A finding wins over what the program leaves behind in the execution that is cut: here a goroutine that would go on
// half a minute later, and one that waits for what the cut prevents.
func TestFindingLeavesGoroutines(t *testing.T) {
	released := errors.New("never released")
	program := func(t *rehearse.T) {
		var a *actor.PID
		gate := make(chan error)
		s := world(t, func(s *actor.ActorSystem) {
			a = start(s, "a", func(ctx actor.Context) {
				switch ctx.Message().(type) {
				case tick:
					go time.Sleep(30 * time.Second)
					go func() { <-gate }()
					panic("no")
				case quit:
					gate <- released
				}
			})
		})
		s.Root.Send(a, tick{})
		s.Root.Send(a, quit{})
	}
	r, err := rehearse.Explore(rehearse.Config{Budget: "20x", Checks: rehearse.Levels{rehearse.Divergence: rehearse.Off}}, protoactor.System(program))
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Violation.Kind != rehearse.Panic {
		t.Errorf("error %v, findings %+v", err, r.Findings)
	}
}
