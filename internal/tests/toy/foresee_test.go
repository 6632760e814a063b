package toy

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/trace"
)

// stand is how an actor stood before an event, as an Execution shows it.
type stand struct {
	status explore.Status
	state  any
	busy   bool // mailbox: its captured sends are not all out
}

// watcher notes how all actors stand before each event, and asks at the end what they would have accepted then.
type watcher struct {
	explore.Strategy
	t      *testing.T
	model  trace.Model
	timers trace.TimerMode
	p      *Program
	x      explore.Execution
	before map[int][]stand // by event
	asked  map[[3]bool]int // number of answers: accepts, known, message sent before the event
}

func (w *watcher) Open(x explore.Execution) { w.x, w.before = x, map[int][]stand{} }
func (*watcher) Close()                     {}

func (w *watcher) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	if k := enabled[0].Kind; k != trace.Choose && k != trace.Fault {
		w.before[len(tr.Events)] = w.stands(tr)
	}
	return w.Strategy.Choose(tr, enabled)
}

func (w *watcher) stands(tr *trace.Trace) []stand {
	all := make([]stand, len(tr.Actors))
	for a := range all {
		all[a].status, all[a].state = w.x.Status(int32(a)), w.x.State(int32(a))
	}
	held := map[int32]int{}
	for e := range tr.Events {
		for _, m := range tr.Events[e].Sent {
			if c := tr.Messages[m].Kind; w.model == trace.Mailbox && c != trace.Timeout {
				held[tr.Messages[m].Sender]++
			}
		}
		if r := tr.Events[e].Released; r >= 0 && w.model == trace.Mailbox && tr.Events[e].Step.Kind != trace.Timer {
			held[tr.Messages[r].Sender]--
		}
	}
	for a := range all {
		all[a].busy = held[int32(a)] > 0
	}
	return all
}

func (w *watcher) Learn(tr *trace.Trace, cut bool) {
	f := w.x.(explore.Foreseer)
	for e, before := range w.before {
		if e >= len(tr.Events) {
			continue
		}
		for m := range tr.Messages {
			w.check(tr, f, e, before, int32(m))
		}
	}
	w.Strategy.Learn(tr, cut)
}

func (w *watcher) check(tr *trace.Trace, f explore.Foreseer, e int, before []stand, m int32) {
	msg, actor := &tr.Messages[m], tr.Events[e].Step.Actor
	if !msg.Kind.Handled() || msg.Kind == trace.Timeout && !w.due(tr, m) {
		return
	}
	accepts, known := f.WouldAccept(int32(e), m)
	w.asked[[3]bool{accepts, known, int(msg.SentBy) < e}]++
	if known != (actor == msg.Receiver) {
		w.t.Fatalf("event %d of actor %d, message %d to %d: known is %v", e, actor, m, msg.Receiver, known)
	}
	if want := known && w.would(tr, e, before[actor], m); accepts != want {
		w.t.Fatalf("event %d %s, message %d %s: accepts is %v, want %v\n%s", e, tr.StepName(tr.Events[e].Step), m,
			tr.MessageName(m), accepts, want, w.p)
	}
}

// due reports whether the timeout could ever happen in the execution. One whose timer was cancelled before its time
// never was before its actor, so that nobody asks; what then is answered does not matter.
func (w *watcher) due(tr *trace.Trace, m int32) bool {
	waits := func(t timer) bool { return t.message == m && t.behind >= 0 } // for the release of what was sent before
	return w.timers == trace.Async && !slices.ContainsFunc(w.x.(*execution).timers, waits) ||
		slices.ContainsFunc(tr.Events, func(e trace.Event) bool { return slices.Contains(e.Due, m) })
}

// would says the same from what was noted.
func (w *watcher) would(tr *trace.Trace, e int, before stand, m int32) bool {
	msg := &tr.Messages[m]
	if msg.Kind == trace.Answer {
		return before.status.Blocked && awaited(tr, e, msg.Receiver) == m
	}
	for i := range e {
		for _, c := range tr.Events[i].Cancelled {
			if c == m {
				return false
			}
		}
	}
	switch {
	case before.busy || before.status.Stopped || before.status.Blocked:
		return false
	case msg.Kind == trace.System:
		return true
	}
	var kind int
	for k := range w.p.Kinds {
		if tr.Actors[msg.Receiver].Type == tr.TypeNamed("toy.K"+string(rune('0'+k))) {
			kind = k
		}
	}
	h := w.p.Kinds[kind][msg.Value.(envelope).typ]
	return before.state.(registers)[h.Register] != h.Refuse
}

// awaited gives the answer that the actor was blocked for before event e: the one that it got next; or if it got none,
// the one that was sent and never handled, -1 if there is none.
func awaited(tr *trace.Trace, e int, actor int32) int32 {
	handled := map[int32]bool{}
	for i := range tr.Events {
		if s := tr.Events[i].Step; s.Kind == trace.Reply && s.Actor == actor {
			if i >= e {
				return s.Message
			}
			handled[s.Message] = true
		}
	}
	for m := range tr.Messages {
		if msg := &tr.Messages[m]; msg.Kind == trace.Answer && msg.Receiver == actor && !handled[int32(m)] {
			return int32(m)
		}
	}
	return -1
}

// WouldAccept says what the actors themselves would have said at the time.
func TestWouldAccept(t *testing.T) {
	for _, model := range Models {
		asked := map[[3]bool]int{}
		for seed := range uint64(300) {
			p := Random(seed, Full)
			w := &watcher{Strategy: sample.NewRandom(seed), t: t, model: model, timers: TimerModes[seed%2], p: p, asked: asked}
			o := explore.Options{Conditions: explore.Conditions{Model: model, Timers: w.timers, Faults: someFaults(t, seed)}}
			o.Budget.Executions = 5
			if _, err := explore.Run(NewSystem(p), w, o); err != nil {
				t.Fatal(err)
			}
		}
		for _, accepts := range []bool{false, true} {
			for _, sent := range []bool{false, true} {
				if n := asked[[3]bool{accepts, true, sent}]; n < 100 {
					t.Errorf("%s: WouldAccept said %v only %d times of a message sent before the event: %v", model, accepts, n, sent)
				}
			}
		}
	}
}
