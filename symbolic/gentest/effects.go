package gentest

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/cases"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

var anyType = types.NewInterfaceType(nil, nil)

// effects makes the values of what the handler does, and gives what writes the expectations, in their order.
func (w *writer) effects() (list []func()) { return w.effectsFrom(0) }

// effectsFrom leaves out the expectations of so many events, which are of messages before. Answers that these wait for
// are given, too.
func (w *writer) effectsFrom(first int) (list []func()) {
	if w.c.Task != nil {
		return w.deeds()
	}
	a := &answers{w: w, of: map[string][]string{}}
	chosen := 0
	for i, e := range w.c.Events {
		switch e.Op {
		case "send", "request", "forward", "respond", "call", "ask":
			a.sent(e)
			w.asked(e, i >= first)
		case "choose":
			chosen++
			w.choice(chosen)
		}
		if e.Op == "call" || e.Op == "await" {
			a.waited()
		}
		if i < first {
			continue
		}
		if f := w.effect(e); f != nil {
			list = append(list, f)
		}
	}
	a.write()
	return append(list, w.ending(), w.idle())
}

// asked has the sender of a message of GoAkt wait for an answer, where the handler gives one: else it goes nowhere.
func (w *writer) asked(e exec.Event, handled bool) {
	const asks = "x.Asks()"
	if w.framework == model.GoAkt && e.Op == "respond" && handled && !slices.Contains(w.before, asks) {
		w.before = append(w.before, asks)
	}
}

// idle expects the receive timeout of protoactor-go that the actor has in the end.
func (w *writer) idle() func() {
	limit := time.Duration(0)
	for _, e := range w.c.Events {
		switch {
		case e.Op == "timeout" && len(e.Flat) == 1:
			limit = time.Duration(w.world.eval.value(e.Flat[0].Term).Int())
		case e.Op == "cancel" && w.proto:
			limit = 0
		}
	}
	return func() {
		if limit >= time.Millisecond {
			w.add("x.ReceiveTimeout(%s)", w.duration(limit))
		}
	}
}

// answers are what peers give to the messages that they get, in their order.
type answers struct {
	w     *writer
	peers []string
	of    map[string][]string // by peer; "" is no answer
	asked []asked
	waits int
}

// asked is a message whose answer the handler may wait for.
type asked struct {
	who   string
	place int
}

// sent notes a message.
func (a *answers) sent(e exec.Event) {
	asks := e.Op == "call" || e.Op == "ask"
	if e.Lost {
		if asks {
			fail("the handler waits for an answer of nobody")
		}
		return
	}
	who := a.w.actorOf(e.To)
	if asks {
		a.asked = append(a.asked, asked{who, len(a.of[who])})
	}
	if a.of[who] == nil {
		a.peers = append(a.peers, who)
	}
	a.of[who] = append(a.of[who], "")
}

// waited notes the answer that the handler waits for: that of the oldest request of which it has not waited yet.
func (a *answers) waited() {
	if a.waits++; a.waits > len(a.asked) {
		fail("the handler waits for something that it has not asked for")
	}
	q, name := a.asked[a.waits-1], fmt.Sprintf("answer%d", a.waits)
	if strings.HasPrefix(q.who, "x.S") {
		fail("the handler waits for an answer of an actor that is no peer")
	}
	if err := a.w.world.input(name+".error", types.Universe.Lookup("error").Type()); !err.isZero() {
		a.of[q.who][q.place] = a.w.failure(err)
		return
	}
	a.of[q.who][q.place] = a.w.expr(a.w.world.input(name, anyType), anyType)
}

// write has peers answer.
func (a *answers) write() {
	for _, who := range a.peers {
		list := a.of[who]
		for len(list) > 0 && list[len(list)-1] == "" {
			list = list[:len(list)-1]
		}
		if len(list) == 0 {
			continue
		}
		for i, v := range list {
			if v == "" {
				list[i] = "steptest.Nothing{}"
			}
		}
		a.w.before = append(a.w.before, fmt.Sprintf("x.Answers(%s, %s)", who, strings.Join(list, ", ")))
	}
}

