package protoactor_test

import (
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/router"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// key is a message that a consistent hash routes.
type key struct {
	name string
	n    int
}

func (k key) Hash() string { return k.name }

// routees starts n named sinks: r0, r1, ...
func routees(s *actor.ActorSystem, n int, j *journal) []*actor.PID {
	var pids []*actor.PID
	for i := range n {
		name := "r" + string(rune('0'+i))
		pids = append(pids, start(s, name, routee(name, j)))
	}
	return pids
}

// routee notes under its name what it is told, and answers.
func routee(name string, j *journal) actor.ReceiveFunc {
	return func(ctx actor.Context) {
		switch m := ctx.Message().(type) {
		case told:
			j.Note("%s %d", name, m.n)
		case key:
			j.Note("%s %s", name, m.name)
		case ask:
			ctx.Respond(told{2 * m.n})
		case *actor.Stopped:
			j.Note("%s stopped", name)
		}
	}
}

// pooled is a routee of a pool: it notes the number of its process.
func pooled(j *journal) actor.PropsOption {
	return actor.WithFunc(func(ctx actor.Context) {
		if m, ok := ctx.Message().(told); ok {
			id := ctx.Self().Id
			j.Note("%s %d", id[strings.LastIndexByte(id, '/')+1:], m.n)
		}
	})
}

// routed is a program that starts a router and sends to it: build makes the router.
func routed(build func(s *actor.ActorSystem, j *journal) *actor.Props, messages ...any) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		var r *actor.PID
		s := world(t, func(s *actor.ActorSystem) { r = s.Root.Spawn(build(s, j)) })
		for _, m := range messages {
			s.Root.Send(r, m)
		}
	}
}

// chosen wants n choices of the exploration in every execution.
func chosen(n int) func(*testing.T, *trace.Trace) {
	return func(t *testing.T, tr *trace.Trace) {
		got := 0
		for _, e := range tr.Events {
			if e.Step.Kind == trace.Choose {
				got++
			}
		}
		if got != n {
			t.Errorf("%d choices, want %d", got, n)
		}
	}
}

// list notes the routees that a router has.
func list(s *actor.ActorSystem, r *actor.PID, j *journal) {
	answer, err := s.Root.RequestFuture(r, &router.GetRoutees{}, time.Second).Result()
	if err != nil {
		panic(err)
	}
	var ids []string
	for _, pid := range answer.(*router.Routees).PIDs {
		ids = append(ids, pid.Id)
	}
	j.Note("%s", strings.Join(ids, "+"))
}

