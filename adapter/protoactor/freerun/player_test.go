package freerun

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// letter is the message of all programs. Its name says how it came about: "0.2" is sent by the third deed of whoever
// handles "0", the test's first.
type letter struct {
	name      string
	typ, hops int
	requested bool // who sent it wants an answer
	asked     bool // a future waits for it
	to        any  // for whom it is; who else gets it only answers. nil: whoever gets it
	ref       any  // an actor that the receiver gets to know, or nil
	from      any  // native actors: who wants an answer, if somebody else has forwarded it; or nil
}

// hangs is before the name of a letter whose answer is handed on.
const hangs = "hang "

// forwarded is added to the name of a letter that came to somebody else.
const forwarded = "f"

// stage is what players act on: the context of a handler, or the test's. An actor is any.
type stage interface {
	self() any // nil: the test
	sender() any
	send(to any, l letter)
	request(to any, l letter)
	respond(l letter)
	forward(to any)
	ask(to any, l letter) any              // gives a future
	await(future any) string               // waits for its result
	reenter(future any, then func(string)) // then is called later
	pipe(future any, to any)               // the result becomes a message
	spawn(player *player, name string) any
	stop(who any)
	poison(who any)
	watch(who any)
	unwatch(who any)
}

// world is one execution of a program.
type world struct {
	program *program
	pause   func(d deed, name string) // called before each deed, with the name of the letter that it may send
	mu      sync.Mutex
	players []*player
	over    bool // what handlers do now is no part of it
	failed  any  // what an actor panicked with: a defect of this package
}

// player is the state of one actor.
type player struct {
	world           *world
	path            string
	kind            int
	root            bool  // made in set-up
	hops            int   // of what it does unasked
	known           []any // actors that it knows
	born            int
	watched         int     // how often it began to watch: what is gone already says so, again and again
	futures         []named // begun and not yet waited for
	asked, answered bool    // whether a future waits for the answer to what it handles, and whether it has it
	log             []string
}

// named is a future with the name of what it asked.
type named struct {
	name   string
	future any
}

// player makes an actor of that kind. Players of roots come to know each other later.
func (w *world) player(path string, kind, hops int, known []any) *player {
	p := &player{world: w, path: path, kind: kind, hops: hops, known: slices.Clone(known)}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.players = append(w.players, p)
	return p
}

// introduce has the actors of set-up know each other, in the order of their creation.
func (w *world) introduce(refs []any) {
	for _, p := range w.players {
		p.known = slices.Clone(refs)
	}
}

// logs is what each actor received, by its path.
type logs map[string][]string

func (l logs) String() string {
	var lines []string
	for path, log := range l {
		lines = append(lines, path+": "+strings.Join(log, " "))
	}
	slices.Sort(lines)
	return strings.Join(lines, "; ")
}

// begins reports whether each log is the beginning of the one in o.
func (l logs) begins(o logs) bool {
	for path, log := range l {
		if other := o[path]; len(other) < len(log) || !slices.Equal(log, other[:len(log)]) {
			return false
		}
	}
	return true
}

// logs are those of the actors that received something.
func (w *world) logs() logs {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed != nil {
		panic(w.failed)
	}
	l := logs{}
	for _, p := range w.players {
		if len(p.log) > 0 {
			l[p.path] = slices.Clone(p.log)
		}
	}
	return l
}

// end ends the execution and tells what each actor received.
func (w *world) end() logs {
	l := w.logs()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
	return l
}

func (p *player) note(format string, args ...any) {
	p.world.mu.Lock()
	defer p.world.mu.Unlock()
	if !p.world.over {
		p.log = append(p.log, fmt.Sprintf(format, args...))
	}
}

// guard notes a panic before a framework hides it.
func (p *player) guard() {
	if r := recover(); r != nil {
		p.world.mu.Lock()
		p.world.failed = r
		p.world.mu.Unlock()
		panic(r)
	}
}

