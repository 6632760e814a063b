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
		f := s.StopFuture
		if d.what == "poisonWait" {
			f = s.PoisonFuture
		}
		s.wait(named{"end of " + to.Id, f(to)})
	default:
		return false
	}
	return true
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
		s.handler.ReenterAfter(f.future, func(v any, err error) {
			s.note("%s>%s", f.name, outcome(v, err))
			s.play(l.name+"r", d.then, l.hops)
		})
	case "pipe", "own":
		f.future.PipeTo(s.player.known[(d.to+1)%len(s.player.known)])
	}
}

// future asks through the framework, or through a future of the program's own.
func (s *scene) future(d deed, l letter, to *actor.PID) *actor.Future {
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
