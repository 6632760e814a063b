package explore

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/rehearse-go/rehearse/trace"
)

// Host is what a System does for the test function that runs in it.
type Host interface {
	// SetUp runs f and delivers all messages in sending order, unexplored, until none is left.
	SetUp(f func())
	// Choose lets the exploration pick a value in [0, n).
	Choose(n int) int
	// Running is the actor whose code runs.
	Running() int32
}

// ErrSetUp is told where SetUp comes too late.
var ErrSetUp = errors.New("SetUp must come before what is explored: the test function may call it several times, " +
	"and spawn and send before it, but it must neither wait for anything nor choose a value outside of SetUp " +
	"first; SetUp cannot be nested, nor called by handlers and final checks")

// Abandoner is a Host that lets go of what waits when an execution is over, so that its goroutines end.
type Abandoner interface {
	// Abandoned reports whether the execution of t is one whose waiting code goes on for that reason: what it reports is
	// no failure of the program.
	Abandoned(t *T) bool
}

// T is what a test function gets inside one execution, in the place of testing.T: a testing.T that fails inside a
// bubble would end the whole test. Failures become findings, each with its schedule; FailNow ends the execution, not
// the test. Failures may be reported by any goroutine of the program.
type T struct {
	name      string
	host      Host
	mu        sync.Mutex
	incidents []trace.Incident // failures that the loop has not taken yet
	waiting   atomic.Bool      // there are some
	failed    atomic.Bool
	over      atomic.Bool          // the execution was judged
	afterward func(trace.Incident) // takes failures from then on; nil: nobody does
	ended     bool
	cleanups  []func()
	cleaned   bool // a Cleanup has run
	ends      []func()
	registers int // functions registered with AtEnd and Cleanup that the loop has not counted yet
	log       func(string)
}

// NewT makes the T of one execution. log takes what the test logs; nil drops it.
func NewT(name string, log func(string)) *T { return &T{name: name, log: log} }

// Bind gives the T the system that it runs in. Systems call it before they call the test function.
func (t *T) Bind(h Host) { t.host = h }

// failNow is what FailNow panics with; systems recognise it with IsFailNow.
type failNow struct{}

// Error is what people see where nobody recognises it.
func (failNow) Error() string {
	return "rehearse: FailNow or Fatal was called on a goroutine that the program started, which ends the process; " +
		"call it in a handler or in the test function, or use Error"
}

// IsFailNow reports whether a recovered panic is T.FailNow ending the execution.
func IsFailNow(r any) bool { _, ok := r.(failNow); return ok }

// Name is the name of the test.
func (t *T) Name() string { return t.name }

// Helper is there so that a T can stand in for a testing.T; the site reported is the caller outside of this package.
func (t *T) Helper() {}

// Log writes to the log of the execution, which is shown when a finding is replayed.
func (t *T) Log(args ...any) { t.logf(fmt.Sprintln(args...)) }

// Logf is Log with a format.
func (t *T) Logf(format string, args ...any) { t.logf(fmt.Sprintf(format, args...)) }

func (t *T) logf(s string) {
	if t.log != nil {
		t.log(strings.TrimRight(s, "\n"))
	}
}

// Error reports a failed assertion and goes on.
func (t *T) Error(args ...any) { t.fail(strings.TrimRight(fmt.Sprintln(args...), "\n")) }

// Errorf is Error with a format.
func (t *T) Errorf(format string, args ...any) { t.fail(fmt.Sprintf(format, args...)) }

// Fatal is Error followed by FailNow.
func (t *T) Fatal(args ...any) { t.fail(strings.TrimRight(fmt.Sprintln(args...), "\n")); t.end() }

// Fatalf is Errorf followed by FailNow.
func (t *T) Fatalf(format string, args ...any) { t.fail(fmt.Sprintf(format, args...)); t.end() }

// Fail reports a failed assertion without a text.
func (t *T) Fail() { t.fail("Fail called") }

// FailNow reports a failed assertion and ends this execution.
func (t *T) FailNow() { t.fail("FailNow called"); t.end() }

// Failed reports whether an assertion of this execution failed.
func (t *T) Failed() bool { return t.failed.Load() }

// Ended reports whether FailNow ended the execution.
func (t *T) Ended() bool { return t.ended }

func (t *T) end() {
	t.ended = true
	panic(failNow{})
}

func (t *T) fail(text string) {
	t.failed.Store(true)
	in := trace.Incident{Kind: trace.Assertion, Message: -1, Text: text}
	in.Site, in.Where = Caller(3)
	if t.over.Load() && t.afterward != nil {
		if h, ok := t.host.(Abandoner); !ok || !h.Abandoned(t) {
			t.afterward(in)
		}
		return
	}
	t.report(in)
}

