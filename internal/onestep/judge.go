package onestep

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/trace"
)

// Judge holds what a handler has done to what a test expects, step by step. Actors are numbers in the order of their
// creation: 1 is the tested one, 2 the sender, then come the other peers, then what the handler creates.
type Judge struct {
	T      testing.TB
	Peers  []string // names: the sender, and the others
	Differ Differ
	Before int32 // actors of the framework's own, by which all numbers are greater

	record  *Record
	sent    []trace.Message // not expected yet
	created []int32
	last    int32 // of these that was expected
	panics  *trace.Incident
	fails   int
	lost    []trace.Incident
	stopped bool
	changed bool
	waits   bool
}

// Take sorts what has happened.
func (j *Judge) Take(r *Record) {
	j.record, j.created, j.stopped, j.changed, j.panics = r, r.Created, r.Stopped, r.Changed, r.First(trace.Panic)
	j.waits = !r.Ended
	for _, m := range r.Sent {
		if j.panics != nil && m.Kind == trace.System && m.Receiver == 1+j.Before {
			continue // what a supervisor makes of it
		}
		if m.GoesOn || m.EndsCall {
			continue
		}
		if m.Kind != trace.Task && m.Kind != trace.Resolution && m.Kind != trace.End && m.Kind != trace.Hook &&
			!m.Starts {
			j.sent = append(j.sent, m)
		}
	}
	for _, in := range r.Incidents {
		switch in.Kind {
		case trace.Assertion:
			j.fails++
		case trace.DeadLetter:
			if in.Message < 0 {
				j.lost = append(j.lost, in)
			}
		}
	}
}

// Name is an actor's name for people.
func (j *Judge) Name(actor int32) string {
	switch n := int(actor-j.Before) - 2; {
	case actor < 0:
		return "an actor that is unknown"
	case actor == 0:
		return "the test"
	case actor == 1+j.Before:
		return "itself"
	case actor <= j.Before:
		return "an actor of the framework"
	case n < len(j.Peers):
		return "the peer " + j.Peers[n]
	default:
		return fmt.Sprintf("actor %d that it created", n-len(j.Peers)+1)
	}
}

// next takes the next message that the handler has sent; nil if it is another one than is wanted, which is an error.
func (j *Judge) next(what string, kind trace.MessageKind, to int32, msg any) *trace.Message {
	j.T.Helper()
	if msg != nil {
		what += " of " + Format(msg)
	}
	if len(j.sent) == 0 {
		j.T.Errorf("the handler sends nothing more, want %s to %s", what, j.Name(to))
		return nil
	}
	m := &j.sent[0]
	j.sent = j.sent[1:]
	if m.Kind != kind && (m.Kind != trace.Answer || kind != trace.User) || m.Receiver != to {
		j.T.Errorf("the next message is %s to %s, want %s to %s", written(m), j.Name(m.Receiver), what, j.Name(to))
		return nil
	}
	return m
}

// written writes a message for people.
func written(m *trace.Message) string {
	what := map[trace.MessageKind]string{trace.User: "the message ", trace.System: "the system message ",
		trace.Timeout: "the timer of ", trace.Answer: "the answer "}
	return what[m.Kind] + Format(m.Value)
}

// Sends expects a message.
func (j *Judge) Sends(to int32, msg any) {
	j.T.Helper()
	if m := j.next("a message", trace.User, to, msg); m != nil {
		if s := j.Differ.Diff("the message", m.Value, msg); s != "" {
			j.T.Errorf("sent to %s: %s", j.Name(m.Receiver), s)
		}
	}
}

// SendsAny expects a message, whatever it is.
func (j *Judge) SendsAny(to int32) { j.T.Helper(); j.next("a message", trace.User, to, nil) }

// System expects a system message.
func (j *Judge) System(what string, to int32) { j.T.Helper(); j.next(what, trace.System, to, nil) }

// Stops expects that an actor is told to stop: by a system message or, of a framework that has such, by an ordinary
// one.
func (j *Judge) Stops(to int32, tells func(msg any) bool) {
	j.T.Helper()
	class := trace.System
	if len(j.sent) > 0 && j.sent[0].Kind == trace.User && tells(j.sent[0].Value) {
		class = trace.User
	}
	j.next("a stop", class, to, nil)
}

// Timer expects that a timer of the tested actor is set.
func (j *Judge) Timer(msg any) {
	j.T.Helper()
	if m := j.next("a timer", trace.Timeout, 1+j.Before, msg); m != nil {
		if s := j.Differ.Diff("the message of the timer", m.Value, msg); s != "" {
			j.T.Error(s)
		}
	}
}

