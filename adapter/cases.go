package adapter

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file reports messages that their handler has no case for. The handler simply does nothing, which no execution
// tells from a case that does nothing: what cases there are is told by an analysis of the source
// (explore.Conditions.Cases).

// ChecksCases is explore.CaseChecker.
func (*System) ChecksCases() {}

// checkCase is called when the handler of a message is over, unless it panicked.
func (hs *handlers) checkCase(a, m int32) {
	if hs.cond.Cases == nil || hs.tr.Messages[m].Kind != trace.User {
		return
	}
	actor, message := hs.sys.framework.Typed(hs.cast.actors[a].Actor, hs.recorder.payload[m])
	if message == "" {
		return
	}
	unhandled, unclear := hs.judgeCase(hs.cast.actors[a].Actor, actor, message)
	if unclear != "" {
		hs.mu.Lock()
		defer hs.mu.Unlock()
		hs.sys.unclearOf(actor, unclear)
	} else if unhandled {
		hs.recorder.Report(trace.Incident{Kind: trace.Unhandled, Message: m, Text: hs.otherForm(actor, message)})
	}
}

// otherForm says that the actor has a case for what the message points to, or for a pointer to it: their names are
// alike.
func (hs *handlers) otherForm(actor, message string) string {
	other, pointer := strings.CutPrefix(message, "*")
	if !pointer {
		other = "*" + message
	}
	if matched := hs.cond.Cases[actor]; matched.Has(other) {
		return fmt.Sprintf("the message is a %s, and the case is for %s", message, other)
	}
	return ""
}

// judgeCase says whether an actor has no case for a message, or why that is not clear.
func (hs *handlers) judgeCase(a Actor, actor, message string) (unhandled bool, unclear string) {
	matched, known := hs.cond.Cases[actor]
	has := matched.Has(message)
	switch {
	case !known:
		return false, "the facts do not tell of it"
	case slices.Contains(matched.Ignored, message):
		unclear = hs.sys.framework.Intercepted(a)
		return unclear == "", unclear
	case has == matched.Ignores: // a case of which behaviour, or nobody knows what else is handled
		return false, matched.Unclear
	case has:
		return false, ""
	}
	unclear = hs.sys.framework.Intercepted(a)
	return unclear == "", unclear
}

// unclearOf notes why it is not clear whether actors of a type have a case for a message.
func (s *System) unclearOf(actor, why string) {
	if s.unclear == nil {
		s.unclear = map[string]string{}
	}
	if s.unclear[actor] == "" {
		s.unclear[actor] = why
	}
}

// unmatched says where it was not looked for messages without a case.
func (s *System) unmatched() []string {
	if !s.cases {
		return []string{"whether handlers have a case for each message was not looked at (make facts: rehearse facts)"}
	}
	var remarks []string
	for _, actor := range slices.Sorted(maps.Keys(s.unclear)) {
		why := strings.ReplaceAll(s.unclear[actor], explore.RemarkSeparator, ", ")
		remarks = append(remarks, fmt.Sprintf("whether %s has a case for each message was not looked at: %s", actor, why))
	}
	return remarks
}