func (t *T) report(in trace.Incident) {
	if t.host != nil {
		in.Actor = t.host.Running()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.incidents = append(t.incidents, in)
	t.waiting.Store(true)
}

// take gives the failures since the last call.
func (t *T) take() []trace.Incident {
	if !t.waiting.Load() {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	ins := t.incidents
	t.incidents = nil
	t.waiting.Store(false)
	return ins
}

// registered gives how many functions were registered since the last call.
func (t *T) registered() int {
	n := t.registers
	t.registers = 0
	return n
}

// Caller gives the function and file:line of the caller skip frames up, as runtime.Caller counts them.
func Caller(skip int) (site, where string) {
	pc, file, line, ok := runtime.Caller(skip)
	if !ok {
		return "", ""
	}
	return runtime.FuncForPC(pc).Name(), fmt.Sprintf("%s:%d", filepath.Base(file), line)
}

// Cleanup registers f to run when this execution is over, last first.
func (t *T) Cleanup(f func()) {
	mustHave(f, "Cleanup")
	t.cleanups = append(t.cleanups, f)
	t.registers++
}

// AtEnd registers f to run when nothing more can happen in this execution, in order, while the actors still exist. It
// is the place for assertions on the final state. What f registers runs after all others. A function that was
// registered before a choice runs at the end of every execution that begins like this one: it must not change what it
// captures.
func (t *T) AtEnd(f func()) {
	mustHave(f, "AtEnd")
	t.ends = append(t.ends, f)
	t.registers++
}

// SetUp runs f and then delivers all messages in sending order until none is left. Nothing of this is explored. Call it
// at the beginning of the test function, several times if you like. What the test function spawns and sends before a
// call belongs to set-up; it must not wait or choose there. f may wait for replies, on frameworks for time, too.
func (t *T) SetUp(f func()) {
	mustHave(f, "SetUp")
	t.host.SetUp(f)
}

// mustHave finds a function that was left out where it is handed over: where it would run nobody knows whose it was.
func mustHave(f func(), to string) {
	if f == nil {
		panic("rehearse: " + to + " got no function: it is nil")
	}
}

// Choose lets the exploration pick a value in [0, n).
func (t *T) Choose(n int) int {
	if n < 1 {
		panic(fmt.Sprintf("rehearse: Choose(%d): want at least one value", n))
	}
	return t.host.Choose(n)
}

// runEnds runs what AtEnd registered, also while it runs. A FailNow inside only ends its function; a panic is a finding
// like any other.
func (t *T) runEnds() {
	for i := 0; i < len(t.ends); i++ {
		t.guarded(t.ends[i], Check{Kind: FinalCheck, Index: i + 1})
	}
}

// RunCleanups runs what Cleanup registered, last first. The loop calls it when the execution has been judged; a system
// whose execution ends before that calls it itself. What ran does not run again.
func (t *T) RunCleanups() {
	for len(t.cleanups) > 0 {
		last := len(t.cleanups) - 1
		f := t.cleanups[last]
		t.cleanups = t.cleanups[:last]
		t.cleaned = true
		t.guarded(f, Check{Kind: CleanUp, Index: last})
	}
}

// Drop forgets what AtEnd and Cleanup have registered: for an execution that is stuck, in which nothing can be run any
// more.
func (t *T) Drop() { t.ends, t.cleanups = nil, nil }

func (t *T) guarded(f func(), c Check) {
	if d, ok := t.host.(CheckDrawer); ok {
		d.BeginCheck(c)
		defer d.EndCheck()
	}
	defer func() {
		if r := recover(); r != nil && !IsFailNow(r) {
			t.report(PanicIncident(r))
		}
	}()
	f()
}

// PanicIncident describes a panic that was just recovered; call it from the deferred function. Its stack begins where
// the panic was, and lacks the values of arguments: to print those took a third of the time of programs that panic in
// many orders.
func PanicIncident(r any) trace.Incident {
	in := trace.Incident{Kind: trace.Panic, Message: -1, Text: fmt.Sprint(r)}
	pcs := make([]uintptr, 64)
	n := runtime.Callers(1, pcs)
	frames := runtime.CallersFrames(pcs[:n])
	var stack strings.Builder
	panicking := false
	for more := n > 0; more; {
		var f runtime.Frame
		f, more = frames.Next()
		// The failing site is the first frame below the panic that is not the runtime's own.
		if f.Function == "runtime.gopanic" || f.Function == "runtime.sigpanic" {
			panicking = true
		} else if panicking && !strings.HasPrefix(f.Function, "runtime.") {
			if in.Site == "" {
				in.Site, in.Where = f.Function, filepath.Base(f.File)+":"+strconv.Itoa(f.Line)
			}
			stack.WriteString(f.Function + "(...)\n\t" + f.File + ":" + strconv.Itoa(f.Line) + "\n")
		}
	}
	if n == len(pcs) {
		stack.WriteString("... and what called that\n")
	}
	in.Stack = stack.String()
	return in
}
