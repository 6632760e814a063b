package hollywood

import (
	"strings"

	"github.com/anthdm/hollywood/actor"

	"github.com/rehearse-go/rehearse/adapter"
)

// request stands in a registry for the framework's Response, so that a reply is a step of its own and who asks and who
// answers never run together. actor.Processer.
type request struct {
	rt     *adapter.Runtime
	stream *stream // of its engine
	real   *actor.Response
	result chan any
	call   *adapter.Call
}

var _ actor.Processer = (*request)(nil)

// requestPrefix begins the ids of the framework's responses.
const requestPrefix = "response/"

// watchRequest puts our process before the Response that waits for what the actor is asked. It is called for every
// sender that shows up; the first to show a Response is the one that asks.
func (b *box) watchRequest(sender *actor.PID, msg any) {
	if sender == nil || !strings.HasPrefix(sender.GetID(), requestPrefix) {
		return
	}
	f, id := b.framework, sender.GetID()
	real, ok := f.find(b.engine, id).(*actor.Response)
	if !ok {
		return
	}
	r := &request{rt: b.rt, stream: b.stream, real: real, result: *at[chan any](real, f.ofResponse)}
	// A Response leaves the registry when Result is over; without a reply, by its timeout. Nobody has to be let go at the
	// end: each Result has one.
	over := func() bool { return f.find(b.engine, id) == nil }
	r.call = b.rt.Ask(b.index, msg, nil, over, func() {})
	b.rt.KeepDeadlinesApart()
	f.register(b.engine, id, r)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests[place{b.engine, id}] = r
}

// Send takes the reply. actor.Processer.
func (r *request) Send(_ *actor.PID, msg any, _ *actor.PID) {
	r.stream.sentBy(msg)
	adapter.Point()
	defer adapter.Together(adapter.Apart())
	r.rt.Answer(r.call, msg, func() {
		select {
		case r.result <- msg:
		default: // there is one already
		}
	})
}

// PID is called by who looks the request up by its name. actor.Processer.
func (r *request) PID() *actor.PID {
	r.stream.looked(0)
	return r.real.PID()
}

// Start, Invoke and Shutdown do nothing, as the framework's do.
func (r *request) Start()                  {}
func (r *request) Invoke([]actor.Envelope) {}
func (r *request) Shutdown()               {}
