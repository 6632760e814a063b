package adapter

// Named gives the actor that goes by a name in reports of what has happened so far, as in Worker#2; nil if there is none, or if it is not the test function that
// asks: what an actor knows, it was told.
func (r *Runtime) Named(name string) Actor {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.who() != 0 {
		return nil
	}
	for i := 1; i < len(r.actors); i++ {
		if r.tr.ActorName(int32(i)) == name {
			return r.actors[i].Actor
		}
	}
	return nil
}
