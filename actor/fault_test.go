package actor_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/dpor"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// counter adds up what it gets; a fresh instance begins at zero.
type counter struct{ total int }

func (c *counter) Receive(ctx *actor.Context, msg any) {
	c.total += msg.(int)
	ctx.T().Logf("%d", c.total)
}

// sends makes a program in which the test sends numbers to a counter.
func sends(numbers ...int) program {
	return func(t *explore.T, ctx *actor.Context) {
		to := ctx.SpawnNamed("counter", &counter{})
		for _, n := range numbers {
			ctx.Send(to, n)
		}
	}
}

// forwards makes a program in which the test sends 1 to an actor that sends it on to a counter.
func forwards(t *explore.T, ctx *actor.Context) {
	to := ctx.SpawnNamed("counter", &counter{})
	ctx.Send(ctx.SpawnNamed("relay", actor.Func(func(ctx *actor.Context, msg any) { ctx.Send(to, msg) })), 1)
}

// tallied explores a program with faults and counts the executions by what they log.
func tallied(t *testing.T, p program, c explore.Conditions, faults string,
	strategy explore.Strategy) (logs map[string]int, warnings []string, h happenings) {
	t.Helper()
	var err error
	if c.Faults, err = trace.ParseFaults(faults); err != nil {
		t.Fatal(err)
	}
	logs = map[string]int{}
	var log []string
	o := explore.Options{Conditions: c, NewT: func() *explore.T {
		log = log[:0]
		return explore.NewT("", func(s string) { log = append(log, s) })
	}}
	o.Check = &check.Checker{Warned: func(v trace.Violation) { warnings = append(warnings, v.Key()) }}
	o.After = func(n *explore.Counters, _ *trace.Trace) {
		if n.Rechecked == 0 || n.Rechecked < n.Executions {
			logs[strings.Join(log, " ")]++
		}
	}
	o.Found = func(f explore.Found) bool {
		for _, v := range f.Violations {
			h.violations = append(h.violations, v.Key())
		}
		return true
	}
	o.Again = func(int) bool { return true }
	o.Repeat = func(tr *trace.Trace) explore.Strategy { return replay.NewRepeat(tr) }
	o.Budget.Executions = 10_000
	if h.out, err = explore.Run(actor.New(p), strategy, o); err != nil {
		t.Fatal(err)
	}
	slices.Sort(h.violations)
	h.violations = slices.Compact(h.violations)
	slices.Sort(warnings)
	return logs, slices.Compact(warnings), h
}