// receive handles a letter.
func (p *player) receive(s stage, l letter) {
	if l.to != nil && l.to != s.self() {
		p.note("%s", l.name+forwarded)
		p.asked, p.answered = l.asked, false
		p.play(s, l.name+forwarded, p.world.program.handlers[p.kind][l.typ], 0)
		return
	}
	p.note("%s", l.name)
	p.asked, p.answered = l.asked, false
	if l.ref != nil && len(p.known) < 5 {
		p.known = append(p.known, l.ref)
	}
	p.play(s, l.name, p.world.program.handlers[p.kind][l.typ], l.hops)
}

// react handles what is no letter.
func (p *player) react(s stage, event int, name string) {
	switch {
	case event == onGone, event != onStart && p.world.program.feature != endings:
		p.note("%s", name)
	case event != onStart:
	case p.root:
		return // it knows nobody yet
	}
	p.play(s, p.path+name, p.world.program.handlers[p.kind][event], p.hops)
}

// test does what the test does, which knows the actors of set-up.
func (w *world) test(s stage, known []any) {
	p := w.player("test", 0, 0, known)
	for i, d := range w.program.first {
		l := letter{name: string(rune('0' + i)), typ: d.typ, hops: w.program.hops}
		w.pause(d, l.name)
		p.do(s, d, l)
	}
}

// play does what a handler does. With no hops left only letters are answered.
func (p *player) play(s stage, name string, deeds []deed, hops int) {
	for i, d := range deeds {
		if p.world.isOver() {
			return
		}
		if hops > 0 || d.what == "respond" {
			l := letter{name: fmt.Sprintf("%s.%d", name, i), typ: d.typ, hops: max(0, hops-1)}
			if d.what == "forward" {
				l.name = name + forwarded
			}
			p.world.pause(d, l.name)
			p.do(s, d, l)
		}
	}
}

func (w *world) isOver() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.over
}

func (p *player) do(s stage, d deed, l letter) {
	if d.what == "respond" {
		// Of two answers to a future the framework lets the first win, or returns the second: a race of its own.
		if s.sender() != nil && !p.answered {
			s.respond(l)
			p.answered = p.asked
		}
		return
	}
	to := p.known[d.to%len(p.known)]
	switch d.what {
	case "send":
		l.to = to
		s.send(to, l)
	case "self":
		s.send(s.self(), l)
	case "request":
		l.to, l.requested = to, true
		s.request(to, l)
	case "introduce":
		l.to, l.ref = to, p.known[len(p.known)-1]
		s.send(to, l)
	case "forward":
		if to != s.self() {
			s.forward(to)
		}
	case "spawn":
		if len(p.known) < 5 {
			p.born++
			name := fmt.Sprintf("%s%d", strings.ToLower(p.path), p.born)
			p.known = append(p.known, s.spawn(p.world.player(name, d.to%kinds, l.hops, p.known), name))
		}
	case "stop":
		s.stop(to)
	case "poison":
		s.poison(to)
	case "watch":
		if p.watched++; p.watched == 1 || p.watched == 2 && p.world.program.feature != endings {
			s.watch(to)
		}
	case "unwatch":
		s.unwatch(to)
	default:
		p.use(s, d, l, to)
	}
}

// use does what needs a future.
func (p *player) use(s stage, d deed, l letter, to any) {
	if d.what == "await" {
		if len(p.futures) > 0 {
			f := p.futures[0]
			p.futures = p.futures[1:]
			p.wait(s, f)
		}
		return
	}
	if to == s.self() {
		return // nobody would ever answer
	}
	l.to, l.requested, l.asked = to, true, true
	f := named{l.name, s.ask(to, l)}
	if d.what == "reenter" || d.what == "pipe" {
		p.world.pause(deed{what: "hang"}, hangs+l.name) // the answer may come before that
	}
	switch d.what {
	case "call":
		p.wait(s, f)
	case "ask":
		p.futures = append(p.futures, f)
	case "reenter":
		s.reenter(f.future, func(result string) {
			p.note("%s>%s", f.name, result)
			p.play(s, l.name+"r", d.then, l.hops)
		})
	case "pipe":
		s.pipe(f.future, p.known[(d.to+1)%len(p.known)])
	default:
		panic("no such deed: " + d.what)
	}
}

// wait notes for what it waits, so that the end tells who is blocked.
func (p *player) wait(s stage, f named) {
	p.note("%s?", f.name)
	p.note("=%s", s.await(f.future))
}
