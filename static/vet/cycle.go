package vet

import (
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/vet/internal/frame"
	"github.com/rehearse-go/rehearse/static/vet/internal/outside"
)

// This file: actors that can wait for each other's answers, by the types of what they ask and handle.
//
//	source:     the wait-for graphs of textbooks
//	differs:    static/finding, which has the whole program, follows references to the actors that are asked; this goes
//	            by types, package by package, and tells of the others by facts
//	assumes:    what handles a message also answers it, and an actor that asks its own type asks its children
//	cost:       a search through all actors for each request
//	checked by: the corpus (cycle*.txtar), testdata/across

// Actors is the fact about a package that has actors, or that imports some from others, at any distance: what they
// handle and what answers they wait for. It has those of its imports too, since a package gets the facts about its
// direct imports only.
type Actors struct{ List []Actor }

// Actor is what Cycle knows of an actor's type.
type Actor struct {
	Pkg, Name string
	Handles   []string // types of messages
	Asks      []string // types of messages whose answers a handler waits for
}

// AFact marks a fact.
func (*Actors) AFact() {}

func (a *Actors) String() string {
	var names []string
	for _, x := range a.List {
		names = append(names, x.Name)
	}
	return "actors(" + strings.Join(names, ", ") + ")"
}

// Cycle reports actors that can wait for each other's answers. Who gets a request is told by its type: every actor that
// handles it may. An actor that asks others of its own type is none, since these are mostly its children; one that asks
// itself is.
var Cycle = check("cycle", "report actors whose handlers can wait for each other's answers: a deadlock, or a timeout of all of them", findCycles, waiting)

// waiting gives what this package's actors wait for, and has the facts about those of imported packages.
var waiting = &analysis.Analyzer{
	Name:       "rehearsewaiting",
	Doc:        "what answers actors wait for",
	Requires:   []*analysis.Analyzer{frame.Analyzer, outside.Analyzer},
	FactTypes:  []analysis.Fact{(*Actors)(nil)},
	ResultType: reflect.TypeFor[*waits](),
	Run: func(pass *analysis.Pass) (any, error) {
		code := pass.ResultOf[frame.Analyzer].(*frame.Code)
		if code == nil {
			return &waits{}, nil
		}
		local, asks := actorsOf(pass, code, pass.ResultOf[outside.Analyzer].(*outside.Result))
		known := &waits{actors: local, asks: asks}
		imports := slices.Clone(pass.Pkg.Imports())
		slices.SortFunc(imports, func(a, b *types.Package) int { return strings.Compare(a.Path(), b.Path()) })
		for _, p := range imports {
			var f Actors
			if pass.ImportPackageFact(p, &f) {
				known.add(f.List)
			}
		}
		if len(known.actors) > 0 {
			pass.ExportPackageFact(&Actors{known.actors})
		}
		return known, nil
	},
}

// waits is what is known of all actors, and the requests of this package.
type waits struct {
	actors []Actor
	asks   []ask
	seen   []map[string]bool // for each import with actors, those that it knows
}

// add adds what an import knows.
func (w *waits) add(list []Actor) {
	names := map[string]bool{}
	for _, a := range list {
		names[a.full()] = true
		if !slices.ContainsFunc(w.actors, func(o Actor) bool { return o.Pkg == a.Pkg && o.Name == a.Name }) {
			w.actors = append(w.actors, a)
		}
	}
	w.seen = append(w.seen, names)
}

// ask is a request in this package whose answer is waited for.
type ask struct {
	at     token.Pos
	actor  string
	msg    string
	toSelf bool
}

func findCycles(pass *analysis.Pass, tell report) error {
	known := pass.ResultOf[waiting].(*waits)
	net := network{known.actors}
	reported := map[string]bool{}
	for _, a := range known.asks {
		if a.toSelf {
			tell(a.at, "%s waits for its own answer to %s, which it cannot give meanwhile; call the code directly, or do not wait (ReenterAfter, Await)", last(a.actor), last(a.msg))
			continue
		}
		if way := net.back(a.actor, a.msg); way != nil && !reported[key(way)] {
			reported[key(way)] = true
			tell(a.at, "%s waits for the answer to %s of %s: while all of them wait, nobody answers; let one of them not wait (ReenterAfter, Await)",
				last(a.actor), last(a.msg), chain(way[1:]))
		}
	}
	net.abroad(pass, known.seen, reported, tell)
	return nil
}

// abroad reports cycles among imported packages that this one is the first to see whole.
func (n network) abroad(pass *analysis.Pass, seen []map[string]bool, reported map[string]bool, tell report) {
	for _, a := range n.actors {
		if a.Pkg == pass.Pkg.Path() {
			continue
		}
		for _, msg := range a.Asks {
			way := n.back(a.full(), msg)
			if way == nil || reported[key(way)] || seenBefore(seen, way) {
				continue
			}
			reported[key(way)] = true
			tell(pass.Files[0].Name.Pos(),
				"together the packages have a cycle: %s waits for the answer to %s of %s; let one of them not wait (ReenterAfter, Await)",
				last(a.full()), last(msg), chain(way[1:]))
		}
	}
}

