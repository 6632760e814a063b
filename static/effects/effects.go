// Package effects finds what handlers do, for each type of actor and type of message. It finds the fields that may be
// read and written, what may be sent and created, and what else may happen.
//
//	effects.go  all handlers of an application
//	actors.go   which types and functions are actors
//	handler.go  one handler: one type of actor with one type of message
//	frame.go    one function with arguments of one kind; which of its branches a type of message can take
//	instr.go    what an instruction does; calls.go: a call
//	models.go   what functions of the frameworks do; std.go: those of libraries; asked.go: what these call of the
//	            application
//	become.go   changes of behaviour; behavior.go: those of protoactor-go
//	wrapped.go  messages of protoactor-go that are more than they seem
//	receivers.go who gets what handlers send, and what is around them, from the message flow graph
//	matched.go  which messages have no case; interfaces.go: where a case is an interface
//	alias.go    what else a write may reach; globals.go: variables that never change
//	value.go    what a value may be
//	sources.go  the facts file of a package
//
// # The algorithm
//
// Every handler is interpreted abstractly, from the call by the framework on. A value is a set of references into the
// actor, the message, or memory that this run has allocated; a reference into the actor has an access path. Nothing is
// known about what the actor's memory holds, so reading a reference at a path gives "what is behind the path". All is
// repeated until nothing grows.
//
//	source:     handlers per type of message subsume the type switches of [TAP18]; the rest is ours
//	differs:    no points-to analysis: whether two fields lead to the same memory is told by their types
//	assumes:    actors share no memory, handlers are no data races, nobody uses package unsafe to reach a field
//	invariants: whatever is not understood makes the handler unknown, with the reason and its place
//	cost:       handlers x instructions that they lead to x rounds; each kind of call is analysed once a round
//	checked by: effects_test.go (tables), run_test.go: all subjects, every step, what changed and what was sent
package effects

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/internal/facts"
	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/static/model"
)

// analysis is that of one application.
type analysis struct {
	prog     *ssa.Program
	program  *load.Program
	packages []*ssa.Package

	functions []*ssa.Function // with source
	sources   map[*ssa.Package]bool
	survey    *survey
	actors    []*kindOfActor
	sent      []types.Type // of messages that the application sends, as far as they are found
	reaches   map[string]*reached
	actives   map[string][]*ssa.Function // see active
	readers   map[*ssa.Function]bool     // see onlyReads

	behaviors *stacks // nil: not looked for yet
}

// Result is what was found.
type Result struct {
	Actors   []facts.Actor
	Handlers []facts.Handler // by actor, then message; facts.Rest last
	Sent     []string        // types of messages that the application sends
}

// Analyze finds the effects of all handlers of an application. It never fails: what it does not understand is unknown
// in the result.
func Analyze(p *load.Program) *Result {
	a := &analysis{prog: p.SSA, program: p, sources: map[*ssa.Package]bool{}, reaches: map[string]*reached{},
		actives: map[string][]*ssa.Function{}, readers: map[*ssa.Function]bool{}}
	for _, pkg := range p.Packages {
		a.packages = append(a.packages, pkg.SSA)
		a.sources[pkg.SSA] = true
	}
	a.functions = p.Functions()
	a.survey = look(a.functions)
	a.find()
	a.sent = a.messages()
	r := &Result{}
	for _, x := range a.actors {
		hs, matched := a.handlers(x)
		about := a.about(x, hs)
		about.Matched = matched
		r.Actors = append(r.Actors, about)
		r.Handlers = append(r.Handlers, hs...)
	}
	for _, t := range a.sent { // the analysis has added to it
		r.Sent = append(r.Sent, model.MessageName(t))
	}
	r.Sent = append(r.Sent, a.otherForms(r)...)
	slices.Sort(r.Sent)
	r.Sent = slices.Compact(r.Sent)
	r.merge()
	r.shorten()
	return r
}

// merge leaves one of several actors with one name: nobody can tell them apart when the program runs.
func (r *Result) merge() {
	seen := map[string]bool{}
	r.Actors = slices.DeleteFunc(r.Actors, func(a facts.Actor) bool {
		twice := seen[a.Name]
		seen[a.Name] = true
		return twice
	})
	for i := range r.Handlers {
		for _, a := range r.Actors {
			if a.Name == r.Handlers[i].Actor && a.Ambiguous {
				r.Handlers[i] = facts.Handler{Actor: a.Name, Message: r.Handlers[i].Message,
					Unknown: "several types of actors have this name"}
			}
		}
	}
	r.Handlers = slices.CompactFunc(r.Handlers,
		func(a, b facts.Handler) bool { return a.Actor == b.Actor && a.Message == b.Message })
}

// otherForms lists the types of which the application makes an interface, and whose pointers, or what they point to,
// are messages. They may be messages too, by way of a variable, say.
func (a *analysis) otherForms(r *Result) (names []string) {
	messages := map[string]bool{}
	for _, name := range r.Sent {
		messages[name] = true
	}
	for i := range r.Handlers {
		messages[r.Handlers[i].Message] = true
	}
	for _, fn := range a.functions {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if box, ok := instr.(*ssa.MakeInterface); ok {
					name := model.MessageName(box.X.Type())
					if plain := facts.Plain(name); plain != name && messages[plain] || plain == name && messages["*"+plain] {
						names = append(names, name)
					}
				}
			}
		}
	}
	return names
}

