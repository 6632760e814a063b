package protoactor_test

import (
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/explore"
)

// strategyFunc is a supervisor's strategy that the program brings.
type strategyFunc func(s *actor.ActorSystem, by actor.Supervisor, child *actor.PID, reason any)

func (f strategyFunc) HandleFailure(s *actor.ActorSystem, by actor.Supervisor, child *actor.PID, _ *actor.RestartStatistics, reason, _ any) {
	f(s, by, child, reason)
}

// decided is a program with a worker w that fails, and then tells z 2; its boss does with the failure what the strategy
// says, which may tell z 1.
func decided(strategy func(z *actor.PID) strategyFunc) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		var w, z *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			z = start(s, "z", named("z", j))
			worker := actor.PropsFromFunc(func(ctx actor.Context) {
				switch ctx.Message().(type) {
				case boom:
					panic("boom")
				case tick:
					ctx.Send(z, told{2})
				}
			})
			boss := actor.PropsFromFunc(func(ctx actor.Context) {
				if _, ok := ctx.Message().(*actor.Started); ok {
					w = ctx.Spawn(worker)
				}
			}, actor.WithSupervisor(strategy(z)))
			s.Root.Spawn(boss)
		})
		s.Root.Send(w, boom{})
		s.Root.Send(w, tick{})
	}
}

var decisions = []feature{
	{Name: "TellsThenResumes", Trial: panicsOff, Want: []string{"z 1, z 2"},
		Program: decided(func(z *actor.PID) strategyFunc {
			return func(s *actor.ActorSystem, by actor.Supervisor, child *actor.PID, _ any) {
				s.Root.Send(z, told{1})
				by.ResumeChildren(child)
			}
		})},
	{Name: "ResumesThenTells", Trial: panicsOff, Want: []string{"z 1, z 2", "z 2, z 1"},
		Program: decided(func(z *actor.PID) strategyFunc {
			return func(s *actor.ActorSystem, by actor.Supervisor, child *actor.PID, _ any) {
				by.ResumeChildren(child)
				s.Root.Send(z, told{1})
			}
		})},
	{Name: "ResumesThenStops", Trial: panicsOff, Want: []string{"", "z 2"},
		Program: decided(func(*actor.PID) strategyFunc {
			return func(_ *actor.ActorSystem, by actor.Supervisor, child *actor.PID, _ any) {
				by.ResumeChildren(child)
				by.StopChildren(child)
			}
		})},
	{Name: "Suspends", Program: func(t *explore.T, j *journal) {
		var a, z *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			z = start(s, "z", named("z", j))
			a = start(s, "a", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); ok { // a stranger that stops user messages for a while
					p, _ := s.ProcessRegistry.Get(z)
					p.SendSystemMessage(z, &actor.SuspendMailbox{})
					ctx.Send(z, told{1})
					p.SendSystemMessage(z, &actor.ResumeMailbox{})
				}
			})
		})
		s.Root.Send(a, tick{})
		s.Root.Send(z, told{2})
	}, Want: []string{"z 1, z 2", "z 2, z 1"}},
}

// What a supervisor does by a strategy of the program's comes in the order of the program, and so does what children do
// because of it.
func TestStrategiesOfTheProgram(t *testing.T) { runAll(t, decisions) }