// seenBefore reports whether an imported package knows all of the cycle's actors, so that it reported the cycle.
func seenBefore(imports []map[string]bool, way []string) bool {
	return slices.ContainsFunc(imports, func(known map[string]bool) bool {
		return !slices.ContainsFunc(way, func(a string) bool { return !known[a] })
	})
}

// network is who may wait for whom.
type network struct{ actors []Actor }

func (a Actor) full() string { return a.Pkg + "." + a.Name }

// chain tells of actors that wait, each for the next one.
func chain(way []string) string {
	var names []string
	for _, a := range way {
		names = append(names, last(a))
	}
	return strings.Join(names, ", which waits for ")
}

// back gives a shortest way of waiting from an actor that asks for the answer to msg back to itself; nil if there is
// none.
func (n network) back(from, msg string) []string {
	ways := map[string][]string{}
	queue := n.receivers(from, msg, []string{from}, ways)
	for ; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		for _, a := range n.actors {
			if a.full() != at {
				continue
			}
			for _, m := range a.Asks {
				for _, b := range n.actors {
					if b.full() == from && at != from && slices.Contains(b.Handles, m) {
						return append(slices.Clone(ways[at]), from)
					}
				}
				queue = append(queue, n.receivers(at, m, ways[at], ways)...)
			}
		}
	}
	return nil
}

// receivers lists the actors, other than the asking one, that handle a message and were not met yet.
func (n network) receivers(from, msg string, way []string, ways map[string][]string) []string {
	var met []string
	for _, b := range n.actors {
		if name := b.full(); name != from && name != way[0] && ways[name] == nil && slices.Contains(b.Handles, msg) {
			ways[name] = append(slices.Clone(way), name)
			met = append(met, name)
		}
	}
	return met
}

// key is the same for a cycle wherever it begins.
func key(way []string) string {
	k := slices.Clone(way)
	slices.Sort(k)
	return strings.Join(slices.Compact(k), " ")
}

func last(typ string) string { return typ[strings.LastIndex(typ, "/")+1:] }

// actorsOf reads the actors of this package and what they wait for.
func actorsOf(pass *analysis.Pass, code *frame.Code, reach *outside.Result) (actors []Actor, asks []ask) {
	index := map[string]int{}
	for _, h := range code.Handlers {
		name := h.Name()
		if h.Owner != nil {
			name = h.Owner.Obj().Name()
		}
		i, ok := index[name]
		if !ok {
			i = len(actors)
			index[name], actors = i, append(actors, Actor{Pkg: pass.Pkg.Path(), Name: name})
		}
		for _, f := range reach.Reach(h.Fn) {
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					if ta, ok := in.(*ssa.TypeAssert); ok && isMessage(ta.X) {
						actors[i].Handles = append(actors[i].Handles, typeName(ta.AssertedType))
					}
					for _, a := range asked(in) {
						a.actor = actors[i].full()
						asks = append(asks, a)
						if !a.toSelf {
							actors[i].Asks = append(actors[i].Asks, a.msg)
						}
					}
				}
			}
		}
	}
	slices.SortStableFunc(asks, func(a, b ask) int { return int(a.at) - int(b.at) })
	return actors, asks
}

// isMessage reports whether a value is the message being handled, or a parameter that may be.
func isMessage(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Parameter:
		return true
	case *ssa.Call:
		row, ok := frame.Of(&v.Call)
		return ok && row.Op == frame.Message
	}
	return false
}

// asked lists the requests whose answers an instruction waits for.
func asked(in ssa.Instruction) []ask {
	call, ok := in.(*ssa.Call)
	if !ok {
		return nil
	}
	row, ok := frame.Of(&call.Call)
	requests := []*ssa.Call{call}
	if !ok || row.Op == frame.Wait {
		requests = outside.Requests(&call.Call)
	}
	if !ok || row.Op != frame.Wait && row.Op != frame.Call {
		return nil
	}
	var found []ask
	for _, r := range requests {
		row, _ := frame.Of(&r.Call)
		m, ok := frame.Arg(&r.Call, row.Payload).(*ssa.MakeInterface)
		if !ok {
			continue
		}
		to, self := frame.Arg(&r.Call, row.To).(*ssa.Call)
		if self {
			toRow, ok := frame.Of(&to.Call)
			self = ok && toRow.Op == frame.Self
		}
		found = append(found, ask{at: call.Pos(), msg: typeName(m.X.Type()), toSelf: self})
	}
	return found
}

func typeName(t types.Type) string { return types.TypeString(t, nil) }
