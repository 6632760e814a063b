package onestep

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// MoveKind says what a move is.
type MoveKind uint8

// The kinds.
const (
	Takes    MoveKind = iota // an actor takes a message
	Awaits                   // the handler goes on that waits in its middle
	Reenters                 // a function goes on that the handler has left behind
	Answers                  // a peer answers
	Passes                   // the clock goes on
)

// Move is one step of an order that a test prescribes.
type Move struct {
	Kind    MoveKind
	Number  int    // of the actor: 0 is the tested one, then those that are created; of an answer, from 1
	Message string // the type of the message that is handled, with or without its package and the star of a pointer
	Nth     int    // of the messages of this type that have come to the actor, from 1; 0: the oldest that is left
	text    string
}

// words begin the moves that are not the receive of a message.
var words = map[string]MoveKind{"await": Awaits, "reenter": Reenters, "answer": Answers}

// ParseMove reads a move: "Pay", "await Pay", "reenter Pay", each also with "#2 " before it for the second actor that
// is created, "answer 1" or "time".
func ParseMove(text string) (Move, error) {
	m := Move{text: text}
	rest := text
	if number, of, ok := strings.Cut(rest, " "); ok && strings.HasPrefix(number, "#") {
		n, err := strconv.Atoi(number[1:])
		if err != nil || n < 1 {
			return m, fmt.Errorf("the step %q of an order: want a number from 1 behind #", text)
		}
		m.Number, rest = n, of
	}
	word, of, _ := strings.Cut(rest, " ")
	if kind, ok := words[word]; ok {
		m.Kind, rest = kind, of
	}
	switch {
	case rest == "":
		return m, fmt.Errorf("the step %q of an order: want the type of a message, before it nothing, #1, await or reenter",
			text)
	case m.Kind == Answers:
		n, err := strconv.Atoi(rest)
		if err != nil || n < 1 || m.Number > 0 {
			return m, fmt.Errorf("the step %q of an order: want answer and a number from 1", text)
		}
		m.Number = n
	case rest == "time" && m.Kind == Takes && m.Number == 0:
		m.Kind = Passes
	default:
		m.Message = rest
		if name, nth, ok := strings.Cut(rest, "#"); ok {
			n, err := strconv.Atoi(nth)
			if err != nil || n < 1 || m.Kind != Takes {
				return m, fmt.Errorf("the step %q of an order: want a number from 1 behind the type of a message that is taken",
					text)
			}
			m.Message, m.Nth = name, n
		}
	}
	return m, nil
}

// Model gives the delivery model of an order: a bag where it may choose among all messages that are there, else as
// mailboxes hand them over.
func Model(bag bool) trace.Model {
	if bag {
		return trace.Bag
	}
	return trace.MailboxSerial
}

// Moves reads an order.
func Moves(order []string) ([]Move, error) {
	var list []Move
	for _, text := range order {
		m, err := ParseMove(text)
		if err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
}

// follower is the strategy of one execution that goes through the moves of a test. What peers get, and what only tells
// of a reply, is filled in. So is time that passes, where nothing else leads on.
type follower struct {
	order
	record *Record
	taken  int
}

func (f *follower) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	if enabled[0].Kind == trace.Choose {
		return explore.Choice{Index: f.value(enabled)}
	}
	if i := oldest(tr, enabled, func(s *trace.Step) bool { return f.aside(tr, s) }); i >= 0 {
		return explore.Choice{Index: i}
	}
	left := f.plan.Moves[f.taken:]
	advance := oldest(tr, enabled, func(s *trace.Step) bool { return s.Kind == trace.Advance })
	if len(left) == 0 {
		if advance >= 0 && !f.plan.Ended() {
			return explore.Choice{Index: advance} // the timeout of what it waits for
		}
		f.rest(tr, enabled)
		f.record.over = true
		return explore.Choice{Index: -1}
	}
	if i := oldest(tr, enabled, func(s *trace.Step) bool { return f.fits(tr, s, &left[0]) }); i >= 0 {
		f.taken++
		return explore.Choice{Index: i}
	}
	if advance < 0 {
		f.record.over = true
		f.record.Diverged = fmt.Sprintf("step %d, %q, is not possible: %s", f.taken+1, left[0].text, f.possible(tr, enabled))
	}
	return explore.Choice{Index: advance}
}

// oldest gives the index of the step with the oldest message, -1 if there is none.
func oldest(tr *trace.Trace, enabled []trace.Step, is func(*trace.Step) bool) int {
	best := -1
	for i := range enabled {
		if is(&enabled[i]) && (best < 0 || enabled[i].Message < enabled[best].Message) {
			best = i
		}
	}
	return best
}

