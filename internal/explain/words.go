package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/trace"
)

// This file says what was found.

// pair finds the swap's steps in the failing trace. Names come from it where it has them.
func (s *finder) pair(w *swap) Pair {
	failing := s.failing
	p := Pair{First: -1, Second: -1, Message: -1, first: w.first, second: w.second}
	p.FirstName, p.Actor = s.describe(w, w.first, &p.First)
	p.SecondName, p.Other = s.describe(w, w.second, &p.Second)
	if p.Other == p.Actor {
		p.Other = ""
	}
	for m := range failing.Messages {
		if failing.Messages[m].ID == w.second {
			p.Message = int32(m)
		}
	}
	if p.Second < 0 && p.FirstName != p.SecondName && s.handles(p.SecondName) {
		p.SecondName = "another " + p.SecondName // than those that the reader sees
	}
	if p.FirstName == p.SecondName {
		p.FirstName += place(failing, p.First)
		p.SecondName += place(failing, p.Second)
	}
	return p
}

// handles reports whether the failing execution takes a step of that name.
func (s *finder) handles(name string) bool {
	tr := s.failing
	return slices.ContainsFunc(tr.Events[tr.Explored:], func(e trace.Event) bool {
		return (e.Step.Kind == trace.Deliver || e.Step.Kind == trace.Reply) && s.stepName(tr, e.Step) == name
	})
}

// describe names the step with this identity and its actor, and sets its event in the failing trace.
func (s *finder) describe(w *swap, id trace.ID, event *int32) (name, actor string) {
	for _, tr := range []*trace.Trace{s.failing, w.run.Trace, w.from} {
		for e := range tr.Events {
			if st := tr.Events[e].Step; st.ID == id {
				if tr == s.failing {
					*event = int32(e)
				}
				if st.Kind == trace.Advance {
					return "the advance of the clock to " + trace.Moment(tr.Events[e].Time), ""
				}
				return s.stepName(tr, st), s.actorName(tr)(st.Actor)
			}
		}
	}
	return id.String(), "nobody"
}

// actorName gives the names of actors. The driver is called as the test is.
func (s *finder) actorName(tr *trace.Trace) func(int32) string {
	return func(a int32) string {
		if a == 0 && s.test != "" {
			return s.test
		}
		return tr.ActorName(a)
	}
}

func (f *finder) stepName(tr *trace.Trace, s trace.Step) string {
	message := func() string { return tr.MessageNameBy(s.Message, f.actorName(tr)) }
	switch s.Kind {
	case trace.Reply:
		return "the reply " + message()
	case trace.Resume:
		return "the resumption of " + trace.ShortType(tr.Messages[s.Message].Type.Name)
	case trace.Send:
		switch tr.Messages[s.Message].Kind {
		case trace.End:
			return "the end of " + tr.ActorName(s.Actor)
		case trace.Hook:
			return "the " + trace.ShortType(tr.Messages[s.Message].Type.Name) + " of " + tr.ActorName(s.Actor)
		}
		return "the send of " + message()
	case trace.Deliver:
		return message()
	}
	return tr.StepName(s)
}

// NotHandled is behind the name of a delivery that there was not, where another one has the same name.
const NotHandled = " (not handled here)"

func place(failing *trace.Trace, event int32) string {
	if event < 0 {
		return NotHandled
	}
	return fmt.Sprintf(" (step %d)", failing.StepNumber(int(event)))
}

// words says what was found.
func (x *Explanation) words() string {
	var parts []string
	for _, p := range x.Pairs {
		parts = append(parts, p.String())
	}
	if len(parts) > 1 {
		return strings.Join(parts, " together with ") + " break; with both the other way round it passes."
	}
	return parts[0] + " breaks; the other way round it passes."
}

// String gives the order that breaks.
func (p Pair) String() string {
	if p.Other == "" && p.Actor != "" {
		return fmt.Sprintf("%s before %s at %s", p.FirstName, p.SecondName, p.Actor)
	}
	return at(p.FirstName, p.Actor) + " before " + at(p.SecondName, p.Other)
}

func at(name, actor string) string {
	if actor == "" { // the clock is nobody's
		return name
	}
	return name + " at " + actor
}

// inVain says what was tried, and whether the default order gives the violation, too.
func (s *finder) inVain() (string, error) {
	r, err := s.execute(nil)
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("No single swap was found after which it passes, and no two together: %s swapped in %s.",
		count(s.swapped, "pair was", "pairs were"), count(s.replays, "replay", "replays"))
	if s.swapped == 0 {
		text = "No single swap was found: no two deliveries at one actor could be swapped."
	}
	if s.other != nil {
		text += fmt.Sprintf(" With %s the other way round this does not happen, but something else goes wrong: %s.",
			s.pair(s.other), s.other.run.Violations[0].Text)
	}
	if r.With(s.key) != nil {
		return text + " The default order gives it as well: it may not depend on the order at all.", nil
	}
	if len(r.Violations) > 0 {
		return text + " The default order does not give it, but something else: " + r.Violations[0].Text + ".", nil
	}
	return text + " The default order passes: several orders decide together, or a choice of the test does.", nil
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
