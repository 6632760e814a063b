package wild

import (
	"slices"
	"strings"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/router"
	"github.com/asynkron/protoactor-go/scheduler"
)

// around does what is about the event stream, timers, routers, time and chance.
func (s *scene) around(d deed, l letter, to *actor.PID) bool {
	switch d.what {
	case "publish":
		s.world.system.EventStream.Publish(event{l})
	case "subscribe":
		s.subscribe(d)
	case "unsubscribe":
		if n := len(s.subs); n > 0 && d.typ == 0 {
			s.world.system.EventStream.Unsubscribe(s.subs[n-1])
		} else if n > 0 {
			s.subs[n-1].Deactivate()
		}
	case "addRoutee", "removeRoutee", "routees", "broadcast":
		if len(s.world.routers) > 0 {
			s.manage(d, l, to)
		}
	case "choose":
		s.note("chose %d", s.world.choose())
	case "error":
		if len(s.log)%2 == 1 && s.world.t != nil {
			s.world.t.Errorf("%s errs", s.path)
		}
	default:
		return s.clock(d, l, to)
	}
	return true
}

// subscribe has what is published sent to this actor, or only letters of one type.
func (s *scene) subscribe(d deed) {
	if s.handler == nil || len(s.subs) >= 2 {
		return
	}
	root, self := s.world.system.Root, s.handler.Self()
	hear := func(e any) {
		if e, ok := e.(event); ok {
			root.Send(self, e.letter)
		}
	}
	stream := s.world.system.EventStream
	if d.to%2 == 0 {
		s.subs = append(s.subs, stream.Subscribe(hear))
		return
	}
	s.subs = append(s.subs, stream.SubscribeWithPredicate(hear, func(e any) bool {
		l, ok := e.(event)
		return ok && l.typ == d.typ
	}))
}

// manage talks to the actor of a router.
func (s *scene) manage(d deed, l letter, to *actor.PID) {
	r := s.world.routers[d.typ%len(s.world.routers)]
	switch d.what {
	case "addRoutee":
		if !s.world.isRouter(to) {
			s.Send(r, &router.AddRoutee{PID: to})
		}
	case "removeRoutee":
		s.Send(r, &router.RemoveRoutee{PID: to})
	case "broadcast":
		s.Request(r, &router.BroadcastMessage{Message: l})
	case "routees":
		s.Request(r, &router.GetRoutees{})
	}
}

// routees lists those of a router, which some routers keep in a map.
func routees(m *router.Routees) string {
	var ids []string
	for _, pid := range m.PIDs {
		ids = append(ids, pid.Id)
	}
	slices.Sort(ids)
	return strings.Join(ids, "+")
}

// clock does what is about time. Delays of one actor differ, so that those that one handler sets do not end at the same
// instant: that is a tie, and known to be one.
func (s *scene) clock(d deed, l letter, to *actor.PID) bool {
	delay := seconds(2*d.to+1) + duration(d.typ)*700*time.Millisecond + duration(len(s.cancels))*13*time.Millisecond
	timers := scheduler.NewTimerScheduler(s.world.system.Root)
	switch d.what {
	case "after":
		s.cancels = append(s.cancels, timers.SendOnce(delay, to, l))
	case "afterFunc":
		timer := time.AfterFunc(delay, func() { s.world.system.Root.Send(to, l) })
		s.cancels = append(s.cancels, func() { timer.Stop() })
	case "repeat":
		l.counts, l.cancel, l.hops = new(int), new(scheduler.CancelFunc), 0
		*l.cancel = timers.SendRepeatedly(delay, 10*delay, to, l)
	case "cancel":
		if n := len(s.cancels); n > 0 {
			s.cancels[d.to%n]()
		}
	case "sleep":
		time.Sleep(delay)
	case "now":
		s.note("at %d s", time.Since(s.world.began)/time.Second)
	default:
		return false
	}
	return true
}
