package prototest

import (
	"fmt"
	"log/slog"
	"strconv"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/symbolic/tasks"
	"github.com/rehearse-go/rehearse/trace"
)

// This file executes a program under Rehearse: the tested actor, actors that stand for everybody else, and whoever
// sends the first messages.

// local is the address of an actor system that is on no network.
const local = "nonhost"

// outsiders are the actors that stand for those outside of the run. Their PIDs are made of names, anew for each
// execution.
var outsiders = []string{"bank", "other"}

func pid(name string) *actor.PID { return actor.NewPID(local, name) }

// answer is what an actor outside of the run answers to a request.
type answer struct {
	how   string // as tasks.Answer tells
	value any
}

// script is what an execution is made of.
type script struct {
	tested  actor.Actor
	msg     any
	queued  []any
	senders []*actor.PID // of queued messages
	answers []answer     // in the order of asking
}

// world is what the actors of the test share in an execution. Only one of them runs at a time.
type world struct {
	script
	asked  int
	sent   []message // to outsiders
	result []any
}

type message struct {
	to  string
	msg any
}

// outsider notes what it gets, and hands requests over to the actor that is to answer them.
type outsider struct {
	*world
	name string
}

func (o *outsider) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Started, *actor.Stopping, *actor.Stopped, *actor.Restarting:
		return
	}
	o.sent = append(o.sent, message{o.name, ctx.Message()})
	if ctx.Sender() == nil || !strings.HasPrefix(ctx.Sender().Id, "future$") {
		return
	}
	o.asked++
	if how := o.answers[o.asked-1].how; how == tasks.Reply || how == tasks.DeadLetter {
		ctx.Forward(pid(fmt.Sprint("answer", o.asked)))
	}
}

// answerer answers one request, when its turn comes.
type answerer struct{ answer }

func (a *answerer) Receive(ctx actor.Context) {
	switch {
	case ctx.Sender() == nil:
	case a.how == tasks.DeadLetter:
		ctx.Respond(&actor.DeadLetterResponse{})
	default:
		ctx.Respond(a.value)
	}
}

// collector takes the result.
type collector struct{ *world }

func (c *collector) Receive(ctx actor.Context) {
	if _, ok := ctx.Message().(*actor.Started); !ok {
		c.result = append(c.result, ctx.Message())
	}
}

// newSystem makes one without a log.
func newSystem() *actor.ActorSystem {
	return actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return slog.New(slog.DiscardHandler) }))
}

// start makes the actors and sends the first messages.
func (w *world) start(t *explore.T) {
	root := newSystem().Root
	spawn := func(name string, a actor.Actor) *actor.PID {
		p, err := root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return a }), name)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	var tested *actor.PID
	t.SetUp(func() {
		for _, name := range outsiders {
			spawn(name, &outsider{w, name})
		}
		for i, a := range w.answers {
			spawn(fmt.Sprint("answer", i+1), &answerer{a})
		}
		spawn("collector", &collector{w})
		tested = spawn("tested", w.tested)
	})
	root.RequestWithCustomSender(tested, w.msg, pid("collector"))
	for i, m := range w.queued {
		root.RequestWithCustomSender(tested, m, w.senders[i])
	}
}

// ended is what an execution has come to.
type ended struct {
	*world
	panicked string
	misfit   string
	names    []string // what the tested actor has done, as steps of cases tell it
}

// strategy picks steps. A negative index ends the execution.
type strategy struct {
	pick    func(tr *trace.Trace, enabled []trace.Step) int
	started bool
}

func (*strategy) Name() string             { return "follower" }
func (*strategy) Learn(*trace.Trace, bool) {}
func (*strategy) Complete() bool           { return false }
func (s *strategy) Start() (first bool)    { first, s.started = !s.started, true; return first }
func (s *strategy) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	return explore.Choice{Index: s.pick(tr, enabled)}
}

// conditions are those under which cases are executed. Answers may come late, so that timers are not to wait for them.
func conditions(c tasks.Config) explore.Conditions {
	model := trace.MailboxSerial
	if c.Policy != "" && c.Policy != tasks.FIFO {
		model = trace.Bag
	}
	return explore.Conditions{Model: model, Timers: trace.Async}
}

// follow executes a script through the steps of a case.
func follow(make func() script, c tasks.Config, steps []tasks.Step) (*ended, error) {
	f := &follower{steps: steps}
	e := &ended{}
	sys := protoactor.System(func(t *explore.T) {
		e.world = &world{script: make()}
		e.world.start(t)
	})
	o := explore.Options{Conditions: conditions(c), Budget: explore.Budget{Executions: 1}, Check: quiet(), Found: func(found explore.Found) bool {
		e.panicked = found.Violations[0].Text
		return true
	}}
	_, err := explore.Run(sys, &strategy{pick: f.pick}, o)
	if e.misfit = f.misfit; e.misfit == "" && len(f.steps) > 0 {
		e.misfit = fmt.Sprintf("%v did not come", f.steps[0])
	}
	return e, err
}

// quiet looks for panics alone.
func quiet() *check.Checker {
	c := &check.Checker{Levels: check.Levels{}}
	for k := trace.ViolationKind(0); k < 32; k++ {
		if k != trace.Panic {
			c.Levels[k] = check.Off
		}
	}
	return c
}

// follower leads an execution through steps.
type follower struct {
	steps  []tasks.Step // still to come
	taken  int
	misfit string
}

