package baseline

import "github.com/rehearse-go/rehearse/trace"

// Two steps of different actors depend on each other only if one of them does something out of the ordinary. It sends a
// system message, stops an actor, cancels a timer, or touches a future. [Basset11] has no such steps, so that none of
// its counts depends on what follows.

// outOfTheOrdinary reports whether a step of another actor may depend on the event.
func (s *Search) outOfTheOrdinary(ev *trace.Event) bool {
	if len(ev.Stopped)+len(ev.Cancelled)+len(ev.Touched) > 0 {
		return true
	}
	for _, m := range ev.Sent {
		if s.tr.Messages[m].Class == trace.System {
			return true
		}
	}
	return false
}

// collisions tests event e, whose footprint is known, against all earlier ones of other actors that it depends on.
func (s *Search) collisions(e int32) {
	if s.outOfTheOrdinary(s.event(e)) {
		for k := range e {
			s.collide(k, e)
		}
		s.odd = append(s.odd, e)
		return
	}
	for _, k := range s.odd {
		s.collide(k, e)
	}
}

// collide tests e against k. What e needs is what its message and its actor's earlier steps come from, as far as that
// could happen without k.
func (s *Search) collide(k, e int32) {
	j, i := s.hb.Head(e), s.hb.Head(k)
	if i == j || s.event(k).Step.Actor == s.event(e).Step.Actor {
		return
	}
	s.other = s.hb.Footprint(s.other[:0], k)
	if !s.other.Dependent(s.footprint) {
		return
	}
	if s.needs(j, i) {
		return // the race is with what e needs
	}
	s.before(i, e)
}

// before has event e explored before event i, which does not bring it about.
func (s *Search) before(i, e int32) {
	n := s.nodeOf(i)
	if n == nil || n.whole {
		return
	}
	first := int32(-1)
	s.hb.Past(e).Each(i+1, func(x int32) bool {
		if !s.hb.Before(i, x) {
			first = x
		}
		return first < 0
	})
	if first >= 0 && !s.event(first).Auto {
		s.reduction.collision(n, s.event(first).Step.Actor)
		return
	}
	if a := s.event(e).Step.Actor; n.offers(a) {
		s.reduction.collision(n, a)
		return
	}
	n.addAll()
}

// needs reports whether event e has to come after event x because of its message or its actor.
func (s *Search) needs(e, x int32) bool {
	for _, p := range []int32{s.hb.Parent(e), s.hb.Own(e)} {
		if p >= 0 && (p == x || s.hb.Before(x, p)) {
			return true
		}
	}
	return false
}

// sleepers tests event e against the steps asleep at earlier states that belong to what is explored there. Without
// sleep sets such a step would be taken there and collide with e.
func (s *Search) sleepers(e int32) {
	i := s.hb.Head(e)
	for k := range s.nodes {
		n := &s.nodes[k]
		if n.event >= i {
			return
		}
		if len(n.sleep) == 0 || n.whole || s.hb.Before(n.event, e) {
			continue
		}
		for m := range n.sleep {
			if z := &n.sleep[m]; n.explores(z.step) && z.footprint.Dependent(s.footprint) {
				s.before(n.event, e)
			}
		}
	}
}
