package hollywood_test

import (
	"testing"
	"time"

	"github.com/anthdm/hollywood/actor"

	"github.com/rehearse-go/rehearse/adapter/hollywood"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

var basics = []feature{
	{Name: "Messages", Program: func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		var a, b, to *actor.PID
		t.SetUp(func() {
			to = e.SpawnFunc(sink("to", j), "to")
			pass := func(c *actor.Context) {
				if m, ok := c.Message().(told); ok {
					c.Send(to, m)
				}
			}
			a, b = e.SpawnFunc(pass, "a"), e.SpawnFunc(pass, "b")
		})
		e.Send(a, told{1})
		e.Send(b, told{2})
	}, Want: []string{"to 1, to 2", "to 2, to 1"}},

	{Name: "StockEngine", Program: func(t *explore.T, j *journal) {
		e, err := actor.NewEngine(actor.NewEngineConfig())
		if err != nil {
			t.Fatalf("%v", err)
		}
		hollywood.Control(e)
		to := e.SpawnFunc(sink("to", j), "to")
		e.Send(to, told{1})
	}, Want: []string{"to 1"}},

	// What an actor does in Initialized and Started is part of the spawn.
	{Name: "Lifecycle", Program: func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		pid := e.SpawnFunc(func(c *actor.Context) {
			j.Note("%T", c.Message())
			switch c.Message().(type) {
			case actor.Initialized:
				c.Send(c.PID(), told{1})
			case actor.Started:
				c.Send(c.PID(), told{2})
			}
		}, "a")
		j.Note("spawned")
		e.Poison(pid)
	}, Want: []string{"actor.Initialized, actor.Started, spawned, hollywood_test.told, hollywood_test.told, " +
		"actor.Stopped"}},

	// Stop drops what waits; what comes when the actor is gone is a dead letter.
	{Name: "Stop", Program: func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		var a, b *actor.PID
		t.SetUp(func() {
			a = e.SpawnFunc(sink("a", j), "a")
			b = e.SpawnFunc(func(c *actor.Context) {
				if _, ok := c.Message().(tick); ok {
					c.Engine().Stop(a)
				}
			}, "b")
		})
		e.Send(b, tick{})
		e.Send(a, told{1})
	}, Want: []string{"", "a 1"}, Trial: trial{Checker: off(trace.DeadLetter, trace.Orphan)}},

	{Name: "DeadLetter", Program: func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		e.Send(actor.NewPID("local", "nobody/here"), told{1})
	}, Finds: []trace.ViolationKind{trace.DeadLetter}},

	{Name: "PoisonWaits", Program: func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		a := e.SpawnFunc(func(c *actor.Context) {
			switch m := c.Message().(type) {
			case told:
				j.Note("%d", m.n)
			case actor.Stopped:
				j.Note("stopped")
			}
		}, "a")
		e.Send(a, told{1})
		<-e.Poison(a).Done()
		j.Note("gone")
		<-e.Poison(a).Done() // of nobody
	}, Want: []string{"1, stopped, gone"}},

	{Name: "Request", Program: func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		var a, b *actor.PID
		t.SetUp(func() {
			b = e.SpawnFunc(doubler, "b")
			a = e.SpawnFunc(func(c *actor.Context) {
				if _, ok := c.Message().(tick); ok {
					r, err := c.Request(b, ask{2}, time.Second).Result()
					j.Note("%v %v", r, err)
				}
			}, "a")
		})
		e.Send(a, tick{})
		r, err := e.Request(b, ask{1}, time.Second).Result()
		j.Note("%v %v", r, err)
	}, Want: []string{"{2} <nil>, {4} <nil>", "{4} <nil>, {2} <nil>"}},

	{Name: "RequestTimesOut", Program: func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		b := e.SpawnFunc(func(*actor.Context) {}, "b")
		_, err := e.Request(b, ask{1}, time.Second).Result()
		j.Note("%v", err)
	}, Want: []string{"context deadline exceeded"}},

	// A panic: Stopped, then a new instance after the delay, in virtual time.
	{Name: "Restart", Program: func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		start := time.Now()
		a := e.SpawnFunc(func(c *actor.Context) {
			switch m := c.Message().(type) {
			case boom:
				panic("boom")
			case told:
				j.Note("told %d after %v", m.n, time.Since(start).Round(time.Millisecond))
			case actor.Started, actor.Stopped:
				j.Note("%T", m)
			}
		}, "a")
		e.Send(a, boom{})
		e.Send(a, told{1})
	}, Want: []string{"actor.Started, actor.Stopped, actor.Started, told 1 after " +
		"500ms"}, Trial: trial{Checker: off(trace.Panic)}},

	{Name: "PanicIsFound", Program: func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		a := e.SpawnFunc(func(c *actor.Context) {
			if _, ok := c.Message().(boom); ok {
				panic("boom")
			}
		}, "a")
		e.Send(a, boom{})
	}, Finds: []trace.ViolationKind{trace.Panic}},

	// A child of a stopped parent is stopped before it.
	{Name: "Child", Program: func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		a := e.SpawnFunc(func(c *actor.Context) {
			switch c.Message().(type) {
			case actor.Started:
				c.SpawnChildFunc(func(c *actor.Context) {
					if _, ok := c.Message().(actor.Stopped); ok {
						j.Note("child")
					}
				}, "child")
			case actor.Stopped:
				j.Note("parent")
			}
		}, "a")
		<-e.Poison(a).Done()
		j.Note("done")
	}, Want: []string{"child, parent, done"}},
}

func TestFeatures(t *testing.T) {
	runAll(t, basics)
}
