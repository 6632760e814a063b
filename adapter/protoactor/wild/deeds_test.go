package wild

import (
	"strings"

	"github.com/asynkron/protoactor-go/actor"
)

// most is how many actors one gets to know.
const most = 6

// do does one deed. l is the letter that it may send.
func (s *scene) do(d deed, l letter) {
	if len(s.player.known) == 0 {
		return
	}
	to := s.player.known[d.to%len(s.player.known)]
	if s.speak(d, l, to) || s.govern(d, l, to) || s.promise(d, l, to) || s.around(d, l, to) || s.handler == nil {
		return
	}
	s.alone(d, l)
}

// speak does what is about messages.
func (s *scene) speak(d deed, l letter, to *actor.PID) bool {
	switch d.what {
	case "send":
		l.to = to
		s.Send(to, l)
	case "request":
		l.to = to
		s.Request(to, l)
	case "onBehalf": // who is to answer to somebody else
		l.to = to
		s.RequestWithCustomSender(to, l, s.player.known[d.typ%len(s.player.known)])
	case "introduce":
		l.to, l.ref = to, s.player.known[len(s.player.known)-1]
		s.Send(to, l)
	case "rootSend":
		l.to = to
		s.world.system.Root.Send(to, l)
	case "byName":
		s.Send(actor.NewPID(to.Address, to.Id+"/"+strings.ToLower(to.Id)+"1"), l)
	case "quiet":
		l.to = to
		s.Send(to, quiet{l})
	case "auto":
		l.to = to
		s.Request(to, auto{l})
	case "batch":
		second := l
		second.typ, second.name = 1-l.typ, l.name+"b"
		s.Send(to, batch{l, second})
	default:
		return false
	}
	return true
}

// govern does what is about the lives of actors.
func (s *scene) govern(d deed, l letter, to *actor.PID) bool {
	switch d.what {
	case "spawn":
		s.spawn(s.context, s.seat, d.to%kinds, l)
	case "rootSpawn":
		s.spawn(s.world.system.Root, s.seat, d.to%kinds, l)
	case "claim":
		s.claim(d, l)
	case "stop":
		s.Stop(to)
	case "poison":
		s.Poison(to)
	case "watch", "unwatch":
		switch {
		case s.handler == nil:
		case d.what == "unwatch":
			s.handler.Unwatch(to)
		case s.watched < 2:
			s.watched++
			s.handler.Watch(to)
		}
	default:
		return false
	}
	return true
}

// spawner is who creates an actor.
type spawner interface {
	SpawnNamed(*actor.Props, string) (*actor.PID, error)
}

// spawn creates an actor that knows what its creator knows.
func (s *scene) spawn(by spawner, parent *seat, kind int, l letter) {
	if len(s.player.known) >= most || parent.born >= 3 {
		return
	}
	parent.born++
	path := strings.ToLower(parent.path) + string(rune('0'+parent.born))
	child := &seat{world: s.world, path: path, kind: kind, hops: l.hops, known: s.player.known}
	pid, err := by.SpawnNamed(s.world.props(child), path)
	if err != nil {
		s.note("%v", err)
		return
	}
	s.world.add(child)
	s.player.known = append(s.player.known, pid)
}

// claim creates an actor under a name that another one may have.
func (s *scene) claim(d deed, l letter) {
	child := &seat{world: s.world, path: "X by " + s.path + " " + l.name, kind: d.typ % kinds, hops: l.hops, known: s.player.known}
	pid, err := s.world.system.Root.SpawnNamed(s.world.props(child), "X")
	if err != nil {
		s.note("taken")
	} else {
		s.world.add(child)
	}
	if len(s.player.known) < most {
		s.player.known = append(s.player.known, pid)
	}
}

// alone does what an actor does about itself.
func (s *scene) alone(d deed, l letter) {
	switch d.what {
	case "self":
		s.Send(s.handler.Self(), l)
	case "respond":
		if s.handler.Sender() != nil && !(s.world.program.plain && s.asked && s.answered) {
			s.answered = true
			s.handler.Respond(l)
		}
	case "forward":
		s.forward(d)
	case "children":
		s.note("%d children", len(s.handler.Children()))
	case "become":
		s.behavior.Become(s.other)
	case "stack":
		s.behavior.BecomeStacked(s.other)
	case "unstack":
		s.behavior.UnbecomeStacked()
	case "stash":
		if _, is := s.handler.Message().(letter); is && !s.stashed {
			s.stashed = true
			s.handler.Stash()
		}
	case "panic":
		if _, is := s.handler.Message().(letter); is || !s.fell {
			s.fell = s.fell || !is
			panic([]string{"boom", "bang"}[d.typ])
		}
	case "stopSelf":
		s.handler.Stop(s.handler.Self())
	case "timeout":
		if s.waits < 3 {
			s.waits++
			s.handler.SetReceiveTimeout(seconds(d.to + 1))
		}
	case "noTimeout":
		s.handler.CancelReceiveTimeout()
	}
}

// forward hands a letter on, once.
func (s *scene) forward(d deed) {
	l, is := s.handler.Message().(letter)
	to := s.player.known[d.to%len(s.player.known)]
	if !is || l.to == nil || !l.to.Equal(s.handler.Self()) || to.Equal(l.to) || s.world.isRouter(to) || s.world.program.plain && s.asked && s.answered {
		return
	}
	s.answered = true // somebody else does it
	s.handler.Forward(to)
}
