package gatling

import "github.com/asynkron/protoactor-go/actor"

// page is what the writer collects between two flushes.
type page struct{ results []string }

func (p *page) add(result string) { p.results = append(p.results, result) }

// writer collects results and writes them out when it is told to.
type writer struct {
	log  *Log
	page *page // nil once flushed
}

// Receive implements actor.Actor.
func (w *writer) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Write:
		w.page.add(msg.Result)
		if ctx.Sender() != nil {
			ctx.Respond(Written{})
		}
	case Flush:
		w.log.Results = append(w.log.Results, w.page.results...)
		w.page = nil
		ctx.Respond(Flushed{})
	}
}
