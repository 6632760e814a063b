package protoactor_test

import (
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// driverSleeps has the test function sleep between what it sends.
func driverSleeps(t *explore.T, j *journal) {
	var log *actor.PID
	s := world(t, func(s *actor.ActorSystem) { log = start(s, "log", func(ctx actor.Context) { writes(ctx, j) }) })
	s.Root.Send(log, told{1})
	time.Sleep(time.Second)
	s.Root.Send(log, told{2})
	s.Root.Send(log, told{3})
}

// actorSleeps has an actor sleep, or set a timer of its own, while another one has something to do.
func actorSleeps(sleep func(then func())) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		var a, b *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			b = start(s, "b", named("b", j))
			a = start(s, "a", func(ctx actor.Context) {
				if m, ok := ctx.Message().(ask); ok {
					sleep(func() { s.Root.Send(b, told{m.n}) })
				}
			})
		})
		s.Root.Send(a, ask{1})
		s.Root.Send(b, told{2})
	}
}

// Where an actor or the test function sleeps, or sets a timer of its own, the clock may advance at any point and in
// vain: in each place between steps that are independent otherwise. Reductions execute all these classes.
func TestAdvancesInVain(t *testing.T) {
	for _, f := range []feature{
		{Name: "Driver", Program: driverSleeps},
		{Name: "Actor", Program: actorSleeps(func(then func()) { time.Sleep(time.Second); then() })},
		{Name: "AfterFunc", Program: actorSleeps(func(then func()) { time.AfterFunc(time.Second, then) })},
	} {
		for _, model := range []trace.Model{trace.Mailbox, trace.MailboxSerial, trace.Bag} {
			if f.Name == "Driver" && model == trace.Mailbox {
				continue // 512 executions, which show no more
			}
			f.Timers = trace.Async
			t.Run(f.Name+"/"+model.String(), func(t *testing.T) { f.Agree(t, protoactor.System, model, "") })
		}
	}
}