// Every choice of faults is executed once, under each model; the executions are counted by hand, with what they log.
// They are the counts of the same programs on protoactor-go.
func TestFaultCounts(t *testing.T) {
	for _, c := range []struct {
		name    string
		program program
		faults  string
		in      []explore.Conditions
		want    map[string]int
	}{
		{"off", sends(1), "off", allModels, map[string]int{"1": 1}},
		{"drop", sends(1), "drop", allModels, map[string]int{"1": 1, "": 1}},
		{"more than there is to lose", sends(1), "drop:5", allModels, map[string]int{"1": 1, "": 1}},
		{"duplicate, any order", sends(1), "duplicate", []explore.Conditions{bag, mailbox}, map[string]int{"1": 1, "1 2": 2}},
		{"duplicate, in order", sends(1), "duplicate", []explore.Conditions{fifo, causal, serial},
			map[string]int{"1": 1, "1 2": 1}},
		{"a copy has no faults", sends(1), "drop,duplicate:9", []explore.Conditions{fifo, causal, serial},
			map[string]int{"1": 1, "1 2": 1, "": 1}},
		{"crash losing", sends(1), "crash-losing", allModels, map[string]int{"1": 1, "": 1}},
		{"crash", sends(1), "crash", allModels, map[string]int{"1": 2}},
		{"restart", sends(1), "restart", allModels, map[string]int{"1": 2}},
		{"all", sends(1), "all", []explore.Conditions{bag}, map[string]int{"": 2, "1": 3, "1 2": 2}},
		{"two sends, bag", sends(1, 2), "drop:9", []explore.Conditions{bag},
			map[string]int{"1 3": 1, "2 3": 1, "1": 1, "2": 1}},
		{"two sends, in order", sends(1, 2), "drop:9", []explore.Conditions{fifo, causal, serial},
			map[string]int{"1 3": 1, "1": 1, "2": 1}},
		{"two sends, mailbox", sends(1, 2), "drop", []explore.Conditions{mailbox}, map[string]int{"1 3": 2, "1": 2, "2": 1}},
		{"two sends, mailbox, two lost", sends(1, 2), "drop:2", []explore.Conditions{mailbox},
			map[string]int{"1 3": 2, "1": 2, "2": 1, "": 1}},
		{"two messages and a crash", sends(1, 2), "crash", []explore.Conditions{fifo, causal, serial},
			map[string]int{"1 3": 2, "1": 1}},
		{"two messages and a lost one", sends(1, 2), "crash-losing", []explore.Conditions{fifo, serial},
			map[string]int{"1 3": 1, "1": 1, "": 1}},
		{"two messages and a restart", sends(1, 2), "restart", []explore.Conditions{fifo, causal, serial},
			map[string]int{"1 3": 2, "1 2": 1}},
		{"two messages and two restarts", sends(1, 2), "restart:2", []explore.Conditions{fifo, serial},
			map[string]int{"1 3": 2, "1 2": 2}},
		{"relay", forwards, "drop", allModels, map[string]int{"1": 1, "": 2}},
		{"relay and crashes", forwards, "crash,crash-losing", []explore.Conditions{bag, fifo, causal, serial},
			map[string]int{"1": 3, "": 2}},
	} {
		for _, in := range c.in {
			logs, _, h := tallied(t, c.program, in, c.faults, search.NewNaive())
			if !h.out.Complete || !maps.Equal(logs, c.want) || len(h.violations) > 0 {
				t.Errorf("%s, %s: complete %v, %v, want %v; %v", c.name, in.Model, h.out.Complete, logs, c.want, h.violations)
			}
		}
	}
}

// SetUp is never faulty, and neither is what an actor sends to itself, a message of the machine's own or an Ask's
// answer.
func TestNeverFaulty(t *testing.T) {
	p := func(t *explore.T, ctx *actor.Context) {
		var self, watched, asked actor.Ref
		t.SetUp(func() {
			self = ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) {
				if msg == "go" {
					ctx.Send(ctx.Self(), "done")
					ctx.Watch(watched)
					ctx.StopActor(watched)
					f := ctx.Ask(asked, "question")
					ctx.Await(f)
					ctx.After(time.Second, "late")
				}
			}))
			watched = ctx.Spawn(actor.Func(func(*actor.Context, any) {}))
			asked = ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) { ctx.Reply(msg) }))
			ctx.Send(watched, "early")
			ctx.Send(asked, "early")
		})
		ctx.Send(self, "go")
	}
	var c explore.Conditions
	c.Model, c.Faults = trace.FIFO, trace.Faults{Max: 1, Kinds: trace.FaultKindsOf(trace.Drop, trace.Duplicate)}
	lost := map[string]bool{}
	o := explore.Options{Conditions: c, After: func(_ *explore.Counters, tr *trace.Trace) {
		for e := range tr.Events {
			if s := tr.Events[e].Step; s.Kind == trace.Fault {
				lost[fmt.Sprint(tr.Messages[s.Message].Value)] = e >= tr.Explored
			}
		}
	}}
	if _, err := explore.Run(actor.New(p), dpor.NewSource(nil), o); err != nil {
		t.Fatal(err)
	}
	if want := (map[string]bool{"go": true, "question": true}); !maps.Equal(lost, want) {
		t.Errorf("lost or doubled: %v, want %v", lost, want)
	}
}