var routers = []feature{
	// The framework's counter starts with the second routee.
	{Name: "RoundRobinGroup", Program: routed(func(s *actor.ActorSystem, j *journal) *actor.Props {
		return router.NewRoundRobinGroup(routees(s, 2, j)...)
	}, told{1}, told{2}, told{3}), Want: []string{
		"r1 1, r0 2, r1 3", "r1 1, r1 3, r0 2", "r0 2, r1 1, r1 3"}},

	{Name: "RoundRobinPool", Program: routed(func(s *actor.ActorSystem, j *journal) *actor.Props {
		return router.NewRoundRobinPool(2, pooled(j))
	}, told{1}, told{2}), Want: []string{"$3 1, $2 2", "$2 2, $3 1"}},

	{Name: "BroadcastGroup", Program: routed(func(s *actor.ActorSystem, j *journal) *actor.Props {
		return router.NewBroadcastGroup(routees(s, 2, j)...)
	}, told{1}), Want: []string{"r0 1, r1 1", "r1 1, r0 1"}},

	{Name: "BroadcastPool", Program: routed(func(s *actor.ActorSystem, j *journal) *actor.Props {
		return router.NewBroadcastPool(2, pooled(j))
	}, told{1}), Want: []string{"$2 1, $3 1", "$3 1, $2 1"}},

	// BroadcastMessage goes through the router's own actor.
	{Name: "BroadcastMessage", Program: routed(func(s *actor.ActorSystem, j *journal) *actor.Props {
		return router.NewRoundRobinGroup(routees(s, 2, j)...)
	}, &router.BroadcastMessage{Message: told{7}}), Want: []string{"r0 7, r1 7", "r1 7, r0 7"}},

	{Name: "RandomGroup", Program: routed(func(s *actor.ActorSystem, j *journal) *actor.Props {
		return router.NewRandomGroup(routees(s, 3, j)...)
	}, told{1}), Want: []string{"r0 1", "r1 1", "r2 1"}, Check: chosen(1)},

	{Name: "RandomPool", Program: routed(func(s *actor.ActorSystem, j *journal) *actor.Props {
		return router.NewRandomPool(2, pooled(j))
	}, told{1}, told{2}), Want: []string{
		"$2 1, $2 2", "$3 1, $3 2", "$2 1, $3 2", "$3 2, $2 1", "$3 1, $2 2", "$2 2, $3 1"}, Check: chosen(2)},

	// An actor that sends to the router makes the choice in its own step.
	{Name: "RandomFromActor", Program: func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			r := s.Root.Spawn(router.NewRandomGroup(routees(s, 2, j)...))
			a = start(s, "a", passer(&r))
		})
		s.Root.Send(a, told{1})
	}, Want: []string{"r0 1", "r1 1"}, Check: func(t *testing.T, tr *trace.Trace) {
		chosen(1)(t, tr)
		for _, e := range tr.Events {
			if e.Step.Kind == trace.Choose && tr.ActorName(e.Step.Actor) != "a" {
				t.Errorf("the choice is a step of %s", tr.ActorName(e.Step.Actor))
			}
		}
	}},

	// The same key always goes to the same routee, whichever that is.
	{Name: "ConsistentHashGroup", Program: routed(func(s *actor.ActorSystem, j *journal) *actor.Props {
		return router.NewConsistentHashGroup(routees(s, 3, j)...)
	}, key{"x", 1}, key{"x", 2}), Check: func(t *testing.T, tr *trace.Trace) {
		var to []int32
		for _, m := range tr.Messages {
			if _, ok := m.Value.(key); ok {
				to = append(to, m.Receiver)
			}
		}
		if len(to) != 2 || to[0] != to[1] {
			t.Errorf("the messages with one key went to %v", to)
		}
	}},

	{Name: "Request", Program: func(t *explore.T, j *journal) {
		var r *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			r = s.Root.Spawn(router.NewRandomGroup(routees(s, 2, j)...))
		})
		answer, err := s.Root.RequestFuture(r, ask{4}, time.Second).Result()
		j.Note("%v %v", answer, err)
	}, Want: []string{"{8} <nil>"}},

	{Name: "Management", Long: true, Program: func(t *explore.T, j *journal) {
		var r *actor.PID
		var pids []*actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			pids = routees(s, 3, j)
			r = s.Root.Spawn(router.NewBroadcastGroup(pids[:2]...))
		})
		list(s, r, j)
		s.Root.Send(r, &router.AddRoutee{PID: pids[2]})
		list(s, r, j)
		s.Root.Send(r, &router.RemoveRoutee{PID: pids[0]})
		list(s, r, j)
		s.Root.Send(r, told{1})
	}, Want: []string{"r0+r1, r0+r1+r2, r2+r1, r1 1, r2 1", "r0+r1, r0+r1+r2, r2+r1, r2 1, r1 1"}},

	// Whether a message still goes to the routee that is being removed is a race between the router's actor and who sends.
	{Name: "RemovalRace", Program: func(t *explore.T, j *journal) {
		var r, a *actor.PID
		var pids []*actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			pids = routees(s, 2, j)
			r = s.Root.Spawn(router.NewBroadcastGroup(pids...))
			a = start(s, "a", passer(&r))
		})
		s.Root.Send(r, &router.RemoveRoutee{PID: pids[0]})
		s.Root.Send(a, told{1})
	}, Want: []string{"r0 1, r1 1", "r1 1, r0 1", "r1 1"}},

	// A pool sleeps for a millisecond and then poisons the routee that it removes.
	{Name: "RemovalFromPool", Program: func(t *explore.T, j *journal) {
		var r *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			r = s.Root.Spawn(router.NewRoundRobinPool(2, actor.WithFunc(routee("r", j))))
		})
		answer, _ := s.Root.RequestFuture(r, &router.GetRoutees{}, time.Second).Result()
		s.Root.Send(r, &router.RemoveRoutee{PID: answer.(*router.Routees).PIDs[0]})
		s.Root.Send(r, &router.GetRoutees{})
	}, Want: []string{"r stopped"}, Trial: trial{Checker: off(trace.DeadLetter)}},

	// A stopped pool router keeps its process and divides by the number of its routees: what is sent to it then panics in
	// the sender.
	{Name: "StopPool", Program: func(t *explore.T, j *journal) {
		var r *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			r = s.Root.Spawn(router.NewRoundRobinPool(2, actor.WithFunc(routee("r", j))))
		})
		j.Note("%v", s.Root.StopFuture(r).Wait())
		s.Root.Send(r, told{1})
	}, Want: []string{"r stopped, r stopped, <nil>"}, Trial: trial{Checker: off(trace.Panic)}, Check: func(t *testing.T, tr *trace.Trace) {
		in := tr.Events[len(tr.Events)-1].Incidents
		if len(in) != 1 || in[0].Kind != trace.Panic || !strings.HasSuffix(in[0].Site, "router.roundRobinRoutee") {
			t.Errorf("the last event has %d incidents, want one panic of the router", len(in))
		}
	}},

	// Stopping the router of a group leaves the routees alone.
	{Name: "StopGroup", Program: func(t *explore.T, j *journal) {
		var r *actor.PID
		var pids []*actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			pids = routees(s, 2, j)
			r = s.Root.Spawn(router.NewRoundRobinGroup(pids...))
		})
		j.Note("%v", s.Root.PoisonFuture(r).Wait())
		s.Root.Send(pids[0], told{1})
	}, Want: []string{"<nil>, r0 1"}},
}

func TestRouters(t *testing.T) { runAll(t, short(routers)) }