// shorten names messages as traces do. Pointers keep their star where values of their type are messages, too.
func (r *Result) shorten() {
	values := map[string]bool{}
	r.rename(func(name string) string {
		values[name] = true
		return name
	})
	r.rename(func(name string) string {
		if plain := facts.Plain(name); !values[plain] {
			return plain
		}
		return name
	})
}

// rename gives every type of messages another name.
func (r *Result) rename(as func(string) string) {
	for i := range r.Sent {
		r.Sent[i] = as(r.Sent[i])
	}
	for i := range r.Handlers {
		h := &r.Handlers[i]
		h.Message = as(h.Message)
		for j := range h.Sends {
			h.Sends[j].Message = as(h.Sends[j].Message)
		}
	}
}

// messages lists the types of all values that the application hands to a function of a framework as an interface: what
// may be sent.
func (a *analysis) messages() []types.Type {
	var list []types.Type
	for _, fn := range a.functions {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if box, ok := instr.(*ssa.MakeInterface); ok && box.Type().Underlying().(*types.Interface).Empty() &&
					handedOver(box) && !known(list, box.X.Type()) {
					list = append(list, box.X.Type())
				}
			}
		}
	}
	return list
}

// handedOver reports whether a value becomes an argument of a framework's function.
func handedOver(box *ssa.MakeInterface) bool {
	for _, r := range *box.Referrers() {
		c, ok := r.(ssa.CallInstruction)
		if !ok {
			continue
		}
		name := ""
		if m := c.Common().Method; m != nil {
			name = m.FullName()
		} else if fn := c.Common().StaticCallee(); fn != nil {
			name = fullName(fn)
		}
		if ofPackage(name, native) || ofPackage(name, proto) || ofPackage(name, hollywood) || ofPackage(name, goakt) {
			return true
		}
	}
	return false
}

func known(list []types.Type, t types.Type) bool {
	return slices.ContainsFunc(list, func(u types.Type) bool { return same(t, u) })
}

// handlers analyses all messages of an actor: those of no case of their own first, since that tells which have one.
func (a *analysis) handlers(x *kindOfActor) ([]facts.Handler, facts.Matched) {
	for {
		before := len(x.behaviors)
		hs, matched := a.once(x)
		if len(x.behaviors) == before {
			return hs, matched
		}
	}
}

func (a *analysis) once(x *kindOfActor) ([]facts.Handler, facts.Matched) {
	rest := a.handle(x, nil)
	cases, named := slices.Clone(rest.cases), slices.Clone(rest.cases)
	if rest.asks || x.framework == facts.Protoactor {
		for _, t := range a.sent {
			if (rest.asks || answersItself(t)) && !known(cases, t) {
				cases = append(cases, t)
			}
			if answersItself(t) && !known(named, t) {
				named = append(named, t)
			}
		}
	}
	var each []*handler
	byName := map[string][]*handler{}
	var names []string
	for i := 0; i < len(cases); i++ {
		h := a.handle(x, cases[i])
		each = append(each, h)
		for _, t := range h.cases { // behind a branch that only this message takes
			if !known(cases, t) {
				cases = append(cases, t)
			}
			if !known(named, t) {
				named = append(named, t)
			}
		}
		name := model.MessageName(cases[i])
		if byName[name] == nil {
			names = append(names, name)
		}
		byName[name] = append(byName[name], h)
	}
	slices.Sort(names)
	var hs []facts.Handler
	for _, name := range names {
		hs = append(hs, a.fact(x, name, byName[name]))
	}
	if rest.asks && x.framework != facts.Native {
		for _, t := range a.candidates() {
			if !known(cases, t) {
				each = append(each, a.handle(x, t))
			}
		}
	}
	matched := a.matched(x, rest, named, each)
	return append(hs, a.fact(x, facts.Rest, []*handler{rest})), matched
}

// fact joins what is said of messages with one name.
func (a *analysis) fact(x *kindOfActor, name string, hs []*handler) facts.Handler {
	all := hs[0]
	for _, h := range hs[1:] {
		all.join(h)
	}
	if x.lost != "" && all.unknown == "" {
		all.unknown = x.lost
	}
	return all.fact(name)
}

// handle analyses one message.
func (a *analysis) handle(x *kindOfActor, msg types.Type) *handler {
	h := &handler{analysis: a, actor: x, msg: msg, frames: map[string]*frame{}, objects: map[ssa.Value]*object{},
		inst: &object{kind: instance, id: 1}, mail: &object{kind: message, id: 2, holds: map[string]val{}},
		ctx:   &object{kind: context, id: 3},
		reads: map[string]bool{}, writes: map[write]bool{}, sends: map[sent]int{}, spawns: map[string]bool{},
		other: map[string]bool{}}
	h.run()
	h.learn()
	return h
}

// method gives a method of a type, its own or promoted, nil if there is none.
func (a *analysis) method(t types.Type, name string) *ssa.Function {
	set := a.prog.MethodSets.MethodSet(t)
	for i := range set.Len() {
		if sel := set.At(i); sel.Obj().Name() == name {
			return a.prog.MethodValue(sel)
		}
	}
	return nil
}

// place gives file:line relative to the folder of analysis.
func (a *analysis) place(pos token.Pos) string { return a.program.Position(pos) }