// pick takes the next step of the case if it is there, else what leads to it.
func (f *follower) pick(tr *trace.Trace, enabled []trace.Step) int {
	if i := first(tr, enabled, func(e trace.Step) bool { return aside(tr, e) || f.hooked(tr, e) }); i >= 0 {
		return i
	}
	if len(f.steps) == 0 && len(enabled) == 1 && enabled[0].Kind == trace.Advance {
		return 0 // the timer of a request that was answered
	}
	if len(f.steps) == 0 {
		f.misfit = fmt.Sprintf("%s is left", f.names(tr, enabled))
		return -1
	}
	want := f.steps[0]
	if i := f.due(tr, enabled); i >= 0 {
		return i
	}
	if i := first(tr, enabled, func(e trace.Step) bool { return !want.Time && fits(tr, e, want) }); i >= 0 {
		f.take(1)
		return i
	}
	if i := f.toward(tr, enabled); i >= 0 {
		return i
	}
	f.misfit = fmt.Sprintf("%v is not possible, but %s", want, f.names(tr, enabled))
	return -1
}

// due finds an answer that comes before the next step of the case, -1 for none. Answers come in the order of what goes
// on with them.
func (f *follower) due(tr *trace.Trace, enabled []trace.Step) int {
	for i, s := range f.steps {
		switch {
		case !s.Resumed || s.Came > f.taken:
			continue
		case i == 0 && !s.Blocked && strings.HasSuffix(s.Answer, tasks.Timeout) && first(tr, enabled, func(e trace.Step) bool { return fits(tr, e, s) }) < 0:
			return -1 // time passes first
		}
		who, _, _ := strings.Cut(s.Answer, ": ")
		if i := first(tr, enabled, func(e trace.Step) bool { return e.Kind == trace.Deliver && who != "" && tr.Actors[e.Actor].Name == who }); i >= 0 {
			return i
		}
	}
	return -1
}

// toward lets time pass, which leads to the next step.
func (f *follower) toward(tr *trace.Trace, enabled []trace.Step) int {
	i := first(tr, enabled, func(e trace.Step) bool { return e.Kind == trace.Advance })
	if wake := f.wakes(); i >= 0 && (wake > 0 || f.steps[0].Time) {
		f.take(max(wake, 1))
	}
	return i
}

// take goes on to a later step.
func (f *follower) take(n int) { f.steps, f.taken = f.steps[n:], f.taken+n }

// wakes counts the next steps that are a part of an advance of the clock: it ends the waiting of actors that are
// blocked.
func (f *follower) wakes() int {
	n := 0
	for i, s := range f.steps {
		if s.Blocked && strings.HasSuffix(s.Answer, tasks.Timeout) {
			n = i + 1
		} else if i > 0 || !s.Time {
			break
		}
	}
	return n
}

// hooked reports whether a step is a reply that nobody waits for in the middle of a handler: what goes on with it is a
// step of its own.
func (f *follower) hooked(tr *trace.Trace, e trace.Step) bool {
	if e.Kind != trace.Reply {
		return false
	}
	for _, s := range f.steps {
		if number(s.Actor) == actorOf(tr, e.Actor) {
			return !s.Blocked
		}
	}
	return true
}

func (f *follower) names(tr *trace.Trace, enabled []trace.Step) (s []string) {
	for _, e := range enabled {
		name := fmt.Sprint(e.Kind, " ", tr.ActorName(e.Actor))
		if e.Message >= 0 {
			name += " " + tr.Messages[e.Message].Type.Name
		}
		s = append(s, name)
	}
	return s
}

// first finds the oldest step.
func first(tr *trace.Trace, enabled []trace.Step, is func(trace.Step) bool) int {
	best := -1
	for i, e := range enabled {
		if is(e) && (best < 0 || e.Message < enabled[best].Message) {
			best = i
		}
	}
	return best
}

// aside reports whether a step only notes something.
func aside(tr *trace.Trace, e trace.Step) bool {
	switch name := tr.Actors[e.Actor].Type.Name; {
	case e.Actor == 0:
		return e.Kind == trace.Start
	default:
		return e.Kind == trace.Deliver && (name == "prototest.outsider" || name == "prototest.collector")
	}
}

// fits reports whether a step is one of a case. Actors that were made in the run have their numbers in the order of
// creation.
func fits(tr *trace.Trace, e trace.Step, want tasks.Step) bool {
	if actorOf(tr, e.Actor) != number(want.Actor) {
		return false
	}
	going := e.Message >= 0 && tr.Messages[e.Message].Type.Name == "actor.continuation"
	switch {
	case want.Blocked && strings.HasSuffix(want.Answer, tasks.Timeout):
		return false // a part of an advance of the clock
	case want.Blocked:
		return e.Kind == trace.Reply
	case want.Resumed:
		return e.Kind == trace.Deliver && going
	}
	return e.Kind == trace.Deliver && !going && "*"+strings.TrimPrefix(tr.Messages[e.Message].Type.Name, "*") == "*"+strings.TrimPrefix(want.Message, "*")
}

// actorOf numbers the tested actor 0, and those that are made in the run from 1; -1 is an actor of the test.
func actorOf(tr *trace.Trace, a int32) int {
	n := -1
	for i := range tr.Actors[:a+1] {
		if n >= 0 || tr.Actors[i].Name == "tested" {
			n++
		}
	}
	return n
}

// number gives the number at the end of a name, 0 if there is none.
func number(name string) int {
	n, _ := strconv.Atoi(name[len(strings.TrimRight(name, "0123456789")):])
	return n
}
