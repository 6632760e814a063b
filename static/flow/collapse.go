package flow

import (
	"cmp"
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/static/points"
)

// This file makes the graph out of what the analysis has found.
//
//	source:     [TAP18] algorithm 1, CollapseToMFG
//	differs:    state machines are told apart by type of message too, and become handlers of their actor; an edge is a
//	            place in the source
//	invariants: I1 actors are in the order of their names, edges in that of compare, which the source alone decides
//	            I2 every edge has the fewest conditions of all ways that lead to it
//	cost:       sorting; labels are worked out once a message
//	checked by: golden_test.go, flow_test.go; sound_test.go against executions

// messageName names the type of a message, with the star of a pointer.
func (b *builder) messageName(box points.Loc) string {
	o := b.solver.Object(box)
	if o.Type == nil {
		return "nil"
	}
	return b.spelled(o.Type).name
}

// spelling is how a type is written.
type spelling struct{ name, key string }

// spelled gives the name of a type of messages, and a text that no other type has.
func (b *builder) spelled(t types.Type) spelling {
	s, ok := b.spellings[t]
	if !ok {
		s = spelling{model.MessageName(t), types.TypeString(t, nil)}
		if plain := model.TypeName(t); plain != s.name {
			b.pointers[s.name] = plain
		}
		b.spellings[t] = s
	}
	return s
}

// shown names messages for people: as traces do, and with a star for pointers where the program has values of their
// type as messages too. Those of frameworks come in one form.
func (b *builder) shown(message string) string {
	if name := b.plain(message); !b.twofold[name] || HandledByFramework(name) {
		return name
	}
	return message
}

// plain is the name of a type of messages in traces: without the star of a pointer.
func (b *builder) plain(message string) string {
	if of, pointer := b.pointers[message]; pointer {
		return of
	}
	return message
}

// twofold finds the types of messages that the program has both as values and by pointer: sent, or asked for.
func twofold(builders []*builder) map[string]bool {
	names, pointers := map[string]bool{}, map[string]string{}
	for _, b := range builders {
		for _, e := range b.list {
			names[e.message] = true
		}
		for _, c := range b.order {
			for _, asked := range b.branches(c) {
				names[asked.name] = true
			}
		}
		maps.Copy(pointers, b.pointers)
	}
	both := map[string]bool{}
	for pointer, value := range pointers {
		both[value] = names[pointer] && names[value]
	}
	return both
}

// collapse makes the graph of what was found out: the paper's CollapseToMFG.
func (b *builder) collapse() *Graph {
	g := &Graph{}
	actors := map[*class]*Actor{}
	slices.SortStableFunc(b.order[1:],
		func(x, y *class) int { return cmp.Or(cmp.Compare(x.name, y.name), cmp.Compare(x.key, y.key)) })
	for _, c := range b.order {
		a := &Actor{Name: c.name, Environment: c.environment, Pos: b.program.Position(c.pos), Receptionist: c.receptionist}
		if c.pkg != nil {
			a.Pkg = c.pkg.Path()
		}
		a.Around, a.Made = b.around(c), b.made(c)
		actors[c] = a
		g.Actors = append(g.Actors, a)
	}
	for _, e := range b.list {
		e.at = b.program.Position(e.pos)
	}
	slices.SortStableFunc(b.list, b.compare)
	for _, e := range b.list {
		g.Edges = append(g.Edges, &Edge{Kind: e.kind, From: actors[e.from], To: actors[e.to], Message: b.shown(e.message),
			In:  b.shown(e.in.message),
			Pos: e.at, pos: e.pos, Conditions: conditions(e), Labels: b.labels(e), Blocking: e.blocking, Timeout: e.timeout})
		if e.from.environment && e.kind != Create && e.kind != Watch {
			actors[e.to].Receptionist = actors[e.to].Receptionist || !e.to.environment
		}
	}
	for _, c := range b.order {
		if !c.environment {
			b.handlers(c, actors[c], g)
		}
	}
	g.Partial = slices.Sorted(maps.Keys(b.notes))
	for _, p := range b.program.Problems {
		if p.Missing {
			g.Partial = append(g.Partial, p.String())
		}
	}
	if len(b.order) == 1 {
		g.Partial = append(g.Partial, "no actors are spawned by what was read: name the package whose tests or main drive them")
	}
	return g
}

