package system

import "github.com/rehearse-go/rehearse/symbolic/exec"

// This file has messages from outside that are as the driver makes them. Some types nobody else can make, since their
// fields are not exported; a call of the driver can be repeated. How many come, of which kind, and in what order, is as
// open as with other messages.

// Made gives a start whose messages from outside are as its driver makes them; nil if the driver sends none.
func (s *Start) Made() *Start {
	made := *s
	made.Shapes = nil
	for i, m := range s.Sent {
		if m.From < 0 && !m.Always && m.To >= 0 && m.Type != nil {
			made.Shapes = append(made.Shapes, Shape{To: m.To, Type: m.Type, Sent: true, Like: i + 1})
		}
	}
	if len(made.Shapes) == 0 {
		return nil
	}
	return &made
}

// keeps keeps the driver's messages as they are before anybody has handled one.
func (f *searcher) keeps() {
	for _, s := range f.shapes {
		switch i := s.Like - 1; {
		case i >= len(f.w.sent):
			f.w.m.End("the driver sends other messages than in the start configuration")
		case i >= 0:
			f.masters[i] = f.w.m.Copy(inner(f.w, f.w.sent[i].Msg))
		}
	}
}

// made gives a message as the driver makes it, with memory of its own; nil for a shape of any values.
func (f *searcher) made(shape Shape) exec.Value {
	if shape.Like == 0 {
		return nil
	}
	return f.w.m.Copy(f.masters[shape.Like-1])
}
