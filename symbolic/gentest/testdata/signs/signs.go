// Package signs has a handler with texts that are dangerous in comments.
package signs

import "github.com/rehearse-go/rehearse/actor"

// Write puts a text.
type Write struct {
	Text string
	Size int
}

// Board keeps one text.
type Board struct {
	text string
	next actor.Ref
}

// Receive handles messages.
func (b *Board) Receive(c *actor.Context, msg any) {
	switch msg := msg.(type) {
	case Write:
		if b.text == "*/\n\u202e)}\r" && msg.Size > 2 {
			c.Send(b.next, Write{Text: msg.Text + "*/\n//go:build ignore\n"})
			return
		}
		b.text = msg.Text
	}
}

// Join panics with texts of its own and of the runtime. Its parameters have names of packages.
func Join(strings []string, fmt, reflect int) []string {
	if len(strings) > 2 {
		panic("100% \"full\"")
	}
	if fmt > 3 {
		panic(fmt)
	}
	return strings[reflect:]
}

// Fail is what a handler fails by: a nil pointer, an index, or a division.
type Fail struct {
	At, Index int
	List      []int
	Next      *Fail
}

// Guard tells of its panics, or panics again.
type Guard struct{ told string }

// Receive handles messages.
func (g *Guard) Receive(c *actor.Context, msg any) {
	m, ok := msg.(Fail)
	if !ok {
		return
	}
	defer func() {
		if r := recover(); r != nil && m.At > 0 {
			g.told = r.(error).Error()
		} else if r != nil {
			panic(r)
		}
	}()
	switch m.Index {
	case 3:
		m.Next.At++
	case 4:
		m.At /= len(m.List)
	default:
		m.At = m.List[m.Index]
	}
}

// Knock is a message that a Door may refuse.
type Knock struct{ Times int }

// Door has a constraint with a branch in it.
type Door struct{ open bool }

// NewDoor makes one that is open.
func NewDoor() *Door { return &Door{open: true} }

// Accepts implements actor.Accepter.
func (d *Door) Accepts(msg any) bool {
	if _, ok := msg.(Knock); ok {
		return d.open
	}
	return true
}

// Receive handles messages.
func (d *Door) Receive(_ *actor.Context, msg any) {
	if m, ok := msg.(Knock); ok && m.Times > 3 {
		panic("too loud")
	}
}

// Shelf holds books, and is full with six of them.
type Shelf struct {
	books map[string]int
	full  bool
}

// Put puts a book there.
type Put struct{ Title string }

// Receive handles messages.
func (s *Shelf) Receive(_ *actor.Context, msg any) {
	m, ok := msg.(Put)
	if !ok {
		return
	}
	before := len(s.books)
	if _, has := s.books[m.Title]; has {
		return
	}
	if before == 5 {
		s.full = true
	}
	if before < 6 && s.books != nil {
		s.books[m.Title] = len(s.books) - before
	}
}
