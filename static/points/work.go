package points

// Work counts what an analysis has done. Two runs on one program count the same.
type Work struct {
	Functions    int // in contexts
	Instructions int // of these, that can do anything: the constraints
	Places       int // in memory
	Looked       int // how often an instruction was looked at
	Grown        int // how often a set of places has grown, or a branch has become possible: the propagations
}

// Work gives what has been done so far.
func (s *Solver) Work() Work {
	w := s.work
	w.Functions, w.Places = len(s.order), len(s.places)-1
	return w
}

// Plus is the work of two analyses.
func (w Work) Plus(o Work) Work {
	return Work{w.Functions + o.Functions, w.Instructions + o.Instructions, w.Places + o.Places, w.Looked + o.Looked,
		w.Grown + o.Grown}
}

// Settled looks at every instruction once more and reports whether nothing has come of it. After Run it holds
// (invariant I2), which tests check: which instructions are looked at again when something grows is the part of this
// package that is easily wrong.
func (s *Solver) Settled() bool {
	before := s.Work()
	for _, f := range s.order {
		for _, b := range f.Fn.Blocks {
			if f.reached[b.Index] {
				f.reached[b.Index] = false
				f.reach(b)
			}
		}
		s.enqueue(f)
	}
	s.Run()
	after := s.Work()
	after.Looked = before.Looked
	return after == before
}