// compare orders edges by who sends, for what, and where.
func (b *builder) compare(x, y *edge) int {
	return cmp.Or(cmp.Compare(x.from.name, y.from.name), cmp.Compare(x.from.key, y.from.key),
		cmp.Compare(b.plain(x.in.message), b.plain(y.in.message)),
		cmp.Compare(x.at, y.at), cmp.Compare(x.pos, y.pos), cmp.Compare(x.kind, y.kind),
		cmp.Compare(b.plain(x.message), b.plain(y.message)), cmp.Compare(x.to.name, y.to.name),
		cmp.Compare(x.to.key, y.to.key),
		cmp.Compare(x.in.message, y.in.message), cmp.Compare(x.message, y.message))
}

// conditions gives the least number of conditions on any way to the edge.
func conditions(e *edge) int {
	least := -1
	for _, at := range e.sites {
		if n := max(at.f.Depth, 0) + at.f.Conditions(at.block); least < 0 || n < least {
			least = n
		}
	}
	return max(least, 0)
}

// labels says what an edge carries: the places where its messages, or the actors that it creates, are made, and who
// lives in the references that they hold.
func (b *builder) labels(e *edge) []string {
	var all []string
	if len(e.boxes) == 1 {
		all = b.labelsOf(e.boxes[0]) // which many edges may share
	} else {
		for _, box := range e.boxes {
			all = append(all, b.labelsOf(box)...)
		}
		slices.Sort(all)
		all = slices.Compact(all)
	}
	if len(all) == 0 && e.message != "" {
		return []string{b.shown(e.message)}
	}
	return slices.Clip(all)
}

// labelsOf is labels for one message, or one behaviour. It is worked out once: a message goes to many actors.
func (b *builder) labelsOf(box points.Loc) []string {
	if known, ok := b.labelled[box]; ok {
		return known
	}
	set := map[string]bool{}
	o := b.solver.Object(box)
	for _, l := range b.solver.Unboxed(nil, box) {
		at := b.solver.Object(l)
		if pos := b.program.Position(at.Pos); pos != "" {
			set[pos] = true
		}
		if o.Type != nil {
			b.references(set, l, o.Type, "", 0)
		}
	}
	if pos := b.program.Position(o.Pos); pos != "" && len(b.solver.Unboxed(nil, box)) == 0 {
		set[pos] = true
	}
	b.labelled[box] = slices.Sorted(maps.Keys(set))
	return b.labelled[box]
}

// references adds who lives in the references below a place, by the names of the fields that lead there.
func (b *builder) references(set map[string]bool, l points.Loc, t types.Type, path string, depth int) {
	s := b.solver
	if c, ok := s.Object(l).Tag.(*class); ok && s.Object(l).Kind == kindRef {
		set[path+"="+c.name] = true
		return
	}
	if depth > 3 || s.Object(l).Atom {
		return
	}
	follow := func(part points.Loc, t types.Type, path string) {
		switch t.Underlying().(type) {
		case *types.Basic, *types.Signature, *types.Interface:
			return
		case *types.Struct, *types.Array:
			if !model.Reference(t) && !model.Referent(t) {
				b.references(set, part, t, path, depth+1)
				return
			}
		}
		for _, held := range s.Read(nil, part) {
			b.references(set, held, t, path, depth+1)
		}
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			follow(s.Part(l, i), u.Field(i).Type(), path+"."+u.Field(i).Name())
		}
	case *types.Slice:
		follow(s.Part(l, points.Elem), u.Elem(), path+"[]")
	case *types.Map:
		follow(s.Part(l, points.Elem), u.Elem(), path+"[]")
	}
}

// branch is a type of message that an actor's code asks for.
type branch struct {
	name string
	typ  types.Type
	pos  string
	mid  bool // in middleware, which may hand the message on
}

// branches lists the types of messages that an actor's code asks for, by name.
func (b *builder) branches(c *class) []branch {
	found := map[string]branch{}
	for _, f := range b.running(c) {
		mail := b.solver.Read(nil, b.machines[f.In].mailbox)
		for _, block := range f.Fn.Blocks {
			for _, in := range block.Instrs {
				a, ok := in.(*ssa.TypeAssert)
				if !ok || types.IsInterface(a.AssertedType) || !meets(b.solver.Value(f, a.X), mail) {
					continue
				}
				name := b.spelled(a.AssertedType).name
				if other, ok := found[name]; !ok || other.mid && !b.isMiddleware(c, f.Fn) {
					found[name] = branch{name, a.AssertedType, b.program.Position(a.Pos()), b.isMiddleware(c, f.Fn)}
				}
			}
		}
	}
	var out []branch
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if x := found[name]; !x.mid || b.keeps(c, name) {
			out = append(out, x)
		}
	}
	return out
}

