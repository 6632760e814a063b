package points

// reader is one instruction of a function in a context.
type reader struct {
	f *Function
	i int32
}

// readers are instructions that have to be looked at again when something grows, in the order in which they first asked
// for it.
type readers struct {
	list  []reader
	known map[reader]struct{} // the same, if there are many
}

// few is how many readers are searched one by one.
const few = 8

func (r *readers) add(f *Function, i int32) {
	new := reader{f, i}
	if r.known == nil {
		for _, old := range r.list {
			if old == new {
				return
			}
		}
	} else if _, ok := r.known[new]; ok {
		return
	}
	r.list = append(r.list, new)
	if r.known == nil && len(r.list) > few {
		r.known = map[reader]struct{}{}
		for _, old := range r.list {
			r.known[old] = struct{}{}
		}
	} else if r.known != nil {
		r.known[new] = struct{}{}
	}
}

func (s *Solver) wakeAll(r *readers) {
	for _, at := range r.list {
		s.again(at.f, at.i)
	}
}
