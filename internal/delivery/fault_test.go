package delivery

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// wait is a Pending in which all messages wait but those that are gone.
type wait map[int32]bool

func (w wait) Waits(m int32) bool { return !w[m] }

// record is an execution of a driver and two actors. Actor a handles a user message (event 1), and sends one to itself;
// and to b one, a system message and an answer.
func record() (tr *trace.Trace, handled int32, own, user, system, answer int32) {
	tr = &trace.Trace{}
	tr.AddDriver()
	start := tr.Begin(trace.StartStep(0))
	a := tr.AddActor(tr.TypeNamed("A"), "", 0, start)
	b := tr.AddActor(tr.TypeNamed("B"), "", 0, start)
	m := tr.AddMessage(tr.TypeNamed("work"), trace.User, 0, a, start, "work")
	handled = tr.Begin(tr.DeliveryOf(m))
	own = tr.AddMessage(tr.TypeNamed("own"), trace.User, a, a, handled, "own")
	user = tr.AddMessage(tr.TypeNamed("user"), trace.User, a, b, handled, "user")
	system = tr.AddMessage(tr.TypeNamed("stop"), trace.System, a, b, handled, "stop")
	answer = tr.AddMessage(tr.TypeNamed("answer"), trace.Answer, a, b, handled, "answer")
	return tr, handled, own, user, system, answer
}

// questions gives what a question offers, by kind and message.
func questions(steps []trace.Step) (list []string) {
	for i := range steps {
		list = append(list, steps[i].Fault().String())
	}
	return list
}

func with(kinds ...trace.FaultKind) *FaultAsker {
	return &FaultAsker{Faults: trace.Faults{Max: 1, Kinds: trace.FaultKindsOf(kinds...)}}
}

// After a step that has sent, what may be lost or doubled is asked, and whether its actor crashes.
func TestAfter(t *testing.T) {
	tr, event, _, user, _, answer := record()
	none, drop, twice := trace.NoFault.String(), trace.Drop.String(), trace.Duplicate.String()
	crash, restart := trace.Crash.String(), trace.Restart.String()
	for _, tt := range []struct {
		name  string
		asker *FaultAsker
		gone  wait
		idle  bool
		want  []string
	}{
		{"what crosses from one actor to another may be lost", with(trace.Drop), nil, true, []string{none, drop, drop}},
		{"an answer does not come twice", with(trace.Duplicate), nil, true, []string{none, twice}},
		{"what was taken is not lost", with(trace.Drop), wait{user: true, answer: true}, true, nil},
		{"crash and restart", with(trace.Crash, trace.Restart), nil, true, []string{none, crash, restart}},
		{"not in the middle of a handler", with(trace.Crash), nil, false, nil},
		{"no more than the bound", &FaultAsker{Faults: with(trace.Drop).Faults, Injected: 1}, nil, true, nil},
		{"safe messages", &FaultAsker{Faults: with(trace.Drop).Faults, Safe: func(any) bool { return true }}, nil, true, nil},
	} {
		if got := questions(tt.asker.After(tr, tt.gone, event, tt.idle)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Only an actor crashes before it handles, and loses the message.
func TestBefore(t *testing.T) {
	tr, event, own, _, system, _ := record()
	if got := questions(with(trace.CrashLosing).Before(tr, event)); len(got) != 2 || got[1] != trace.CrashLosing.String() {
		t.Errorf("before the delivery of a user message: %q", got)
	}
	if got := with(trace.Crash).Before(tr, event); got != nil {
		t.Errorf("a crash that loses nothing is asked for afterwards, and here is %q", questions(got))
	}
	if got := with(trace.CrashLosing).Before(tr, 0); got != nil {
		t.Errorf("the test function crashes: %q", questions(got))
	}
	if e := tr.Begin(tr.DeliveryOf(system)); with(trace.CrashLosing).Before(tr, e) != nil {
		t.Error("a system message is lost in a crash")
	}
	if e := tr.Begin(tr.DeliveryOf(own)); with(trace.CrashLosing).Before(tr, e) == nil {
		t.Error("a message to oneself is not lost in a crash")
	}
}

// A copy is a message of its own, and is not doubled or lost again.
func TestCopy(t *testing.T) {
	tr, event, _, user, _, _ := record()
	e := tr.Begin(tr.FaultStep(event, trace.Duplicate, user))
	second := AddCopy(tr, e, user, "user")
	if a, b := &tr.Messages[user], &tr.Messages[second]; a.ID == b.ID || a.Receiver != b.Receiver || !tr.Copy(second) {
		t.Errorf("%+v is the copy of %+v", b, a)
	}
	if got := with(trace.Drop, trace.Duplicate).After(tr, wait{}, e, false); got != nil {
		t.Errorf("of a copy %q is asked", questions(got))
	}
}
