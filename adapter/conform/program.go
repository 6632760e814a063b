package conform

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"
)

// This file draws small random programs of actors as tables, and plays them on a Stage: native actors, or a framework,
// under control or on its own. What is compared is what each actor received, in its order.

// kind says what programs are made of: the deeds of handlers, and those of the test.
type kind struct {
	name        string
	deeds, test string
	needs       Ability // "" if nothing
}

// kinds are programs that agree on native actors and on frameworks whose actors start at once. Where actors end nobody
// is called: what becomes of a call to the dead differs.
var kinds = []kind{
	{"sends", "send send self request respond introduce", "send", ""},
	{"calls", "call call respond send request self", "send send call", ""},
	{"spawns", "spawn spawn send introduce request respond call", "send spawn", ""},
	{"ends", "send self request respond end end introduce", "send send send end", ""},
	{"forwards", "send self request respond introduce forward", "send", Forward},
	{"halts", "send self request respond halt halt end", "send send send halt end", Halt},
}

// drains are programs in which actors are drained, which native actors are not.
var drains = []kind{
	{"drains", "send self request respond drain introduce", "send send drain", Drain},
	{"either", "send self drain end request", "send send drain end", Drain},
}

// deed is one thing that a handler does.
type deed struct {
	what string
	to   int // whom, of the actors known; for spawn, the kind of the new actor
	typ  int // of the letter that is sent
}

// parts is how many kinds of actors a program has.
const parts = 3

// program is a table of what actors do with letters of two types.
type program struct {
	seed     uint64
	kind     string
	roots    []int
	handlers [parts][2][]deed
	test     []deed
	hops     int // so many generations of letters
}

// draw makes the program of a seed, of one of the kinds.
func draw(seed uint64, kinds []kind) *program {
	r := rand.New(rand.NewPCG(seed, 0x74726f757065))
	k := kinds[r.IntN(len(kinds))]
	p := &program{seed: seed, kind: k.name, hops: 1 + r.IntN(2)}
	of := func(words string) deed {
		all := strings.Fields(words)
		return deed{all[r.IntN(len(all))], r.IntN(4), r.IntN(2)}
	}
	for i := range p.handlers {
		for typ := range p.handlers[i] {
			for range 1 + r.IntN(3) {
				p.handlers[i][typ] = append(p.handlers[i][typ], of(k.deeds))
			}
		}
	}
	for range 2 + r.IntN(2) {
		p.roots = append(p.roots, r.IntN(parts))
	}
	for range 1 + r.IntN(3) {
		p.test = append(p.test, of(k.test))
	}
	return p
}

// String shows the table.
func (p *program) String() string {
	return fmt.Sprintf("seed %d, %s: roots %v, %d hops, test %v, handlers %v", p.seed, p.kind, p.roots, p.hops, p.test,
		p.handlers)
}

// letter is the message of all programs. Its name says how it came about: "0.2" is sent by the third deed of whoever
// handles "0", the test's first.
type letter struct {
	name      string
	typ, hops int
	requested bool // who sent it wants an answer
	from, to  any  // for whom it is: who else gets it only answers
	ref       any  // an actor that the receiver gets to know, or nil
}

// world is one execution of a program.
type world struct {
	program *program
	pause   func() // called before each deed
	mu      sync.Mutex
	players []*player
	over    bool // what handlers do now is no part of it
}

// newWorld begins an execution. pause is called before each deed; it may be nil.
func (p *program) newWorld(pause func()) *world {
	if pause == nil {
		pause = func() {}
	}
	return &world{program: p, pause: pause}
}

// player is the state of one actor.
type player struct {
	world *world
	path  string
	kind  int
	known []any
	born  int
	log   []string
}

func (w *world) player(path string, kind int, known []any) *player {
	p := &player{world: w, path: path, kind: kind, known: slices.Clone(known)}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.players = append(w.players, p)
	return p
}

