package facts

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// Calls gives what the handlers may send, of those that do no more than change fields and send messages whose types are
// known. A handler that is left out may send anything. name is that of the file, for messages about claims that turn
// out to be false.
func (f *File) Calls(name string) trace.Calls {
	var all trace.Calls
	for i := range f.Actors {
		a := &f.Actors[i]
		if a.Function || a.Ambiguous {
			continue
		}
		for _, m := range f.messagesOf(a.Name) {
			if h := f.Of(a.Name, m); h != nil && h.plainOf(a, m) {
				all = append(all, trace.Caller{Actor: a.Name, Message: m, May: h.may(m),
					Origin: fmt.Sprintf("%s:%d", name, h.Line)})
			}
		}
	}
	return all
}

// may lists what a handler may send, each once, under the least number of conditions.
func (h *Handler) may(message string) (may []trace.MaySend) {
	for i := range h.Sends {
		s := &h.Sends[i]
		sent, to := Plain(s.Message), s.To
		if sent == Same {
			sent = message
		}
		if len(to) == 0 {
			to = []string{trace.Anybody}
		}
		for _, actor := range to {
			known := slices.IndexFunc(may, func(c trace.MaySend) bool { return c.Actor == actor && c.Message == sent })
			if known < 0 {
				may = append(may, trace.MaySend{Actor: actor, Message: sent, Depth: s.Conditions})
			} else {
				may[known].Depth = min(may[known].Depth, s.Conditions)
			}
		}
	}
	return may
}
