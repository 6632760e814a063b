package wild

import (
	"errors"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

type duration = time.Duration

// seconds is a delay; those of the framework's own are other ones.
func seconds(n int) duration { return duration(n) * time.Second }

// promise does what is about futures.
func (s *scene) promise(d deed, l letter, to *actor.PID) bool {
	switch d.what {
	case "call", "callFor", "ask", "reenter", "reenterFor", "pipe", "own":
		if s.handler == nil && (d.what == "reenter" || d.what == "reenterFor") || s.handler != nil && to.Equal(s.handler.Self()) ||
			s.world.program.plain && s.world.isRouter(to) {
			return true
		}
		s.ask(d, l, to)
	case "await":
		if len(s.futures) > 0 {
			f := s.futures[0]
			s.futures = s.futures[1:]
			s.wait(f)
		}
	case "pipeOld":
		if len(s.futures) > 0 {
			s.futures[0].future.PipeTo(to, s.player.known[d.typ%len(s.player.known)])
		}
	case "stopWait", "poisonWait":
		if s.handler != nil && to.Equal(s.handler.Self()) || s.world.program.plain {
			return true
		}
		s.wait(named{"end of " + to.Id, s.end(to, d.what == "poisonWait")})
	default:
		return false
	}
	return true
}

// promise is what futures have in each version of the framework.
type promise interface {
	PID() *actor.PID
	PipeTo(...*actor.PID)
	Result() (any, error)
}

// as gives a future as what ReenterAfter takes.
func as[F any](_ func(F, func(any, error)), f promise) F { return f.(F) }

// end stops an actor, at once or behind what waits for it. What it gives completes when it has stopped.
func (s *scene) end(who *actor.PID, poison bool) promise {
	switch root := s.ActorSystem().Root; {
	case s.handler != nil && poison:
		return s.handler.PoisonFuture(who)
	case s.handler != nil:
		return s.handler.StopFuture(who)
	case poison:
		return root.PoisonFuture(who)
	default:
		return root.StopFuture(who)
	}
}

// ask makes a future, and waits for it, or has it lead to something.
func (s *scene) ask(d deed, l letter, to *actor.PID) {
	l.to, l.asked = to, true
	f := named{l.name, s.future(d, l, to)}
	switch d.what {
	case "call", "callFor":
		s.wait(f)
	case "ask":
		s.futures = append(s.futures, f)
	case "reenter", "reenterFor":
		s.handler.ReenterAfter(as(s.handler.ReenterAfter, f.future), func(v any, err error) {
			s.note("%s>%s", f.name, outcome(v, err))
			s.play(l.name+"r", d.then, l.hops)
		})
	case "pipe", "own":
		f.future.PipeTo(s.player.known[(d.to+1)%len(s.player.known)])
	}
}

// future asks through the framework, or through a future of the program's own.
func (s *scene) future(d deed, l letter, to *actor.PID) promise {
	timeout := duration(-1)
	if d.what == "callFor" || d.what == "reenterFor" {
		timeout = seconds(d.typ+1) + time.Second/2
	}
	if d.what != "own" {
		return s.world.keep(s.RequestFuture(to, l, timeout))
	}
	f := s.world.keep(actor.NewFuture(s.world.system, timeout))
	s.RequestWithCustomSender(to, l, f.PID())
	return f
}

// wait notes for what it waits, so that the end tells who is blocked.
func (s *scene) wait(f named) {
	s.note("%s?", f.name)
	s.note("=%s", outcome(f.future.Result()))
}

// outcome names what a future came to.
func outcome(v any, err error) string {
	switch m := v.(type) {
	case letter:
		return m.name
	case *actor.Terminated:
		return "terminated"
	}
	switch {
	case errors.Is(err, actor.ErrTimeout):
		return "late"
	case err != nil:
		return "dead"
	}
	return "something"
}