// actor gives the index of an actor of a move.
func (f *follower) actor(m *Move) int32 {
	switch first := f.plan.Tested + f.plan.Peers; {
	case m.Kind == Answers:
		return first + int32(m.Number)
	case m.Number > 0:
		return first + f.plan.Answers + int32(m.Number)
	}
	return f.plan.Tested
}

// aside reports whether a step is no move of anybody. Then the test begins, a peer gets something, or a reply comes for
// which nobody waits in the middle of a handler.
func (f *follower) aside(tr *trace.Trace, s *trace.Step) bool {
	p := f.plan
	switch {
	case s.Kind == trace.Start || s.Actor == 0 && s.Kind != trace.Advance:
		return true
	case p.own(s.Actor):
		return s.Kind == trace.Reply && !f.awaited(s.Actor)
	}
	return s.Kind != trace.Advance && s.Actor <= p.Tested+p.Peers
}

// awaited reports whether the next move by which an actor goes on is one of a handler that waits in its middle.
func (f *follower) awaited(a int32) bool {
	for i := range f.plan.Moves[f.taken:] {
		m := &f.plan.Moves[f.taken+i]
		if (m.Kind == Awaits || m.Kind == Reenters) && f.actor(m) == a {
			return m.Kind == Awaits
		}
	}
	return false
}

// fits reports whether a step is a move.
func (f *follower) fits(tr *trace.Trace, s *trace.Step, m *Move) bool {
	if m.Kind == Passes {
		return s.Kind == trace.Advance
	}
	if s.Actor != f.actor(m) {
		return false
	}
	goesOn := s.Kind == trace.Deliver && tr.Messages[s.Message].GoesOn
	switch m.Kind {
	case Awaits:
		return s.Kind == trace.Reply || s.Kind == trace.Resume
	case Reenters:
		return goesOn
	case Answers:
		return s.Kind == trace.Deliver
	}
	return s.Kind == trace.Deliver && !goesOn && names(m.Message, tr.Messages[s.Message].Type.Name) &&
		(m.Nth == 0 || m.Nth == nth(tr, s))
}

// nth tells which of the messages of its type that have come to the actor a step delivers, from 1.
func nth(tr *trace.Trace, s *trace.Step) (n int) {
	for i := range tr.Messages[:s.Message+1] {
		if m := &tr.Messages[i]; m.Receiver == s.Actor && m.Kind == trace.User && m.Type == tr.Messages[s.Message].Type {
			n++
		}
	}
	return n
}

// names reports whether a type is the one that a test names.
func names(want, typ string) bool {
	want, typ = strings.TrimPrefix(want, "*"), strings.TrimPrefix(typ, "*")
	if want == typ {
		return true
	}
	head, args, generic := strings.Cut(typ, "[")
	head = head[strings.LastIndexByte(head, '.')+1:]
	if generic {
		head += "[" + args
	}
	return want == head
}

// over notes that the program came to its end before the moves did.
func (f *follower) over() {
	if f.record.Diverged == "" && f.taken < len(f.plan.Moves) {
		f.record.Diverged = fmt.Sprintf("step %d, %q, is not possible: nothing can happen", f.taken+1,
			f.plan.Moves[f.taken].text)
	}
}

// rest notes that actors of the case could go on behind the last move. After a failure they may.
func (f *follower) rest(tr *trace.Trace, enabled []trace.Step) {
	if f.record.First(trace.Panic) != nil || f.record.First(trace.Assertion) != nil {
		return
	}
	for i := range enabled {
		if f.plan.own(enabled[i].Actor) && enabled[i].Kind != trace.Advance {
			f.record.Diverged = "it ends before the program does: " + f.possible(tr, enabled)
			return
		}
	}
}

// possible tells what could be the next move.
func (f *follower) possible(tr *trace.Trace, enabled []trace.Step) string {
	var list []string
	for i := range enabled {
		s := &enabled[i]
		if s.Kind == trace.Advance || !f.plan.own(s.Actor) {
			continue
		}
		text := ""
		if n := s.Actor - f.plan.Tested - f.plan.Peers - f.plan.Answers; n > 0 {
			text = fmt.Sprintf("#%d ", n)
		}
		switch {
		case s.Kind == trace.Reply || s.Kind == trace.Resume:
			text += "await"
		case tr.Messages[s.Message].GoesOn:
			text += "reenter"
		default:
			text += tr.Messages[s.Message].Type.Name
		}
		list = append(list, text)
	}
	if list == nil {
		return "nothing can happen"
	}
	return "there is " + strings.Join(list, ", ")
}
