package toysys

import "slices"

// Shrink gives a smaller system that still shows something: no statement of it, no message of the driver and no actor
// can be left out without losing that. Guards of messages stay, since the twin's values stand for all integers only
// behind them.
func Shrink(s *System, shows func(*System) bool) *System {
	for again := true; again; {
		again = false
		for _, smaller := range [](func(*System, int) bool){dropStmt, flatten, dropHandler, dropSend, dropActor} {
			for i := 0; ; {
				c := s.clone()
				if !smaller(c, i) {
					break
				}
				if c.size() < s.size() && shows(c) {
					s, again = c, true
				} else {
					i++
				}
			}
		}
	}
	return s
}

func (s *System) clone() *System {
	c := *s
	c.Types, c.Start, c.Sends, c.Kinds = slices.Clone(s.Types), slices.Clone(s.Start), slices.Clone(s.Sends), slices.Clone(s.Kinds)
	for k := range c.Kinds {
		h := slices.Clone(c.Kinds[k].Handlers)
		for i := range h {
			h[i] = cloneBlock(h[i])
		}
		c.Kinds[k].Handlers = h
	}
	return &c
}

func cloneBlock(list []Stmt) []Stmt {
	list = slices.Clone(list)
	for i := range list {
		list[i].Then, list[i].Else = cloneBlock(list[i].Then), cloneBlock(list[i].Else)
	}
	return list
}

// size counts what Shrink leaves out.
func (s *System) size() int {
	n := len(s.Start) + len(s.Sends)
	s.each(func(*Stmt) { n++ })
	for _, k := range s.Kinds {
		for _, h := range k.Handlers {
			n += bit(h != nil)
		}
	}
	return n
}

// edit changes the i-th statement that may be changed: to gives what takes its place. It reports whether there is one.
func (s *System) edit(i int, to func(Stmt) []Stmt) bool {
	n := 0
	var in func(list []Stmt) []Stmt
	in = func(list []Stmt) []Stmt {
		for j := 0; j < len(list); j++ {
			if list[j].Keep {
				continue
			}
			if n++; n == i+1 {
				return slices.Replace(list, j, j+1, to(list[j])...)
			}
			list[j].Then, list[j].Else = in(list[j].Then), in(list[j].Else)
		}
		return list
	}
	for k := range s.Kinds {
		for j := range s.Kinds[k].Handlers {
			s.Kinds[k].Handlers[j] = in(s.Kinds[k].Handlers[j])
		}
	}
	return n > i
}

func dropStmt(s *System, i int) bool { return s.edit(i, func(Stmt) []Stmt { return nil }) }

// flatten puts one of the branches of a condition in its place.
func flatten(s *System, i int) bool {
	return s.edit(i/2, func(st Stmt) []Stmt {
		switch {
		case st.Op != If:
			return []Stmt{st}
		case i%2 == 0:
			return st.Then
		}
		return st.Else
	})
}

func dropHandler(s *System, i int) bool {
	for k := range s.Kinds {
		for j := range s.Kinds[k].Handlers {
			if s.Kinds[k].Handlers[j] == nil {
				continue
			}
			if i == 0 {
				s.Kinds[k].Handlers[j] = nil
				return true
			}
			i--
		}
	}
	return false
}

func dropSend(s *System, i int) bool {
	if i >= len(s.Sends) || len(s.Sends) == 1 {
		return false
	}
	s.Sends = slices.Delete(s.Sends, i, i+1)
	return true
}

// dropActor leaves out an actor that the driver creates. Who knew it knows nobody.
func dropActor(s *System, i int) bool {
	if i >= len(s.Start) || len(s.Start) == 1 || !slices.ContainsFunc(s.Sends, func(m Send) bool { return m.To != i }) {
		return false
	}
	moved := func(r Ref) Ref {
		switch {
		case r.Base == OfStart && r.I == i:
			return Ref{}
		case r.Base == OfStart && r.I > i:
			r.I--
		}
		return r
	}
	s.Start = slices.Delete(s.Start, i, i+1)
	for j := range s.Start {
		s.Start[j].Refs = slices.Clone(s.Start[j].Refs)
		for k, r := range s.Start[j].Refs {
			s.Start[j].Refs[k] = moved(r)
		}
	}
	var sends []Send
	for _, m := range s.Sends {
		if m.To == i {
			continue
		}
		if m.To > i {
			m.To--
		}
		m.R = moved(m.R)
		sends = append(sends, m)
	}
	s.Sends = sends
	return true
}
