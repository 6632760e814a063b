package protoactor_test

import (
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// The tests of this file are about what lets another actor go on under mailbox: an answer, and the start of an actor,
// in the order of the program with what the handler sends. What is wanted was also seen on the framework without
// Rehearse, many thousand times.

// answering is a log, a server that does what is given when it is asked, and a client that notes "after" when it has
// the answer. The request that it makes is given too.
func answering(server func(ctx actor.Context, log *actor.PID), request func(ctx actor.Context, server, log *actor.PID)) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		var client *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			log := start(s, "log", notes(j))
			called := start(s, "server", func(ctx actor.Context) {
				if _, ok := ctx.Message().(ask); ok {
					server(ctx, log)
				}
			})
			client = start(s, "client", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); ok {
					request(ctx, called, log)
				}
			})
		})
		s.Root.Send(client, tick{})
	}
}

// notes is an actor that notes the texts that it gets.
func notes(j *journal) actor.ReceiveFunc {
	return func(ctx actor.Context) {
		if s, ok := ctx.Message().(string); ok {
			j.Note("%s", s)
		}
	}
}

func waits(ctx actor.Context, server, log *actor.PID) {
	_ = ctx.RequestFuture(server, ask{}, time.Second).Wait()
	ctx.Send(log, "after")
}

func reenters(ctx actor.Context, server, log *actor.PID) {
	ctx.ReenterAfter(ctx.RequestFuture(server, ask{}, time.Second), func(any, error) { ctx.Send(log, "after") })
}

func pipes(ctx actor.Context, server, log *actor.PID) {
	ctx.RequestFuture(server, ask{}, time.Second).PipeTo(log)
}

func stopsIt(ctx actor.Context, server, log *actor.PID) {
	_ = ctx.StopFuture(server).Wait()
	ctx.Send(log, "after")
}

func respondsFirst(ctx actor.Context, log *actor.PID) {
	ctx.Respond("after")
	ctx.Send(log, "p1")
}

func respondsLast(ctx actor.Context, log *actor.PID) {
	ctx.Send(log, "p1")
	ctx.Send(log, "p2")
	ctx.Respond("after")
}

// seldomLate pipes an answer behind which something comes to the same actor, but not in the first execution.
func seldomLate(t *explore.T, j *journal) {
	var server, client *actor.PID
	s := world(t, func(s *actor.ActorSystem) {
		log, told := start(s, "log", notes(j)), false
		server = start(s, "server", func(ctx actor.Context) {
			switch ctx.Message().(type) {
			case quit:
				told = true
			case ask:
				ctx.Respond("after")
				if !told {
					ctx.Send(log, "p1")
				}
			}
		})
		client = start(s, "client", func(ctx actor.Context) {
			if _, ok := ctx.Message().(tick); ok {
				pipes(ctx, server, log)
			}
		})
	})
	s.Root.Send(client, tick{})
	s.Root.Send(server, quit{})
}

func respondsOnce(ctx actor.Context, _ *actor.PID) { ctx.Respond("r1") }

func respondsTwice(ctx actor.Context, _ *actor.PID) {
	ctx.Respond("r1")
	ctx.Respond("r2")
}

// born notes its birth at a third actor when it starts.
func born(log *actor.PID) *actor.Props {
	return actor.PropsFromFunc(func(ctx actor.Context) {
		if _, ok := ctx.Message().(*actor.Started); ok {
			ctx.Send(log, "child")
		}
	})
}

// eager sends itself a message when it starts.
func eager(j *journal) *actor.Props {
	return actor.PropsFromFunc(func(ctx actor.Context) {
		if _, ok := ctx.Message().(*actor.Started); ok {
			ctx.Send(ctx.Self(), "self")
		}
		notes(j)(ctx)
	})
}