// What a crash leaves behind is worth a warning; its watchers are told.
func TestCrashConsequences(t *testing.T) {
	_, warnings, h := tallied(t, sends(1, 2), fifo, "crash", search.NewNaive())
	if want := []string{"orphan-dead: actor_test.counter: int: "}; len(h.violations) > 0 || !slices.Equal(warnings, want) {
		t.Errorf("violations %v, warnings %v, want %v", h.violations, warnings, want)
	}
	logs, warnings, h := tallied(t, func(t *explore.T, ctx *actor.Context) {
		to := ctx.SpawnNamed("counter", &counter{})
		w := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) {
			switch msg.(type) {
			case string:
				ctx.Watch(to)
			case actor.Terminated:
				ctx.T().Log("terminated")
				ctx.Send(to, 2)
			}
		}))
		ctx.Send(w, "watch")
		ctx.Send(to, 1)
	}, fifo, "crash-losing", search.NewNaive())
	if logs["terminated"] == 0 || len(h.violations) > 0 ||
		!slices.Contains(warnings, "dead-letter: actor_test.TestCrashConsequences: int: ") {
		t.Errorf("%v, violations %v, warnings %v", logs, h.violations, warnings)
	}
}

// phoenix has everything that a restart has to deal with.
type phoenix struct {
	seen   []string
	cloned int
}

func (p *phoenix) Start(ctx *actor.Context) { ctx.T().Log("start"); ctx.After(time.Second, "timeout") }

func (p *phoenix) Clone() actor.Behavior { return &phoenix{slices.Clone(p.seen), p.cloned + 1} }

func (p *phoenix) Receive(ctx *actor.Context, msg any) {
	p.seen = append(p.seen, fmt.Sprint(msg))
	ctx.T().Log(strings.Join(p.seen, "+"))
	switch msg {
	case "later":
		ctx.Stash()
		ctx.Become(actor.Func(func(ctx *actor.Context, msg any) { ctx.T().Log("other"); ctx.Stop() }))
	case "timeout":
		ctx.T().Logf("of %d", p.cloned)
		ctx.Stop()
	}
}

// A restart forgets the state, goes back to the first behaviour, gives back what was stashed, ends the timers of the
// old instance and runs the start hook again.
func TestRestart(t *testing.T) {
	logs, _, h := tallied(t, func(t *explore.T, ctx *actor.Context) {
		ctx.Send(ctx.SpawnNamed("phoenix", &phoenix{}), "later")
	}, fifo, "restart", search.NewNaive())
	want := map[string]int{
		"start later other":             1, // the timer finds the other behaviour
		"start later start later other": 1, // what was stashed comes back, and is stashed again
	}
	if !maps.Equal(logs, want) || !h.out.Complete {
		t.Errorf("%v, want %v", logs, want)
	}
	// The fresh one is a clone of the clone that was kept; the old one's timer is gone.
	logs, _, _ = tallied(t, func(t *explore.T, ctx *actor.Context) {
		ctx.Send(ctx.SpawnNamed("phoenix", &phoenix{}), "now")
	}, fifo, "restart", search.NewNaive())
	want = map[string]int{"start now now+timeout of 0": 1, "start now start timeout of 2": 1}
	if !maps.Equal(logs, want) {
		t.Errorf("%v, want %v", logs, want)
	}
}

// A start hook that panics, or ends the execution, does so in a restart too.
func TestRestartFails(t *testing.T) {
	for _, end := range []string{"panic", "fail"} {
		restarted := 0
		p := func(t *explore.T, ctx *actor.Context) {
			restarted = 0
			ctx.Send(ctx.Spawn(&brittle{&restarted, end}), 1)
		}
		_, _, h := tallied(t, p, fifo, "restart", search.NewNaive())
		if len(h.violations) != 1 || h.out.Executions != 2 {
			t.Errorf("%s: violations %v, %+v", end, h.violations, h.out)
		}
	}
}

// brittle cannot be started twice.
type brittle struct {
	starts *int
	end    string
}

