package freerun

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// deed is one thing that a handler does.
type deed struct {
	what string
	to   int    // whom, of the actors known; for spawn, the kind of the new actor
	typ  int    // of the letter that is sent
	then []deed // of a continuation
}

func (d deed) String() string {
	s := fmt.Sprintf("%s(%d,%d)", d.what, d.to, d.typ)
	if len(d.then) > 0 {
		s += fmt.Sprint(d.then)
	}
	return s
}

// What makes an actor act: a letter of one of two types, its start, its stop, the end of another actor, its own.
const (
	onStart = 2 + iota
	onStopping
	onGone
	onStopped
	events
)

const kinds = 3

// program is a table of what actors do.
type program struct {
	seed     uint64
	feature  string
	roots    []int // the kinds of the actors of set-up
	handlers [kinds][events][]deed
	first    []deed // what the test does
	hops     int    // so many generations of letters
}

func (p *program) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d, %s: roots %v, %d hops, test %v\n", p.seed, p.feature, p.roots, p.hops, p.first)
	for kind := range p.handlers {
		for event, deeds := range p.handlers[kind] {
			if len(deeds) > 0 {
				fmt.Fprintf(&b, "  kind %d on %s: %v\n", kind, []string{"letter 0", "letter 1", "start", "stopping", "gone", "stopped"}[event], deeds)
			}
		}
	}
	return b.String()
}

// feature is what a program is made of.
type feature struct {
	name        string
	deeds, test string // what handlers do, and what the test does
	events      int    // up to here handlers do something
}

// features are those of protoactor-go.
var features = []feature{
	{"sends", "send send self request respond introduce forward", "send", 2},
	{"calls", "call call respond respond send ask await", "send send call", 2},
	{"futures", "reenter reenter pipe respond respond send ask await", "send", 2},
	{"stops", "stop poison watch unwatch send request respond", "send send stop poison", events},
	{"spawns", "spawn spawn send introduce request respond self", "send spawn", onStart + 1},
	{"answers", "request call respond send respond forward", "send", 2},
	{"families", "spawn stop poison watch send introduce call respond", "send spawn stop", events},
	{"all", "send self request respond introduce forward call ask await reenter pipe spawn stop poison watch unwatch", "send spawn stop poison call", events},
}

// ends are features with more stops, watches and continuations than those.
var ends = []feature{
	{"end", "send stop watch call respond", "send send stop send", events},
	{"watch", "stop watch send call respond request", "send send stop call", events},
	{"child", "spawn stop poison watch send introduce call respond", "send spawn stop", events},
	{"reenter", "stop watch reenter call respond send", "send send call stop", events},
	{"most", "send self request respond introduce forward call ask await reenter pipe spawn stop stop watch unwatch", "send spawn stop poison call", events},
}

// pipes are features with more of what hangs on futures than those.
var pipes = []feature{
	{"pipe", "pipe pipe respond respond send request", "send", 2},
	{"answer", "pipe respond send respond send", "send send", 2},
	{"both", "pipe reenter respond respond send stop", "send", 2},
	{"later", "pipe call respond send ask await", "send", 2},
	{"spawned", "pipe spawn respond respond send", "send", 2},
}

// draw makes the program of a seed, of one of the features.
func draw(seed uint64, features []feature) *program {
	r := rand.New(rand.NewPCG(seed, 0x66726565))
	f := features[r.IntN(len(features))]
	p := &program{seed: seed, feature: f.name, hops: 1 + r.IntN(2)}
	of := func(words string) deed {
		all := strings.Fields(words)
		return deed{what: all[r.IntN(len(all))], to: r.IntN(4), typ: r.IntN(2)}
	}
	for kind := range p.handlers {
		for event := range min(f.events, onStopped) {
			n := 1 + r.IntN(3)
			if event >= onStart {
				n = r.IntN(2)
			}
			for range n {
				d := of(f.deeds)
				if d.what == "reenter" {
					for range r.IntN(3) {
						d.then = append(d.then, deed{what: "send", to: r.IntN(4), typ: r.IntN(2)})
					}
				}
				p.handlers[kind][event] = append(p.handlers[kind][event], d)
			}
		}
	}
	for range 2 + r.IntN(2) {
		p.roots = append(p.roots, r.IntN(kinds))
	}
	for range 1 + r.IntN(3) {
		p.first = append(p.first, of(f.test))
	}
	for kind := range p.handlers { // last, so that all else is as it was before there was this
		if f.events > onStopped && r.IntN(2) == 0 {
			p.handlers[kind][onStopped] = append(p.handlers[kind][onStopped], of(f.deeds))
		}
	}
	return p
}
