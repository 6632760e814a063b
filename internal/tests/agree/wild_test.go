package agree

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/tests/chancetest"
	"github.com/rehearse-go/rehearse/trace"
)

// This file: random programs of native actors with everything that a handler may do, on which reductions are compared
// with naive. What waits in the middle of a handler, toys do not have.
//
//	assumes:    what an actor noted of its messages tells the ends of executions apart
//	used by:    hunt_test.go, pin_test.go

// deed is one thing that a handler does, with two numbers that say to whom and with what.
type deed struct {
	name string
	a, b int
}

func (d deed) String() string { return fmt.Sprintf("%s(%d,%d)", d.name, d.a, d.b) }

// wild is a random program: what an actor of a kind does when it gets a message of a type, in one of two modes.
type wild struct {
	handlers map[[3]int][]deed
	roots    []int // the kinds of the actors of set-up
	first    []deed
	left     int // so many generations of messages
}

// goChooses gives the values in the place of T.Choose, nil: nothing does. SUBTLE: no actor has it, since restarted ones
// are copied with all that they lead to.
var goChooses *chancetest.Fake

// pick gives a value that the exploration chooses.
func pick(ctx *actor.Context, n int) int {
	if goChooses != nil {
		return int(goChooses.Draw(chance.Map, uint32(n)))
	}
	return ctx.Choose(n)
}

// features are what programs are made of; a program has those of one name.
var features = map[string][]string{
	"plain":   {"send", "introduce", "pass", "spawn", "choose", "become"},
	"stops":   {"send", "introduce", "spawn", "stop", "stopOther", "watch", "pass"},
	"timers":  {"send", "introduce", "after", "after", "cancel", "now", "stop", "stopOther", "pass"},
	"stash":   {"send", "introduce", "stash", "unstash", "become", "pass"},
	"fails":   {"send", "introduce", "panic", "error", "choose", "stop", "spawn"},
	"call":    {"send", "introduce", "call", "reply", "reply", "callFor", "pass", "panic"},
	"ask":     {"send", "introduce", "ask", "reply", "reply", "become", "stop"},
	"receive": {"send", "introduce", "receive", "pass", "spawn", "after", "stop"},
	"all": {"send", "introduce", "pass", "spawn", "stop", "stopOther", "watch", "after", "cancel", "choose", "become",
		"stash", "unstash", "panic", "error",
		"call", "callFor", "ask", "reply", "now", "receive"},

	"await":   {"send", "introduce", "ask", "ask", "reply", "reply", "until", "become", "stopOther", "watch", "pass"},
	"until":   {"send", "introduce", "until", "until", "become", "become", "after", "stopOther", "pass"},
	"answers": {"introduce", "call", "ask", "callFor", "replySend", "replySend", "reply", "send", "pass"},
	"cancels": {"send", "send", "introduce", "after", "after", "cancel", "cancel", "pass", "choose", "call", "spawn"},

	"births": {"introduce", "spawn", "hatch", "hatch", "spawnSend", "watch", "stop", "pass", "choose"},
}

// wider are the features of all of them.
var wider = append([]string{"until", "hatch", "replySend", "spawnSend", "become", "ask"}, features["all"]...)

// letter is what messages hold; there are three types of it.
type letter struct {
	Left   int
	Ref    actor.Ref
	Future *actor.Future
}

type (
	red   letter
	green letter
	blue  letter
)

func message(n int, l letter) any {
	return [...]any{red(l), green(l), blue(l)}[n%3]
}

// open gives the number of a message's type and what it holds; -1: it is none of ours.
func open(msg any) (int, letter) {
	switch m := msg.(type) {
	case red:
		return 0, letter(m)
	case green:
		return 1, letter(m)
	case blue:
		return 2, letter(m)
	}
	return -1, letter{}
}

// beast is an actor. What happens to it is mixed into one number.
type beast struct {
	program *wild
	herd    *[]*beast
	path    string
	kind    int
	seen    uint64
	mode    int
	refs    []actor.Ref
	born    int
	stashed bool
	timer   actor.TimerID
	timers  []actor.TimerID
	futures []*actor.Future
}

// The kinds differ for the names of their types.
type (
	ant struct{ *beast }
	bee struct{ *beast }
	cat struct{ *beast }
	dog struct{ *beast }
)

// Start is actor.Starter.
func (d *dog) Start(ctx *actor.Context) {
	for i, to := range d.refs {
		ctx.Send(to, message(i, letter{}))
	}
}

func (b *beast) bear(kind int) actor.Behavior {
	b.born++
	c := &beast{program: b.program, herd: b.herd, path: fmt.Sprintf("%s/%d.%d", b.path, kind, b.born), kind: kind,
		refs: slices.Clone(b.refs)}
	*b.herd = append(*b.herd, c)
	return [...]actor.Behavior{&ant{c}, &bee{c}, &cat{c}, &dog{c}, &eel{c}, &fox{c}}[kind]
}

func (b *beast) note(n int) { b.seen = b.seen*31 + uint64(n) + 1 }