func TestReleases(t *testing.T) {
	either, after, between := []string{"after, p1", "p1, after"}, []string{"p1, p2, after"}, []string{"child, p1, p2", "p1, child, p2", "p1, p2, child"}
	serial := trial{Model: trace.MailboxSerial}
	runAll(t, []feature{
		{Name: "AnswerFirst", Program: answering(respondsFirst, waits), Want: either},
		{Name: "AnswerFirstSerial", Program: answering(respondsFirst, waits), Want: either[1:], Trial: serial},
		{Name: "AnswerLast", Program: answering(respondsLast, waits), Want: after},
		{Name: "ReenterFirst", Program: answering(respondsFirst, reenters), Want: either},
		{Name: "ReenterLast", Program: answering(respondsLast, reenters), Want: after},
		// who answers sends to the pipe, or who has asked
		{Name: "PipeFirst", Program: answering(respondsFirst, pipes), Want: either},
		{Name: "PipeInTime", Program: answering(respondsFirst, func(ctx actor.Context, server, log *actor.PID) {
			reply := ctx.RequestFuture(server, ask{}, time.Second)
			_ = ctx.RequestFuture(server, ask{}, time.Second).Wait() // so the first answer is there
			reply.PipeTo(log)
		}), Want: []string{"p1, after, p1", "p1, p1, after"}},
		{Name: "PipeSeldomLate", Program: seldomLate, Omitted: "client asks server, and then has the answer piped"},
		{Name: "PipeLast", Program: answering(respondsLast, pipes), Want: after},
		// What hangs on a future happens when it is resolved, also while its owner still sends.
		{Name: "PipeAndSend", Program: answering(respondsOnce, func(ctx actor.Context, server, log *actor.PID) {
			pipes(ctx, server, log)
			ctx.Send(log, "own")
		}), Want: []string{"own, r1", "r1, own"}},
		{Name: "PipeTwice", Program: answering(respondsOnce, func(ctx actor.Context, server, log *actor.PID) {
			ctx.RequestFuture(server, ask{}, time.Second).PipeTo(log, log)
			ctx.Send(log, "own")
		}), Want: []string{"own, r1, r1", "r1, own, r1", "r1, r1, own"}},
		// Of two answers to one request the first is the answer.
		{Name: "SecondAnswerPiped", Program: answering(respondsTwice, pipes), Want: []string{"r1"}, Trial: trial{Checker: off(trace.DeadLetter)}},
		{Name: "SecondAnswerAwaited", Program: answering(respondsTwice, func(ctx actor.Context, server, log *actor.PID) {
			v, _ := ctx.RequestFuture(server, ask{}, time.Second).Result()
			ctx.Send(log, v)
		}), Want: []string{"r1"}, Trial: trial{Checker: off(trace.DeadLetter)}},
		{Name: "StopFuture", Program: func(t *explore.T, j *journal) {
			var client *actor.PID
			s := world(t, func(s *actor.ActorSystem) {
				log := start(s, "log", notes(j))
				stopped := start(s, "stopped", func(ctx actor.Context) {
					if _, ok := ctx.Message().(*actor.Stopping); ok {
						ctx.Send(log, "p1")
						ctx.Send(log, "p2")
					}
				})
				client = start(s, "client", func(ctx actor.Context) {
					if _, ok := ctx.Message().(tick); ok {
						stopsIt(ctx, stopped, log)
					}
				})
			})
			s.Root.Send(client, tick{})
		}, Want: after},
		// Nobody handles anything between a new actor's start and what its creator sends to it next, but the new actor
		// itself.
		{Name: "SpawnThenSend", Program: spawning(func(ctx actor.Context, _ *actor.PID, j *journal) {
			ctx.Send(ctx.Spawn(eager(j)), "work")
		}), Want: []string{"self, work", "work, self"}},
		{Name: "SpawnThenSendSerial", Program: spawning(func(ctx actor.Context, _ *actor.PID, j *journal) {
			ctx.Send(ctx.Spawn(eager(j)), "work")
		}), Want: []string{"work, self"}, Trial: serial},
		{Name: "SpawnThenThird", Program: spawning(func(ctx actor.Context, log *actor.PID, _ *journal) {
			ctx.Spawn(born(log))
			ctx.Send(log, "p1")
			ctx.Send(log, "p2")
		}), Want: between},
		{Name: "ThirdThenSpawn", Program: spawning(func(ctx actor.Context, log *actor.PID, _ *journal) {
			ctx.Send(log, "p1")
			ctx.Send(log, "p2")
			ctx.Spawn(born(log))
		}), Want: between[2:]},
		{Name: "DriverSpawns", Program: func(t *explore.T, j *journal) {
			root := stock().Root
			root.Send(root.Spawn(eager(j)), "work")
		}, Want: []string{"self, work", "work, self"}},
		// A third actor knows the name that the new one is given, and is quicker than the start.
		{Name: "SpawnNamed", Program: func(t *explore.T, j *journal) {
			var parent, rival *actor.PID
			s := world(t, func(s *actor.ActorSystem) {
				log := start(s, "log", notes(j))
				parent = start(s, "parent", func(ctx actor.Context) {
					if _, ok := ctx.Message().(tick); ok {
						ctx.Send(log, "p1")
						ctx.Send(log, "p2")
						_, _ = ctx.SpawnNamed(actor.PropsFromFunc(func(ctx actor.Context) {
							switch ctx.Message().(type) {
							case *actor.Started:
								j.Note("started")
							case told:
								j.Note("told")
							}
						}), "child")
					}
				})
				rival = start(s, "rival", func(ctx actor.Context) {
					if _, ok := ctx.Message().(tick); ok {
						ctx.Send(actor.NewPID(s.Address(), "parent/child"), told{})
					}
				})
			})
			s.Root.Send(parent, tick{})
			s.Root.Send(rival, tick{})
		}, Check: startsFirst, Trial: trial{Checker: off(trace.DeadLetter)}},
	})
}