func (w *writer) choice(n int) {
	if v := w.world.vars[fmt.Sprintf("choice%d", n)]; v != nil {
		w.before = append(w.before, fmt.Sprintf("x.Chooses(%d)", w.world.model.Eval(v).Int()))
	}
}

// actorOf writes a reference.
func (w *writer) actorOf(t *term.Term) string {
	if t == nil {
		fail("the handler sends to somebody in another process: a test has no such peer")
	}
	return w.peers.name(w.world.eval.value(t).Uint(), t)
}

// effect makes the values of an event, and gives what writes the expectation; nil if there is none.
func (w *writer) effect(e exec.Event) func() {
	switch e.Op {
	case "send", "request", "forward", "respond", "call", "ask":
		if e.Lost {
			return w.loses(e)
		}
		return w.sends(w.actorOf(e.To), e)
	case "spawn":
		return w.spawns(e)
	case "stop", "watch", "unwatch":
		if e.Lost || w.framework == model.GoAkt && e.Op != "stop" { // nothing is sent for that
			return nil
		}
		if e.To == nil {
			return func() { w.add("x.Ends()") }
		}
		to := w.actorOf(e.To)
		return func() {
			w.add("x.%s(%s)", map[string]string{"stop": "Stops", "watch": "Watches", "unwatch": "Unwatches"}[e.Op], to)
		}
	case "timer":
		if e.Msg == nil {
			fail("a timer of which only the framework knows")
		}
		return w.timer(e)
	case "become", "unbecome":
		if w.proto && w.framework != model.GoAkt {
			return nil // the stack is a part of the state
		}
		return func() {
			if !slices.Contains(w.lines, "x.Becomes()") {
				w.add("x.Becomes()")
			}
		}
	case "pipe":
		return func() {
			w.add("// The framework hands on what comes of the request. That is later than the end of the handler, and not compared.")
		}
	case "fail":
		return func() { w.add("x.Fails()") }
	case "await", "choose", "cancel", "unhandled", "timeout", "child", "found":
		return nil
	}
	fail("the handler does %s, which tests cannot expect yet", e.Op)
	return nil
}

// loses is effect of a message that nobody gets.
func (w *writer) loses(e exec.Event) func() {
	if w.proto && e.Op != "respond" {
		return nil // it panics
	}
	typ := ""
	if e.Type != nil {
		typ = typeText(e.Type)
	}
	return func() { w.add("x.Loses(%q)", typ) }
}

// timer expects that a timer is set. How long it waits is compared, if it is known.
func (w *writer) timer(e exec.Event) func() {
	if w.proto {
		fail("a timer of %s: it is only seen when it fires, which is after the handler", w.framework)
	}
	v := w.world.valueAtEnd(e.Msg, anyType)
	after, known := w.delay(e)
	return func() {
		w.declare("v", v)
		if known {
			w.add("x.TimerAfter(%s, %s)", w.duration(after), w.expr(v, anyType))
		} else {
			w.add("x.Timer(%s)", w.expr(v, anyType))
		}
	}
}

// delay gives how long a timer waits.
func (w *writer) delay(e exec.Event) (after time.Duration, known bool) {
	if e.Delay == nil {
		return 0, false
	}
	var why string
	defer caught(&why)
	n := w.world.eval.value(e.Delay).Int()
	return time.Duration(max(n, 0)), true
}

// sends expects a message. What of it is not known is not compared.
func (w *writer) sends(to string, e exec.Event) func() {
	v, why := w.try(e.Msg, anyType)
	return func() {
		if why != "" {
			w.add("x.SendsAny(%s) // %s", to, why)
			return
		}
		w.declare("v", v)
		w.add("x.Sends(%s, %s)", to, w.expr(v, anyType))
	}
}

// try makes a value, or says why it is not known.
func (w *writer) try(v exec.Value, t types.Type) (made *value, why string) {
	defer caught(&why)
	if v == nil {
		fail("it is not known")
	}
	return w.world.valueAtEnd(v, t), ""
}