func (b *brittle) Clone() actor.Behavior       { return b }
func (b *brittle) Receive(*actor.Context, any) {}
func (b *brittle) Start(ctx *actor.Context) {
	if *b.starts++; *b.starts < 2 {
		return
	}
	if b.end == "panic" {
		panic("again")
	}
	ctx.T().Fatal("again")
}

// A lost request, or a lost answer, leaves the caller blocked, or timed out; the second answer to a doubled request is
// a warning.
func TestFaultsOfCalls(t *testing.T) {
	asks := func(patience time.Duration) program {
		return func(t *explore.T, ctx *actor.Context) {
			to := ctx.SpawnNamed("echo", actor.Func(func(ctx *actor.Context, msg any) { ctx.Reply(msg) }))
			if patience == 0 {
				v, err := ctx.Call(to, 1)
				t.Log(v, err)
				return
			}
			v, err := ctx.CallTimeout(to, 1, patience)
			t.Log(v, err)
		}
	}
	for _, in := range allModels {
		logs, _, h := tallied(t, asks(0), in, "drop", search.NewNaive())
		if want := []string{"deadlock: Driver awaits reply to int"}; !slices.Equal(h.violations, want) || logs[""] != 2 ||
			logs["1 <nil>"] != 1 {
			t.Errorf("%s: %v, %v", in.Model, logs, h.violations)
		}
		logs, _, h = tallied(t, asks(time.Second), in, "drop", search.NewNaive())
		if want := map[string]int{"1 <nil>": 1, "<nil> " + actor.ErrTimeout.Error(): 2}; !maps.Equal(logs, want) ||
			len(h.violations) > 0 {
			t.Errorf("%s: %v, want %v; %v", in.Model, logs, want, h.violations)
		}
		_, warnings, h := tallied(t, asks(0), in, "duplicate", search.NewNaive())
		if len(warnings) == 0 || len(h.violations) > 0 {
			t.Errorf("%s: a doubled request: warnings %v, violations %v", in.Model, warnings, h.violations)
		}
	}
}

// A task that a crashed actor had released ends with it, and so does one of an actor that is restarted.
func TestFaultsOfTasks(t *testing.T) {
	p := func(t *explore.T, ctx *actor.Context) {
		open := false
		to := ctx.SpawnNamed("waiter", actor.Func(func(ctx *actor.Context, msg any) {
			switch msg {
			case "wait":
				defer t.Log("ended")
				ctx.AwaitUntil(func() bool { return open })
				t.Log("went on")
			case "open":
				open = true
			}
		}))
		ctx.Send(to, "wait")
		ctx.Send(to, "open")
	}
	for _, kind := range []string{"crash", "restart"} {
		logs, _, h := tallied(t, p, fifo, kind, search.NewNaive())
		// Not at all, after either message, or after the task has gone on.
		want := map[string]int{"went on ended": 2, "ended": 2}
		if !maps.Equal(logs, want) || len(h.violations) > 0 {
			t.Errorf("%s: %v, want %v; %v", kind, logs, want, h.violations)
		}
	}
}

// The bound holds whatever it is, and a random walk injects none in some executions.
func TestRandomFaults(t *testing.T) {
	most := 0
	counts := map[int]int{}
	c := bag
	c.Faults, _ = trace.ParseFaults("drop:2")
	o := explore.Options{Conditions: c, Budget: explore.Budget{Executions: 500},
		After: func(_ *explore.Counters, tr *trace.Trace) {
			n := 0
			for e := range tr.Events {
				if tr.Events[e].Step.Kind == trace.Fault {
					n++
				}
			}
			counts[n]++
			most = max(most, n)
		}}
	p := func(t *explore.T, ctx *actor.Context) {
		to := ctx.SpawnNamed("counter", &counter{})
		for range 10 {
			ctx.Send(ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) { ctx.Send(to, msg) })), 1)
		}
	}
	if _, err := explore.Run(actor.New(p), sample.NewRandom(1), o); err != nil {
		t.Fatal(err)
	}
	if most != 2 || counts[0] < 50 || counts[1] < 50 || counts[2] < 50 {
		t.Errorf("executions by number of faults: %v", counts)
	}
}
