package subjects

import (
	"strconv"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// Gatling is listing 1 of [Bita13]: n actions log their results to a writer and tell a terminator that they are done;
// when all are, it has the writer flush. The bug: a result that comes after the flush finds no page, and the writer
// panics.
func Gatling(n int) *actor.System { return FlushDeep(n, 0) }

// FlushDeep is Gatling with d relays between the terminator and the writer: the flush is so many deliveries away that a
// random walk hardly ever lets it overtake a result.
func FlushDeep(n, d int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		actions := make([]actor.Ref, n)
		t.SetUp(func() {
			w := ctx.Spawn(&writer{page: &page{}})
			to := w
			for range d {
				to = ctx.Spawn(&flushRelay{next: to})
			}
			end := ctx.Spawn(&terminator{running: n, flush: to})
			for i := range actions {
				actions[i] = ctx.Spawn(&action{name: strconv.Itoa(i), writer: w, terminator: end})
			}
		})
		for _, a := range actions {
			ctx.Send(a, execute{})
		}
	})
}

type (
	execute    struct{}
	write      struct{ result string }
	actionDone struct{}
	flush      struct{ by actor.Ref } // the paper's writer answers the sender
	flushed    struct{}
)

type page struct{ results []string }

// writer has no page after a flush.
type writer struct{ page *page }

func (w *writer) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case write:
		w.page.results = append(w.page.results, msg.result)
	case flush:
		w.page = nil
		ctx.Send(msg.by, flushed{})
	}
}

type action struct {
	name               string
	writer, terminator actor.Ref
}

func (a *action) Receive(ctx *actor.Context, _ any) {
	ctx.Send(a.writer, write{a.name})
	ctx.Send(a.terminator, actionDone{})
}

type terminator struct {
	running int
	flush   actor.Ref
	over    bool
}

func (e *terminator) Receive(ctx *actor.Context, msg any) {
	switch msg.(type) {
	case actionDone:
		if e.running--; e.running == 0 {
			ctx.Send(e.flush, flush{ctx.Self()})
		}
	case flushed:
		e.over = true
	}
}

type flushRelay struct{ next actor.Ref }

func (r *flushRelay) Receive(ctx *actor.Context, msg any) { ctx.Send(r.next, msg) }