// spawns expects an actor, with the state that it begins with.
func (w *writer) spawns(e exec.Event) func() {
	v, why := w.try(e.Msg, anyType)
	typ := ""
	if why == "" && v.kind == faceKind {
		typ = typeText(v.parts[0].typ)
	}
	w.free()
	name := w.given(e)
	known := why == "" && v.kind == faceKind && (!w.proto || w.c.Task != nil) && len(v.parts) == 1 &&
		v.parts[0].kind != variableKind
	if w.proto {
		typ = e.Kind
	} else if v == nil || v.kind != faceKind || v.parts[0].kind == variableKind {
		typ = ""
	}
	return func() {
		if known {
			w.declare("v", v)
			w.add("x.Spawns(%s)", w.expr(v, anyType))
		} else {
			w.add("x.SpawnsAny(%q)", typ)
		}
		if name != "" {
			w.add("x.SpawnedAs(%q)", name)
		}
	}
}

// free fails where an actor cannot be created because another one has its name.
func (w *writer) free() {
	for _, in := range w.c.Inputs {
		if exec.IsSpawnError(in.At) && in.Aspect == "!type" && w.world.model.Eval(in.Var).Uint() != 0 {
			fail("an actor that has the name of a new one: a test has none")
		}
	}
}

// given gives the name that an actor is spawned with, as traces have it, "" where there is none or it is not known.
func (w *writer) given(e exec.Event) string {
	if e.Name == nil || w.framework == model.Hollywood { // there it is a kind, behind which an identifier may come
		return ""
	}
	var why string
	defer caught(&why)
	name := w.world.eval.value(e.Name).Text
	if w.proto {
		name = name[strings.LastIndexByte(name, '/')+1:]
		name, _, _ = strings.Cut(name, "$")
	}
	return name
}

// ending expects how the handler ends.
func (w *writer) ending() func() {
	text := w.panicText()
	return func() {
		switch {
		case w.c.Path.Exit == exec.Assert:
			w.add("x.Fails()")
		case w.c.Verdict == cases.Panicked:
			w.add("x.Panics(%q)", text)
		case w.c.Verdict == cases.Waits:
			w.add("x.Waits()")
		}
	}
}

// runtimeTexts gives a part of what Go writes of a panic, by what paths tell of it. What is not there is told in
// several ways.
var runtimeTexts = map[string]string{
	"nil dereference":                            "nil pointer dereference",
	"index out of range":                         "index out of range",
	"slice bounds out of range":                  "slice bounds out of range",
	"assignment to entry in nil map":             "assignment to entry in nil map",
	"integer divide by zero":                     "divide by zero",
	"interface conversion":                       "interface conversion",
	"negative shift amount":                      "negative shift amount",
	"comparing or hashing an uncomparable type":  "able type",
	"makeslice: length or capacity out of range": "makeslice: ",
	"slice too short for the array":              "cannot convert slice with length",
	"call of a nil function":                     "nil pointer dereference",
	"close of a nil or closed channel":           "close of ",
	"sync/atomic: store of nil value into Value": "sync/atomic: store of nil value into Value",
	"panic called with nil argument":             "panic called with nil argument",
	"strings: negative Repeat count":             "negative Repeat count",
	"non-positive interval for a ticker":         "non-positive interval for ",
}

// panicText gives a part of the text of the panic, "" if none is known.
func (w *writer) panicText() (text string) {
	var why string
	defer caught(&why)
	for _, told := range w.c.Path.Told {
		if strings.HasPrefix(told.Name, "value.(") && len(w.c.Path.Told) == 2 {
			switch v := w.world.eval.value(told.Term); told.Term.Sort.Kind {
			case term.StringKind:
				return v.Text
			case term.WordKind:
				return strconv.FormatInt(v.Int(), 10)
			}
		}
	}
	if w.c.Why == cases.HookReplies || strings.HasSuffix(w.c.Why, cases.InHook) {
		return w.c.Why
	}
	return runtimeTexts[w.c.Why]
}
