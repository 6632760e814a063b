package goroutine

import (
	"bytes"
	"runtime"
	"runtime/trace"
)

// Recording records where goroutines are started, those that end at once too, by the runtime's execution tracer. It
// costs about a millisecond, and every event of the scheduler more.
type Recording struct{ data bytes.Buffer }

// Record begins a recording. The error is that of somebody else's recording (go test -trace), which goes on.
func Record() (*Recording, error) {
	r := &Recording{}
	if err := trace.Start(&r.data); err != nil {
		return nil, err
	}
	rest()
	return r, nil
}

// rest lets the tracer's own goroutines run until they wait: the program's would have another order beside them.
func rest() {
	for range restful {
		runtime.Gosched()
	}
}

// restful is more than the tracer has goroutines.
const restful = 8

// Stop ends the recording. The error is that this version of Go records in another way than is known here.
func (r *Recording) Stop() ([]Start, error) {
	trace.Stop()
	rest()
	return parse(r.data.Bytes())
}

// Start is the start of a goroutine.
type Start struct {
	ID, By    uint64  // its id, and that of who started it; By 0: not known
	Stack     []Frame // of who started it, innermost first: the go statement is in Stack[0]
	Coroutine bool    // it runs in turns with who started it (iter.Pull)
}

// Frame is one call of a stack.
type Frame struct {
	Function, File string
	Line           int
}
