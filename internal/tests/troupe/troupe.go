// Package troupe draws small random programs of actors as tables, and plays them on whatever a Stage is of. That is
// native actors (Native), or a framework, under control or on its own. What is compared is what each actor received, in
// its order. It is for the tests of adapters: the same program comes to the same orders everywhere.
package troupe

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
)

// Kind says what programs are made of: the deeds of handlers, and those of the test.
type Kind struct {
	Name        string
	Deeds, Test string
}

// Kinds are programs that agree on native actors and on frameworks whose actors start at once. Where actors end nobody
// is called: what becomes of a call to the dead differs.
var Kinds = []Kind{
	{"sends", "send send self request respond introduce", "send"},
	{"calls", "call call respond send request self", "send send call"},
	{"spawns", "spawn spawn send introduce request respond call", "send spawn"},
	{"ends", "send self request respond stop stop introduce", "send send send stop"},
}

// Poisons are programs of frameworks that end an actor gracefully (Poisoner). Native actors have nothing of the kind.
var Poisons = []Kind{
	{"poisons", "send self request respond poison introduce", "send send poison"},
	{"either", "send self poison stop request", "send send poison stop"},
}

// Poisoner is a Stage that can end an actor behind some of what waits for it.
type Poisoner interface {
	Poison(who any)
}

// deed is one thing that a handler does.
type deed struct {
	what string
	to   int // whom, of the actors known; for spawn, the kind of the new actor
	typ  int // of the letter that is sent
}

// parts is how many kinds of actors a program has.
const parts = 3

// Program is a table of what actors do with letters of two types.
type Program struct {
	Seed     uint64
	Kind     string
	roots    []int
	handlers [parts][2][]deed
	test     []deed
	hops     int // so many generations of letters
}

// Draw makes the program of a seed, of one of the kinds.
func Draw(seed uint64, kinds []Kind) *Program {
	r := rand.New(rand.NewPCG(seed, 0x74726f757065))
	k := kinds[r.IntN(len(kinds))]
	p := &Program{Seed: seed, Kind: k.Name, hops: 1 + r.IntN(2)}
	of := func(words string) deed {
		all := strings.Fields(words)
		return deed{all[r.IntN(len(all))], r.IntN(4), r.IntN(2)}
	}
	for i := range p.handlers {
		for typ := range p.handlers[i] {
			for range 1 + r.IntN(3) {
				p.handlers[i][typ] = append(p.handlers[i][typ], of(k.Deeds))
			}
		}
	}
	for range 2 + r.IntN(2) {
		p.roots = append(p.roots, r.IntN(parts))
	}
	for range 1 + r.IntN(3) {
		p.test = append(p.test, of(k.Test))
	}
	return p
}

// String shows the table.
func (p *Program) String() string {
	return fmt.Sprintf("seed %d, %s: roots %v, %d hops, test %v, handlers %v", p.Seed, p.Kind, p.roots, p.hops, p.test,
		p.handlers)
}

// Letter is the message of all programs. Its name says how it came about: "0.2" is sent by the third deed of whoever
// handles "0", the test's first.
type Letter struct {
	Name      string
	typ, hops int
	requested bool // who sent it wants an answer
	ref       any  // an actor that the receiver gets to know, or nil
}

// Stage is what players act on: the context of a handler, or the test's. An actor is any comparable value.
type Stage interface {
	Self() any // nil: the test
	Tell(to any, l Letter)
	Call(to any, l Letter) (answer Letter, err error) // waits for the answer, for CallTime at most
	Respond(l Letter)
	Spawn(player *Player, name string) any
	End(who any) // ends an actor by a message in its turn
}

// World is one execution of a program.
type World struct {
	program *Program
	pause   func() // called before each deed
	mu      sync.Mutex
	players []*Player
	over    bool // what handlers do now is no part of it
}

// NewWorld begins an execution. pause is called before each deed; it may be nil.
func (p *Program) NewWorld(pause func()) *World {
	if pause == nil {
		pause = func() {}
	}
	return &World{program: p, pause: pause}
}

// Player is the state of one actor.
type Player struct {
	world *World
	path  string
	kind  int
	known []any
	born  int
	log   []string
}

func (w *World) player(path string, kind int, known []any) *Player {
	p := &Player{world: w, path: path, kind: kind, known: slices.Clone(known)}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.players = append(w.players, p)
	return p
}

// SetUp creates the first actors, who know each other.
func (w *World) SetUp(s Stage) {
	var refs []any
	for i, kind := range w.program.roots {
		name := string(rune('A' + i))
		refs = append(refs, s.Spawn(w.player(name, kind, nil), name))
	}
	for _, p := range w.players {
		p.known = slices.Clone(refs)
	}
}

// Test does what the test does, which knows the actors of set-up.
func (w *World) Test(s Stage) {
	p := w.player("test", 0, w.players[0].known)
	for i, d := range w.program.test {
		w.pause()
		p.do(s, d, Letter{Name: string(rune('0' + i)), typ: d.typ, hops: w.program.hops})
	}
}

// End ends the execution, and tells what each actor received.
func (w *World) End() string {
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

func (p *Player) note(what string) {
	p.world.mu.Lock()
	defer p.world.mu.Unlock()
	if !p.world.over {
		p.log = append(p.log, what)
	}
}

// Receive handles a letter.
func (p *Player) Receive(s Stage, l Letter) {
	p.note(l.Name)
	if l.ref != nil && len(p.known) < 5 {
		p.known = append(p.known, l.ref)
	}
	answered := false
	for i, d := range p.world.program.handlers[p.kind][l.typ] {
		p.world.mu.Lock()
		over := p.world.over
		p.world.mu.Unlock()
		next := Letter{Name: fmt.Sprintf("%s.%d", l.Name, i), typ: d.typ, hops: l.hops - 1}
		switch {
		case over:
			return
		case d.what == "respond":
			if l.requested && !answered {
				answered = true
				p.world.pause()
				next.hops = 0
				s.Respond(next)
			}
		case l.hops > 0:
			p.world.pause()
			p.do(s, d, next)
		}
	}
}

func (p *Player) do(s Stage, d deed, l Letter) {
	to := p.known[d.to%len(p.known)]
	switch d.what {
	case "send":
		s.Tell(to, l)
	case "self":
		s.Tell(s.Self(), l)
	case "request":
		l.requested = true
		s.Tell(to, l)
	case "introduce":
		l.ref = p.known[len(p.known)-1]
		s.Tell(to, l)
	case "call":
		if to == s.Self() {
			return // nobody would ever answer
		}
		l.requested = true
		p.note(l.Name + "?")
		answer, err := s.Call(to, l)
		if err != nil {
			answer.Name = "late"
		}
		p.note("=" + answer.Name)
	case "spawn":
		if len(p.known) < 5 {
			p.born++
			name := fmt.Sprintf("%s%d", strings.ToLower(p.path), p.born)
			p.known = append(p.known, s.Spawn(p.world.player(name, d.to%parts, p.known), name))
		}
	case "stop":
		s.End(to)
	case "poison":
		s.(Poisoner).Poison(to)
	default:
		panic("troupe: no such deed: " + d.what)
	}
}
