package baseline

// Two steps of different actors depend on each other only if one of them does something out of the ordinary. It sends a
// system message, stops an actor, cancels a timer, or touches a future. [Basset11] has no such steps, so that none of
// its counts depends on what follows.

// collisions tests event e against the earlier steps of other actors that it depends on. What e needs is what its
// message and its actor's earlier steps come from, as far as that could happen without the other step.
func (s *Search) collisions(e int32) {
	j := s.hb.Head(e)
	s.hb.EachForeign(e, func(k int32) {
		if i := s.hb.Head(k); i != j && !s.needs(j, i) { // else the race is with what e needs
			s.before(i, e)
		}
	})
}

// before has event e explored before event i, which does not bring it about.
func (s *Search) before(i, e int32) {
	n := s.nodeOf(i)
	if n == nil || n.all {
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
		if len(n.sleep) == 0 || n.all || s.hb.Before(n.event, e) {
			continue
		}
		for m := range n.sleep {
			if z := &n.sleep[m]; n.explores(z.step) && z.footprint.Dependent(s.footprint) {
				s.before(n.event, e)
			}
		}
	}
}