// Receive is actor.Behavior.
func (b *beast) Receive(ctx *actor.Context, msg any) {
	n, l := open(msg)
	if n < 0 {
		b.note(7) // somebody terminated
		return
	}
	b.note(n)
	if l.Ref != (actor.Ref{}) && len(b.refs) < 4 {
		b.refs = append(b.refs, l.Ref)
	}
	if l.Future != nil && len(b.futures) < 3 {
		b.futures = append(b.futures, l.Future)
	}
	if l.Left > 0 {
		b.do(ctx, b.program.handlers[[3]int{b.kind % 3, n, b.mode}], l.Left-1)
	}
}

func (b *beast) do(ctx *actor.Context, deeds []deed, left int) {
	for _, d := range deeds {
		if d.name == "defer" {
			defer b.one(ctx, deed{"send", d.a, d.b}, left)
			continue
		}
		b.one(ctx, d, left)
	}
}

func (b *beast) one(ctx *actor.Context, d deed, left int) {
	if len(b.refs) > 0 {
		b.speak(ctx, d, b.refs[d.a%len(b.refs)], left)
	}
	b.act(ctx, d, left)
}

// speak does what needs somebody else.
func (b *beast) speak(ctx *actor.Context, d deed, to actor.Ref, left int) {
	l := letter{Left: left}
	switch d.name {
	case "send":
		ctx.Send(to, message(d.b, l))
	case "introduce":
		l.Ref = ctx.Self()
		ctx.Send(to, message(d.b, l))
	case "pass":
		l.Ref = b.refs[(d.a+1)%len(b.refs)]
		ctx.Send(to, message(d.b, l))
	case "stopOther":
		ctx.StopActor(to)
	case "watch":
		ctx.Watch(to)
	case "call":
		if to != ctx.Self() {
			b.got(ctx.Call(to, message(d.b, l)))
		}
	case "callFor":
		if to != ctx.Self() {
			b.got(ctx.CallTimeout(to, message(d.b, l), time.Duration(d.a+1)*time.Second))
		}
	case "ask":
		b.got(ctx.Await(ctx.Ask(to, message(d.b, l))))
	case "replySend":
		b.answer(ctx, d)
		ctx.Send(to, message(d.b, l))
	}
}

// act does what an actor can do alone.
func (b *beast) act(ctx *actor.Context, d deed, left int) {
	switch d.name {
	case "spawn", "spawnSend", "hatch":
		if len(b.refs) < 4 {
			b.spawn(ctx, d, left)
		}
	case "stop":
		ctx.Stop()
	case "after":
		b.timer = ctx.After(time.Duration(d.a+1)*time.Second, message(d.b, letter{Left: left}))
	case "cancel":
		if b.timer != 0 && ctx.Cancel(b.timer) {
			b.note(3)
		}
	case "now":
		b.note(int(ctx.Now() / time.Second))
	case "choose":
		b.note(10 + pick(ctx, 2))
	case "become":
		b.mode ^= 1
	case "stash":
		if !b.stashed {
			b.stashed = true
			ctx.Stash()
		}
	case "unstash":
		ctx.UnstashAll()
	case "panic":
		if b.seen%3 == 0 {
			panic("wild")
		}
	case "error":
		if b.seen%2 == 0 {
			ctx.T().Errorf("wild")
		}
	case "reply":
		b.answer(ctx, d)
	case "until":
		ctx.AwaitUntil(func() bool { return b.mode == d.b%2 })
		b.note(30)
	case "receive":
		n, _ := open(ctx.Receive(func(msg any) bool { n, _ := open(msg); return n == d.b }))
		b.note(20 + n)
	default:
		b.more(ctx, d, left)
	}
}

// answer replies. The test function handles no message that it could answer.
func (b *beast) answer(ctx *actor.Context, d deed) {
	if ctx.Sender() != (actor.Ref{}) {
		ctx.Reply(message(d.b, letter{}))
	}
}

// spawn creates an actor, which may send at once, or be sent to before something else is.
func (b *beast) spawn(ctx *actor.Context, d deed, left int) {
	kind := d.a % 3
	if d.name == "hatch" {
		kind = 3
	}
	child := ctx.Spawn(b.bear(kind))
	b.refs = append(b.refs, child)
	if d.b > 0 || d.name == "spawnSend" {
		ctx.Send(child, message(d.b, letter{Left: left, Ref: ctx.Self()}))
	}
	if d.name == "spawnSend" {
		ctx.Send(b.refs[0], message(d.b+1, letter{Left: left}))
	}
}

// got notes how a call ended.
func (b *beast) got(v any, err error) {
	var stopped *actor.StoppedError
	switch n, _ := open(v); {
	case errors.Is(err, actor.ErrTimeout):
		b.note(41)
	case errors.As(err, &stopped):
		b.note(42)
	case err != nil:
		b.note(43)
	default:
		b.note(44 + n)
	}
}