// spawning is an actor that does what is given, beside a log.
func spawning(does func(ctx actor.Context, log *actor.PID, j *journal)) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		var parent *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			log := start(s, "log", notes(j))
			parent = start(s, "parent", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); ok {
					does(ctx, log, j)
				}
			})
		})
		s.Root.Send(parent, tick{})
	}
}

// startsFirst wants actors to take nothing before they were started.
func startsFirst(t *testing.T, tr *trace.Trace) {
	started := map[int32]bool{}
	for _, e := range tr.Events {
		if s := e.Step; s.Kind == trace.Deliver {
			if tr.Messages[s.Message].Type.Name == "actor.Started" {
				started[s.Actor] = true
			} else if !started[s.Actor] {
				t.Fatalf("%s comes before its receiver was started", tr.StepName(s))
			}
		}
	}
}

// A panic after the answer fails nothing that was answered: the answer is on its way.
func TestPanicAfterAnswer(t *testing.T) {
	s := trial{Checker: off(trace.Panic)}.Try(t, protoactor.System, answering(func(ctx actor.Context, log *actor.PID) {
		ctx.Send(log, "p1")
		ctx.Respond("fine")
		panic("late")
	}, func(ctx actor.Context, server, log *actor.PID) {
		v, err := ctx.RequestFuture(server, ask{}, time.Second).Result()
		if v != "fine" || err != nil {
			t.Errorf("the answer is %v, %v", v, err)
		}
		ctx.Send(log, "after")
	}), nil)
	s.Quietly(t)
	if got := s.Endings(); len(got) != 1 || got[0] != "p1, after" {
		t.Errorf("the journals are %q", got)
	}
}

// Where what hangs on a future is not released in its turn the result says so.
func TestPipesNotExplored(t *testing.T) {
	both := func(ctx actor.Context, server, log *actor.PID) {
		f := ctx.RequestFuture(server, ask{}, time.Second)
		f.PipeTo(log)
		_ = f.Wait()
	}
	for _, tt := range []struct {
		name   string
		trial  trial
		client func(ctx actor.Context, server, log *actor.PID)
	}{
		{"waits", trial{}, both},
		{"lost", trial{Faults: "drop", Checker: off(trace.DeadLetter)}, pipes},
	} {
		s := tt.trial.Try(t, protoactor.System, answering(respondsOnce, tt.client), nil)
		if s.Err != nil || !strings.Contains(s.Uncontrolled, "that this comes before what the owner sends next is not explored") {
			t.Errorf("%s: %q, error %v", tt.name, s.Uncontrolled, s.Err)
		}
	}
}