// setUp creates the first actors, who know each other.
func (w *world) setUp(s Stage) {
	var refs []any
	for i, kind := range w.program.roots {
		name := string(rune('A' + i))
		refs = append(refs, w.spawn(s, name, kind, nil))
	}
	for _, p := range w.players {
		p.known = slices.Clone(refs)
	}
}

// spawn starts an actor. One that is restarted goes on with what it had.
func (w *world) spawn(s Stage, name string, kind int, known []any) any {
	p := w.player(name, kind, known)
	return s.Spawn(name, func() Actor { return p })
}

// test does what the test does, which knows the actors of set-up.
func (w *world) test(s Stage) {
	p := w.player("test", 0, w.players[0].known)
	for i, d := range w.program.test {
		w.pause()
		p.do(s, d, letter{name: string(rune('0' + i)), typ: d.typ, hops: w.program.hops})
	}
}

// end ends the execution, and tells what each actor received.
func (w *world) end() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
	var lines []string
	for _, p := range w.players {
		if len(p.log) > 0 {
			lines = append(lines, p.path+": "+strings.Join(p.log, " "))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "; ")
}

func (p *player) note(what string) {
	p.world.mu.Lock()
	defer p.world.mu.Unlock()
	if !p.world.over {
		p.log = append(p.log, what)
	}
}

// Receive handles a letter. Actor.
func (p *player) Receive(s Stage, message any) {
	l, ok := message.(letter)
	if !ok {
		return
	}
	hops := l.hops
	if l.to != s.Self() {
		l.name += "f"
		hops = 0
	}
	p.note(l.name)
	if l.ref != nil && len(p.known) < 5 {
		p.known = append(p.known, l.ref)
	}
	answered := false
	for i, d := range p.world.program.handlers[p.kind][l.typ] {
		next := letter{name: fmt.Sprintf("%s.%d", l.name, i), typ: d.typ, hops: max(0, hops-1)}
		switch {
		case p.world.isOver():
			return
		case d.what == "respond":
			if l.requested && !answered {
				answered = true
				p.world.pause()
				s.Respond(letter{name: next.name, typ: next.typ, to: l.from})
			}
		case hops > 0:
			p.world.pause()
			p.do(s, d, next)
		}
	}
}

func (w *world) isOver() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.over
}

func (p *player) do(s Stage, d deed, l letter) {
	l.to = p.known[d.to%len(p.known)]
	l.from = s.Self()
	switch d.what {
	case "send":
		s.Tell(l.to, l)
	case "self":
		l.to = s.Self()
		s.Tell(l.to, l)
	case "request":
		l.requested = true
		s.Tell(l.to, l)
	case "introduce":
		l.ref = p.known[len(p.known)-1]
		s.Tell(l.to, l)
	case "call":
		if l.to != s.Self() { // else nobody would ever answer
			p.call(s, l)
		}
	case "spawn":
		if len(p.known) < 5 {
			p.born++
			name := fmt.Sprintf("%s%d", strings.ToLower(p.path), p.born)
			p.known = append(p.known, p.world.spawn(s, name, d.to%parts, p.known))
		}
	case "forward":
		if l.to != s.Self() {
			s.(Forwarder).Forward(l.to)
		}
	case "end":
		s.End(l.to)
	case "halt":
		s.(Halter).Halt(l.to)
	case "drain":
		s.(Drainer).Drain(l.to)
	default:
		panic("conform: no such deed: " + d.what)
	}
}

// callTime is how long a call waits for its answer. The horizon is no multiple of it.
const callTime = 13 * time.Second

// call asks and waits. What it waits for is noted, so that the end tells who is blocked.
func (p *player) call(s Stage, l letter) {
	l.requested = true
	p.note(l.name + "?")
	answer, err := s.Call(l.to, l, callTime)
	if err != nil {
		p.note("=late")
		return
	}
	p.note("=" + answer.(letter).name)
}
