package vet

import (
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/vet/internal/frame"
	"github.com/rehearse-go/rehearse/static/vet/internal/share"
)

// Capture reports an actor's state or context in a function that a handler has another goroutine run.
var Capture = check("capture",
	"report an actor's state or context that a handler gives to another goroutine: it runs beside the actor's next messages",
	func(pass *analysis.Pass, tell report) error {
		w := pass.ResultOf[share.Analyzer].(*share.World)
		for _, h := range w.Handlers() {
			for _, e := range w.Bodies[h.Fn].Events {
				if e.Op != frame.Elsewhere {
					continue
				}
				for _, p := range w.Bodies[h.Fn].Reach(e) {
					if what := captured(w, h, e, p); what != "" {
						tell(e.Pos, "%s of handler %s goes to another goroutine; copy what is needed before, and let the result come back as a message", what, h.Name())
						break
					}
				}
			}
		}
		return nil
	}, share.Analyzer)

// captured names what of an actor a place is, "" if it is nothing of it that changes.
func captured(w *share.World, h frame.Handler, e share.Event, p share.Place) string {
	b := w.Bodies[h.Fn]
	param, ok := b.Value(p).(*ssa.Parameter)
	switch {
	case ok && p.Path == "" && frame.IsContext(param.Type()):
		return "the context"
	case ok && h.State != nil && param == h.Fn.Params[0] && p.Path == "":
		if w.Touches(h, e) {
			return "the actor itself"
		}
		return ""
	case len(w.Changes(h, p)) > 0:
		return "state (" + called(b, p) + ")"
	}
	return ""
}
