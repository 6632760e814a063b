package check

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/trace"
)

// State is the view of an invariant: the actors as they stand between two steps.
type State struct{ x explore.Execution }

// Actors calls f for every actor that has not stopped, oldest first, until f returns false. value is the actor's own
// value: the behaviour of a native actor, the instance behind a framework's. It must not be changed.
func (s State) Actors(f func(name, typ string, value any) bool) {
	tr := s.x.Trace()
	own(func() { tr.ActorName(0) }) // which makes a table of all names
	for a := range tr.Actors {
		if a == 0 || s.x.Status(int32(a)).Stopped {
			continue
		}
		if !f(tr.ActorName(int32(a)), tr.Actors[a].Type.Name, s.x.State(int32(a))) {
			return
		}
	}
}

// own runs code of ours that a check has called: what Go chooses in it is no doing of the check's.
func own(f func()) { chance.Aside(f) }

// Text is what an actor holds, as findings show it: "&till{sum:78}". It is the same in every process: references to
// actors are their names, maps are in the order of their keys, and no address is shown. An ellipsis is in the place of
// what is beyond 500 characters, 16 elements, or 6 levels. It is "" if there is no actor of that name, or if it has
// stopped. What a function captures is not known: the text is "func" there.
func (s State) Text(actor string) (text string) {
	own(func() {
		if a := s.find(actor); a > 0 && !s.x.Status(a).Stopped {
			text = s.text(s.x.State(a))
		}
	})
	return text
}

// Received lists the messages that were sent to an actor, as texts, in the order in which they were sent. One is
// "Refused{Amount:101} from till on Withdraw{Amount:101}", where till sent the first when it handled the second. What
// comes back to the test function is received by "Driver": answers to its requests, and messages to it. Replies to Ask
// of native actors come last, since they are no messages. System messages and timeouts are not listed. A message is
// shown as its value is now.
func (s State) Received(actor string) (list []string) {
	own(func() { list = s.received(actor) })
	return list
}

func (s State) received(actor string) (list []string) {
	tr := s.x.Trace()
	a := s.find(actor)
	for i := range tr.Messages {
		m := &tr.Messages[i]
		switch {
		case m.Receiver != a:
			continue
		case m.Kind != trace.User && m.Kind != trace.Answer && m.Kind != trace.Resolution:
			// by which an answer reaches a future
			continue
		}
		text := s.text(m.Value)
		if m.Sender != a {
			text += " from " + tr.ActorName(m.Sender)
		}
		if by := s.handled(m.SentBy); by >= 0 {
			text += " on " + s.text(tr.Messages[by].Value)
		}
		list = append(list, text)
	}
	if x, ok := s.x.(explore.Answerer); ok {
		x.Answered(a, func(request, by int32, answer any) {
			list = append(list, s.text(answer)+" from "+tr.ActorName(by)+" on "+s.text(tr.Messages[request].Value))
		})
	}
	return list
}

// Like reports whether a text of Text or Received is the pattern. In the pattern <any> may stand for a string in
// quotes, a number or a word. It is for those that differ in each execution, such as random identifiers.
// "&account{id:<any> sum:3}" is the pattern of an account with a sum of 3.
func (s State) Like(text, pattern string) bool { return render.Like(text, pattern) }

// handled gives the message of the step that an event is a part of, -1 if that handles none.
func (s State) handled(event int32) int32 {
	tr := s.x.Trace()
	if event < 0 || int(event) >= len(tr.Events) {
		return -1
	}
	if step := tr.Events[tr.StepOf(event)].Step; step.Kind == trace.Deliver {
		return step.Message
	}
	return -1
}

// find gives the actor of a name, -1 if there is none.
func (s State) find(name string) int32 {
	tr := s.x.Trace()
	for a := range tr.Actors {
		if tr.ActorName(int32(a)) == name {
			return int32(a)
		}
	}
	return -1
}

// TextLimit bounds the text of a value, in characters.
const TextLimit = 500

func (s State) text(v any) string { return render.ValueNamed(v, TextLimit, s.x.Trace().ActorName) }