// species is a way to draw programs.
type species struct {
	stream uint64   // of random numbers
	names  []string // of features
	driver []string // what the test function does
	most   int      // deeds of the test function,
	least  int      // and at least so many
	faulty int      // one in so many has faults
	kinds  int      // of actors that are there when it begins; 0: 3
	busy   int      // deeds of a handler, at least
	// timers may fire between what handlers send and their cancels, which makes more executions of smaller programs
	late bool
}

var (
	tame = species{0x77696c64, []string{"plain", "stops", "timers", "stash", "fails", "call", "ask", "receive", "receive",
		"all"}, []string{"send", "send", "pass"}, 3, 1, 3, 0, 0, false}
	// What tame programs lack: the test function waits, actors wait for a condition, and go on when they have answered or
	// created others.
	feral = species{0x666572616c,
		[]string{"await", "await", "until", "answers", "answers", "births", "stash", "receive", "wider", "wider"},
		[]string{"send", "send", "send", "pass", "ask", "call", "callFor", "receive"}, 4, 2, 2, 0, 0, false}
	// Handlers cancel timers behind what they have sent, and what comes of that may be quicker.
	hasty = species{0x6861737479, []string{"cancels"}, []string{"send", "send", "pass"}, 3, 2, 6, 0, 0, true}
)

// wildProgram makes the tame program of a seed.
func wildProgram(seed uint64) (Program, string) { return tame.program(seed) }

// drawn is a program with the conditions under which it is compared.
type drawn struct {
	*wild
	name  string // of its features
	seed  uint64
	cond  explore.Conditions
	limit int
}

func (d *drawn) String() string {
	return fmt.Sprintf("seed %d, %s, under %s, timers %s, faults %s\n%v", d.seed, d.name, d.cond.Model, d.cond.Timers,
		d.cond.Faults, *d.wild)
}

func (d *drawn) program() Program {
	end := ""
	return Program{System: d.system(&end), Conditions: d.cond, State: func() string { return end },
		Check: func() explore.Checker { return &check.Checker{} }, Limit: d.limit}
}

// program makes the program of a seed, and a line that says what it is.
func (sp *species) program(seed uint64) (Program, string) {
	d := sp.draw(seed)
	return d.program(), d.String()
}

// draw makes the program of a seed.
func (sp *species) draw(seed uint64) *drawn {
	r := rand.New(rand.NewPCG(seed, sp.stream))
	name := sp.names[r.IntN(len(sp.names))]
	of := features[name]
	if name == "wider" {
		of = wider
	} else if of == nil {
		of = exotics[name]
	}
	one := func() deed { return deed{of[r.IntN(len(of))], r.IntN(4), r.IntN(3)} }
	w := &wild{handlers: map[[3]int][]deed{}, left: 2 + r.IntN(2)}
	for i := range 18 {
		for range sp.busy + r.IntN(4) {
			key := [3]int{i / 6, i / 2 % 3, i % 2}
			w.handlers[key] = append(w.handlers[key], one())
		}
	}
	for range sp.least + r.IntN(1+sp.most-sp.least) {
		w.roots = append(w.roots, r.IntN(max(3, sp.kinds)))
		w.first = append(w.first, deed{sp.driver[r.IntN(len(sp.driver))], r.IntN(4), r.IntN(3)})
	}
	// Set-up ends where the test function waits.
	slices.SortStableFunc(w.first, func(a, b deed) int { return int(bit(b.name == setUp)) - int(bit(a.name == setUp)) })
	d := &drawn{wild: w, name: name, seed: seed, limit: 600,
		cond: explore.Conditions{Model: trace.Bag + trace.Model(r.IntN(5)), Timers: trace.TimerMode(r.IntN(2)),
			Horizon: time.Minute, Copy: true, Blocked: 5 * time.Second}}
	if sp.late {
		w.left, d.cond.Model, d.cond.Timers, d.limit = 2, trace.Mailbox, trace.Async, 1500
	}
	if r.IntN(sp.faulty) == 0 {
		kinds := []trace.FaultKind{trace.Drop, trace.Duplicate, trace.CrashLosing, trace.Crash, trace.Restart}
		d.cond.Faults = trace.Faults{Max: 1, Kinds: trace.FaultKindsOf(kinds[r.IntN(5)], kinds[r.IntN(5)])}
	}
	return d
}

// system gives the program, which writes the state in which it ends to end.
func (w *wild) system(end *string) explore.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		herd := []*beast{}
		driver := &beast{program: w, herd: &herd}
		herd = append(herd, driver)
		t.SetUp(func() {
			for _, kind := range w.roots {
				driver.refs = append(driver.refs, ctx.Spawn(driver.bear(kind)))
			}
		})
		t.AtEnd(func() {
			var all []string
			for _, b := range herd {
				all = append(all, fmt.Sprintf("%s: %d %d", b.path, b.seen, b.mode))
			}
			slices.Sort(all)
			*end = strings.Join(all, ", ")
		})
		driver.do(ctx, w.first, w.left)
	})
}