// isMiddleware reports whether a function gets messages in envelopes, as those before an actor do. Those of Hollywood
// get the actor's context.
func (b *builder) isMiddleware(c *class, f *ssa.Function) bool {
	if c.framework == model.Hollywood {
		return slices.ContainsFunc(b.layersOf(nil, c, "receiverMiddlewareChain"),
			func(l points.Loc) bool { return b.solver.Object(l).Fn == f })
	}
	envelope := b.declared(protoactor, "MessageEnvelope")
	return envelope != nil && slices.ContainsFunc(f.Params,
		func(p *ssa.Parameter) bool { return types.Identical(p.Type(), types.NewPointer(envelope)) })
}

// keeps reports whether messages of a type come to an actor and end in its middleware. One that is handed on has its
// handler behind that.
func (b *builder) keeps(c *class, message string) bool {
	comes := false
	for _, m := range c.machines {
		named := func(box points.Loc) bool {
			return b.solver.Object(box).Kind == points.Box && b.messageName(box) == message
		}
		if slices.ContainsFunc(b.solver.Read(nil, m.handled), named) {
			return false
		}
		comes = comes || slices.ContainsFunc(b.solver.Read(nil, m.mailbox), named)
	}
	return comes
}

func meets(s, t points.Set) bool {
	return slices.ContainsFunc(s, t.Has)
}

// handlers lists what an actor does with the messages of each type: those that its code asks for, and those that come.
func (b *builder) handlers(c *class, a *Actor, g *Graph) {
	byName := map[string]*Handler{}
	fallback := a.Pos
	for _, f := range b.running(c) {
		if !b.machines[f.In].start && isReceive(f.Fn) {
			fallback = b.program.Position(f.Fn.Pos())
			break
		}
	}
	for _, branch := range b.branches(c) {
		name := b.shown(branch.name)
		byName[name] = &Handler{Message: name, Pos: branch.pos, Known: true}
	}
	a.Default = len(byName) == 0 || b.hasDefault(c)
	for i, e := range g.Edges {
		if e.To == a && e.Message != "" && byName[e.Message] == nil &&
			(c.builtin && !HandledByFramework(e.Message) || !answered(b.list[i])) {
			byName[e.Message] = b.unnamed(c, b.list[i], fallback)
			byName[e.Message].Known = byName[e.Message].Known || c.builtin
		}
	}
	for i, e := range g.Edges {
		if e.From == a && e.In != "" {
			if byName[e.In] == nil {
				byName[e.In] = &Handler{Message: e.In, Pos: fallback, Known: b.list[i].in.start}
			}
			byName[e.In].Sends = append(byName[e.In].Sends, i)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		a.Handlers = append(a.Handlers, *byName[name])
	}
}

// answered reports whether an edge ends in futures only, which no handler sees.
func answered(e *edge) bool {
	for _, m := range e.to.machines {
		if m.message == e.message {
			return false
		}
	}
	return true
}

// running lists the functions that run in the machines of a class, in the order in which they were reached. With
// hundreds of classes, going through all functions for each of them took most of the time.
func (b *builder) running(c *class) []*points.Function {
	all := b.solver.Functions()
	for _, f := range all[b.indexed:] {
		b.byClass[b.machines[f.In].class] = append(b.byClass[b.machines[f.In].class], f)
	}
	b.indexed = len(all)
	return b.byClass[c]
}

// hasDefault reports whether a type switch of an actor has a branch for anything else. One that tells the framework that
// the message is not handled is none.
func (b *builder) hasDefault(c *class) bool {
	found := false
	for _, f := range b.running(c) {
		if b.machines[f.In].start || f.Fn.Syntax() == nil {
			continue
		}
		ast.Inspect(f.Fn.Syntax(), func(n ast.Node) bool {
			if sw, ok := n.(*ast.TypeSwitchStmt); ok {
				for _, clause := range sw.Body.List {
					c := clause.(*ast.CaseClause)
					found = found || c.List == nil && !b.refuses(f.Fn, c.Body)
				}
			}
			return !found
		})
	}
	return found
}

// refuses reports whether statements of a function tell the framework that a message is not handled.
func (b *builder) refuses(fn *ssa.Function, body []ast.Stmt) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	i := slices.IndexFunc(b.program.Packages, func(p *load.Package) bool { return p.SSA == fn.Pkg })
	return i >= 0 && slices.ContainsFunc(body, func(s ast.Stmt) bool {
		x, ok := s.(*ast.ExprStmt)
		if !ok {
			return false
		}
		call, ok := x.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		callee, _ := typeutil.Callee(b.program.Packages[i].TypesInfo, call).(*types.Func)
		row, ok := model.Find(callee)
		return ok && row.Op == model.Unhandled
	})
}
