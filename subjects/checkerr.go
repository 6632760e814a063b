package subjects

import (
	"strconv"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// CheckErr is figure 2 of [Bita13]: Gatling with n actions whose writer does not panic on a late result but tells the
// terminator of an error. The driver has the terminator check for errors. It fails if the check comes after the error,
// which there is none of in most executions. The first delivery that must be late makes the message that the second
// must wait for.
func CheckErr(n int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var end actor.Ref
		actions := make([]actor.Ref, n)
		t.SetUp(func() {
			w := ctx.Spawn(&carefulWriter{page: &page{}})
			end = ctx.Spawn(&checkedTerminator{terminator: terminator{running: n, flush: w}})
			ctx.Send(w, reportTo{end})
			for i := range actions {
				actions[i] = ctx.Spawn(&action{name: strconv.Itoa(i), writer: w, terminator: end})
			}
		})
		for _, a := range actions {
			ctx.Send(a, execute{})
		}
		ctx.Send(end, checkForError{})
	})
}

type (
	reportTo      struct{ terminator actor.Ref }
	lateResult    struct{ result string } // "Error" in the paper
	checkForError struct{}
)

type carefulWriter struct {
	page       *page
	terminator actor.Ref
}

func (w *carefulWriter) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case reportTo:
		w.terminator = msg.terminator
	case write:
		if w.page == nil {
			ctx.Send(w.terminator, lateResult(msg))
			return
		}
		w.page.results = append(w.page.results, msg.result)
	case flush:
		w.page = nil
		ctx.Send(msg.by, flushed{})
	}
}

type checkedTerminator struct {
	terminator
	late string
}

func (e *checkedTerminator) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case lateResult:
		e.late = msg.result
	case checkForError:
		if e.late != "" {
			ctx.T().Errorf("the result of action %s came after the flush", e.late)
		}
	default:
		e.terminator.Receive(ctx, msg)
	}
}