// TimerAfter expects that a timer of the tested actor is set, and how long it waits.
func (j *Judge) TimerAfter(d time.Duration, msg any) {
	j.T.Helper()
	if len(j.sent) > 0 && j.sent[0].Kind == trace.Timeout {
		if got, ok := j.record.Delays[j.sent[0].ID]; ok && got != d {
			j.T.Errorf("the timer of %s waits %v, want %v", Format(j.sent[0].Value), got, d)
		}
	}
	j.Timer(msg)
}

// Loses expects a message to nobody, of a type; "" is any.
func (j *Judge) Loses(typ string) {
	j.T.Helper()
	if len(j.lost) == 0 {
		j.T.Errorf("no message to nobody is left, want one of type %s", typ)
		return
	}
	if got := j.lost[0].Type; typ != "" && got != typ {
		j.T.Errorf("a message of type %s is sent to nobody, want %s", got, typ)
	}
	j.lost = j.lost[1:]
}

// Spawns expects an actor with a state.
func (j *Judge) Spawns(state any) {
	j.T.Helper()
	if a, ok := j.creates(); ok {
		if s := j.Differ.Diff("the actor that is created", j.record.States[a], state); s != "" {
			j.T.Error(s)
		}
	}
}

// SpawnsAny expects an actor of a type; "" is any.
func (j *Judge) SpawnsAny(typ string) {
	j.T.Helper()
	if a, ok := j.creates(); ok && typ != "" && j.record.Types[a] != typ {
		j.T.Errorf("an actor of type %s is created, want %s", j.record.Types[a], typ)
	}
}

// SpawnedAs expects the name of the actor that was expected last.
func (j *Judge) SpawnedAs(name string) {
	j.T.Helper()
	if got := j.record.Names[j.last]; j.last > 0 && got != name {
		j.T.Errorf("the actor is created with the name %q, want %q", got, name)
	}
}

func (j *Judge) creates() (int32, bool) {
	j.T.Helper()
	if len(j.created) == 0 {
		j.T.Error("the handler creates no further actor, want one")
		return 0, false
	}
	a := j.created[0]
	j.created, j.last = j.created[1:], a
	return a, true
}

// Panics expects a panic whose text has a part.
func (j *Judge) Panics(text string) {
	j.T.Helper()
	switch {
	case j.panics == nil:
		j.T.Errorf("the handler does not panic, want the panic %q", text)
	case !strings.Contains(j.panics.Text, text):
		j.T.Errorf("the handler panics with %q, want %q", j.panics.Text, text)
	}
	j.panics, j.stopped = nil, false // it stops because of that
}

// Fails expects an assertion to fail.
func (j *Judge) Fails() {
	j.T.Helper()
	if j.fails == 0 {
		j.T.Error("no assertion of the handler fails, want one to")
		return
	}
	j.fails--
}

// Waits expects that the handler does not come to its end.
func (j *Judge) Waits() {
	if j.T.Helper(); !j.waits {
		j.T.Error("the handler comes to its end, want it to wait")
	}
	j.waits = false
}

// Ends expects that the actor stops itself.
func (j *Judge) Ends() {
	if j.T.Helper(); !j.stopped {
		j.T.Error("the actor does not stop, want it to")
	}
	j.stopped = false
}

// Becomes expects that the handler changes what handles the next messages.
func (j *Judge) Becomes() {
	if j.T.Helper(); !j.changed {
		j.T.Error("the handler does not change the behaviour, want it to")
	}
	j.changed = false
}

// Equal compares values.
func (j *Judge) Equal(name string, got, want any) {
	j.T.Helper()
	if s := j.Differ.Diff(name, got, want); s != "" {
		j.T.Error(s)
	}
}

// Rest reports what nobody has expected.
func (j *Judge) Rest() {
	j.T.Helper()
	if j.record == nil {
		return
	}
	if j.record.Diverged != "" {
		j.T.Errorf("the order cannot be followed: %s", j.record.Diverged)
	}
	if j.panics != nil {
		j.T.Errorf("the handler panics: %s", j.panics.Text)
	} else if j.waits && j.fails == 0 && j.record.First(trace.Assertion) == nil {
		j.T.Error("the handler waits for ever")
	}
	if j.fails > 0 {
		j.T.Errorf("an assertion of the handler fails: %s", j.record.First(trace.Assertion).Text)
	}
	for i := range j.sent {
		j.T.Errorf("the handler also sends %s to %s", written(&j.sent[i]), j.Name(j.sent[i].Receiver))
	}
	for _, a := range j.created {
		j.T.Errorf("the handler also creates an actor of type %s", j.record.Types[a])
	}
	for _, in := range j.lost {
		j.T.Errorf("the handler also sends %s to nobody", in.Type)
	}
	if j.stopped {
		j.T.Error("the actor also stops")
	}
	if j.changed {
		j.T.Error("the handler also changes the behaviour")
	}
}
