package tasks

import (
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file completes the futures of protoactor-go: by a reply of an actor of the run, by an answer from outside of it,
// or because time passes.
//
// When an answer from outside comes is a choice. It makes a difference before a message of the actor that asked, and
// when nothing else can happen; it is tried there. Time passes when nothing else can happen, or at the same places if
// Config.Timers is Async; then the future with the least deadline times out.

// future is what comes of a request.
type future struct {
	done  bool
	value exec.Value

	// The rest is of protoactor-go.
	owner  *object // that goes on with it
	asker  *object // that asked
	ref    *term.Term
	err    exec.Value // nil until it is done
	how    string     // what has completed it, for Step.Answer
	atOnce bool       // it has timed out when it was made
	came   int        // how many steps there were before that
	open   *Answer    // what is asked of somebody outside of the run, nil if an actor of the run answers
	ending bool       // it waits for the end of an actor
	limit  *term.Term // after which it times out, nil for never
	due    *term.Term // the same, from the beginning of the run
	hooks  []*task    // that go on with it
	pipes  []exec.Value
}

// Answer is what somebody outside of the run answers, or not.
type Answer struct {
	Name    string     // of the input that it is
	From    *term.Term // the actor that was asked
	Asked   string     // the message
	How     string     // Reply, or an error
	Value   []exec.Named
	content exec.Value
}

// How requests to actors outside of the run end.
const (
	Reply      = "reply"
	Timeout    = "timeout"
	DeadLetter = "dead letter"
	NoAnswer   = "none" // nothing came to the end, or nobody waited for it
)

// looked reports whether something happens when a future is completed.
func (f *future) looked() bool {
	return len(f.hooks)+len(f.pipes) > 0 || f.owner != nil && f.owner.blocked != nil && f.owner.blocked.awaited == f
}

// complete completes a future. What goes on with it is a system message of its owner.
func (s *scheduler) complete(f *future, value, err exec.Value, how string) {
	f.done, f.value, f.err, f.came = true, value, err, len(s.steps)
	switch {
	case f.open != nil && how == Reply:
		f.how = f.open.Name
	case f.open != nil:
		f.how = f.open.Name + ": " + how
	case how != Reply:
		f.how = how
	}
	if f.open != nil {
		f.open.How = how
	}
	for _, to := range f.pipes {
		s.pipe(f, to)
	}
	for _, t := range f.hooks {
		t.obj.system = append(t.obj.system, t)
	}
	f.hooks, f.pipes = nil, nil
}

// pipe sends what has come of a future on, as a message of nobody.
func (s *scheduler) pipe(f *future, to exec.Value) {
	what := f.value
	if face, ok := s.m.Held(f.err).(exec.Face); !ok || face.Type != nil {
		what = f.err
	}
	ref := s.m.ReferenceOf(to)
	if s.m.Nobody(ref) {
		s.m.Throw(nilReference)
	}
	s.note("pipe", ref, what)
	s.deliver(&letter{to: ref, msg: what, sender: s.zero()})
}

// replied completes a future by what an actor of the run has sent to it.
func (s *scheduler) replied(f *future, msg exec.Face) {
	switch {
	case f.done && strings.HasSuffix(f.how, Timeout):
		// It has left the registry: a dead letter.
	case f.done:
		s.m.Mark(exec.Env, "a second answer to one request: protoactor-go may give either")
	case s.isFramework(msg.Type, "DeadLetterResponse"):
		s.complete(f, exec.Face{}, s.failure("ErrDeadLetter"), DeadLetter)
	default:
		s.complete(f, msg, exec.Face{}, Reply)
	}
}

// outside lists what may happen that is no task, where the tasks in can are the next.
func (s *scheduler) outside(can []*task) (list []func()) {
	time := false
	for _, f := range s.asked {
		if f.done || !f.looked() || !s.matters(f, can) {
			continue
		}
		if f.open != nil {
			list = append(list, func() { s.arrive(f) })
		}
		time = time || f.limit != nil && (len(can) == 0 || s.config.Timers == Async)
	}
	if time {
		others := len(can)+len(list) > 0
		list = append(list, func() { s.pass(others) })
	}
	return list
}

// matters reports whether it makes a difference that a future is completed here.
func (s *scheduler) matters(f *future, can []*task) bool {
	i := slices.IndexFunc(can, func(t *task) bool { return t.obj == f.owner })
	switch {
	case len(can) == 0:
		return true
	case i < 0:
		return s.config.Policy == Any
	}
	return can[i].stack == nil
}

// arrive has an answer come from outside.
func (s *scheduler) arrive(f *future) {
	switch {
	case f.ending:
		s.complete(f, f.open.content, exec.Face{}, Reply)
	case s.m.Pick(2) == 0:
		s.complete(f, f.open.content, exec.Face{}, Reply)
	default:
		s.complete(f, exec.Face{}, s.failure("ErrDeadLetter"), DeadLetter)
	}
}

// repeated is why a path is none: no future times out in it, so that it does what another one does.
const repeated = "no future times out"

// pass lets time pass until a future times out. Others says that something else could happen.
func (s *scheduler) pass(others bool) {
	var first *future
	for _, f := range s.asked {
		if f.done || f.limit == nil {
			continue
		}
		if s.m.True(s.store.SLess(f.limit, s.store.Int(f.limit.Sort, 0))) {
			f.limit = nil // protoactor-go starts no timer
			continue
		}
		if first == nil || s.m.True(s.store.SLess(f.due, first.due)) {
			first = f
		}
	}
	if first == nil && others {
		s.m.End(repeated)
	}
	if first != nil && s.config.Timers == Async {
		s.steps = append(s.steps, Step{Actor: first.owner.name, Number: first.owner.number, Time: true})
	}
	for _, f := range s.asked {
		if first != nil && !f.done && f.limit != nil && s.m.True(s.store.Equal(f.due, first.due)) {
			s.now = first.due
			if b := f.owner.blocked; b != nil && b.awaited == f {
				s.forced = append(s.forced, b) // it goes on before time passes again
			}
			s.complete(f, exec.Face{}, s.failure("ErrTimeout"), Timeout)
		}
	}
}

// failure gives an error of the framework.
func (s *scheduler) failure(name string) exec.Value {
	if v := s.m.Variable(s.framework, name); v != nil {
		return v
	}
	s.refuse("the error %s, which the program does not import", name)
	return nil
}
