package agree

import (
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/actor"
)

// This file: what exotic programs do beside wild ones. Their actors wear behaviours in layers, refuse messages, hand
// futures on, set several timers, and act in their start hooks and in deferred functions.

// exotics are the features of exotic programs.
var exotics = map[string][]string{
	"layers":  {"send", "introduce", "wear", "wear", "shed", "picky", "stash", "unstash", "call", "until", "become"},
	"refuses": {"introduce", "bear", "send", "become", "call", "ask", "replyTwice", "receive", "stopOther", "pass"},
	"futures": {"introduce", "askLater", "askLater", "hand", "awaitOld", "awaitOld", "ready", "reply", "replyTwice",
		"send", "stopOther", "panic"},
	"clocks": {"introduce", "set", "set", "unset", "now", "send", "wear", "stopSelf", "callFor", "until", "become"},
	"hooks":  {"introduce", "bear", "bear", "send", "watch", "stopSelf", "choose", "panic", "replyTwice", "pass"},
	"defers": {"introduce", "defer", "defer", "panic", "call", "ask", "reply", "choose", "stopSelf", "send", "recovers"},
	"tasks": {"introduce", "askLater", "awaitOld", "until", "until", "become", "stash", "unstash", "receive",
		"choose", "sendSelf"},
	"any": {"send", "introduce", "pass", "spawn", "stop", "stopOther", "watch", "after", "cancel", "choose", "become",
		"stash", "unstash", "panic", "error",
		"call", "callFor", "ask", "reply", "now", "receive", "until", "hatch", "replySend", "spawnSend", "wear", "shed",
		"picky", "bear", "askLater", "hand",
		"awaitOld", "ready", "set", "unset", "stopSelf", "replyTwice", "defer", "recovers", "sendSelf", "toSender"},
}

// exotic programs have faults of more kinds, test functions that do what actors do, and set-up that sends, in the
// middle too.
var exotic = species{0x65786f746963,
	[]string{"layers", "refuses", "futures", "futures", "clocks", "hooks", "defers", "tasks", "any", "any", "any"},
	[]string{"send", "send", "send", "send", "send", "send", "send", "pass", "pass", "introduce", "introduce", "ask",
		"callFor", "receive", "choose", "bear", "set", "unset", "askLater", "awaitOld", "hand", "stopOther", "watch", setUp},
	4, 3, 4, 5, 1, false}

// setUp is what the test function does first.
const setUp = "setUp"

type (
	// eel refuses messages of the type that its mode names.
	eel struct{ *beast }
	// fox does in its start hook what its kind does with a blue message.
	fox struct{ *beast }
	// coat is what a beast may become: it does what the next kind does.
	coat struct{ b *beast }
	// picky is a coat that refuses blue messages.
	picky struct{ coat }
)

// Accepts is actor.Accepter.
func (e *eel) Accepts(msg any) bool {
	n, _ := open(msg)
	return n < 0 || n != e.mode
}

// Start is actor.Starter.
func (f *fox) Start(ctx *actor.Context) {
	for _, d := range f.program.handlers[[3]int{f.kind % 3, 2, 0}] {
		if !waits(d) {
			f.one(ctx, d, 1)
		}
	}
}

// waits reports whether a deed may wait, which a start hook must not, is about a message, of which there is none, or
// has no end there.
func waits(d deed) bool {
	return slices.Contains([]string{"bear", "call", "callFor", "ask", "awaitOld", "until", "receive", "stash", "unstash",
		"recovers", "defer"}, d.name)
}

// Receive is actor.Behavior.
func (c *coat) Receive(ctx *actor.Context, msg any) {
	b := c.b
	b.note(50)
	b.kind++
	defer func() { b.kind-- }()
	b.Receive(ctx, msg)
}

// Accepts is actor.Accepter.
func (p *picky) Accepts(msg any) bool {
	_, blue := msg.(blue)
	return !blue
}

// more does what exotic actors do beside wild ones.
func (b *beast) more(ctx *actor.Context, d deed, left int) {
	l := letter{Left: left}
	switch d.name {
	case "wear":
		ctx.Become(&coat{b})
	case "picky":
		ctx.Become(&picky{coat{b}})
	case "shed":
		ctx.Unbecome()
	case "set":
		b.timers = append(b.timers, ctx.After(time.Duration(d.a)*time.Second, message(d.b, l)))
	case "unset":
		if n := len(b.timers); n > 0 && ctx.Cancel(b.timers[d.a%n]) {
			b.note(3)
		}
	case "stopSelf":
		ctx.StopActor(ctx.Self())
	case "sendSelf":
		ctx.Send(ctx.Self(), message(d.b, l))
	case "toSender":
		if ctx.Sender() != (actor.Ref{}) {
			ctx.Send(ctx.Sender(), message(d.b, l))
		}
	case "replyTwice":
		b.answer(ctx, d)
		b.answer(ctx, deed{d.name, d.a, d.b + 1})
	case "bear":
		if len(b.refs) < 5 {
			b.refs = append(b.refs, ctx.Spawn(b.bear(4+d.a%2)))
		}
	case setUp:
		ctx.T().SetUp(func() { b.do(ctx, []deed{{"introduce", d.a, d.b}}, 1+d.a%2) })
	case "recovers":
		func() {
			defer func() {
				if recover() != nil {
					b.note(60)
				}
			}()
			b.do(ctx, []deed{{"panic", d.a, d.b}, {"reply", d.a, d.b}}, left)
		}()
	default:
		b.promise(ctx, d, l)
	}
}

// promise does what has to do with futures.
func (b *beast) promise(ctx *actor.Context, d deed, l letter) {
	n := len(b.futures)
	switch {
	case d.name == "askLater" && len(b.refs) > 0 && n < 3:
		b.futures = append(b.futures, ctx.Ask(b.refs[d.a%len(b.refs)], message(d.b, l)))
	case d.name == "hand" && n > 0 && len(b.refs) > 0:
		l.Future = b.futures[d.b%n]
		ctx.Send(b.refs[d.a%len(b.refs)], message(d.b, l))
	case d.name == "awaitOld" && n > 0:
		b.got(ctx.Await(b.futures[d.a%n]))
	case d.name == "ready" && n > 0 && b.futures[d.a%n].Ready():
		b.note(9)
	}
}
