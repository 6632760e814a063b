package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/static/points"
)

// This file follows what actors are made from: the framework's props, and the options that fill them. What an option
// sets lies in a field of the props by the name that it has in the framework, so that copies of props have it too.
// Middleware is called where it is given as an option, with what comes next; the functions that it makes of that are
// the layers.

const protoactor = model.ProtoactorPath

// slots are the fields of props that are followed.
var slots = []string{"producer", "spawner", "onInit", "supervisionStrategy", "guardianStrategy",
	"receiverMiddlewareChain", "senderMiddlewareChain",
	"spawnMiddlewareChain", "contextDecoratorChain", "id"}

// slot gives a field of props, and of what else is configured alike.
func (b *builder) slot(props points.Loc, name string) points.Loc {
	if i := b.field(protoactor, "Props", name); i >= 0 && b.solver.Object(props).Tag != model.Hollywood {
		return b.solver.Part(props, i)
	}
	return b.solver.Part(props, slotPart-slices.Index(slots, name)) // of a version of the framework that has no such field
}

// declared gives a type of a package, nil if it is not part of the program.
func (b *builder) declared(path, name string) types.Type {
	pkg := b.program.SSA.ImportedPackage(path)
	if pkg == nil || pkg.Pkg.Scope().Lookup(name) == nil {
		return nil
	}
	return pkg.Pkg.Scope().Lookup(name).Type()
}

// field gives the number of a field of a struct, -1 if there is none.
func (b *builder) field(path, typ, name string) int {
	key := [3]string{path, typ, name}
	i, ok := b.fields[key]
	if !ok {
		i = -1
		if t := b.declared(path, typ); t != nil {
			i = fieldOf(t, name)
		}
		b.fields[key] = i
	}
	return i
}

func fieldOf(t types.Type, name string) int {
	if s, ok := t.Underlying().(*types.Struct); ok {
		for i := range s.NumFields() {
			if s.Field(i).Name() == name {
				return i
			}
		}
	}
	return -1
}

// props is what actors are made from.
func (o *operation) props() {
	s := o.solver
	options := o.call.Callee.Signature().Params().Len() - 1 // the last parameter
	if o.call.Callee.Signature().Recv() != nil {
		options++
	}
	if o.row.Op == model.PropsSame {
		o.configure(o.arg(0), o.spread(options))
		o.give(o.arg(0))
		return
	}
	made := points.One(s.Made(kindProps, o.call).Root)
	switch o.row.Op {
	case model.Props, model.PropsFunc:
		s.Write(o.slot(made[0], "producer"), o.arg(o.row.Func))
	case model.PropsClone:
		for _, from := range o.arg(0) {
			o.copySlots(made[0], from)
		}
	case model.Pool, model.Group:
		o.routerProps(made[0])
	}
	if o.row.Op != model.Group {
		o.configure(made, o.spread(options))
	}
	o.give(made)
}

// configure has options fill props.
func (o *operation) configure(props, options points.Set) {
	s := o.solver
	for _, option := range options {
		switch of := s.Object(option); of.Kind {
		case kindOption:
			for _, l := range props {
				o.copySlots(l, option)
			}
		case points.Func:
			s.CallValue(o.call.By, o.call.Site, option, []points.Set{props}, func(int, points.Set) {})
			if o.row.Framework == model.Hollywood {
				o.setByHand(props)
			}
		case points.Unknown:
			o.note(o.at(), "what the option %s does to this actor is not followed", of.Why)
		}
	}
}

func (o *operation) copySlots(to, from points.Loc) {
	for _, name := range slots {
		o.solver.Write(o.slot(to, name), o.solver.Read(o.call.By, o.slot(from, name)))
	}
}

// option makes what fills a field of props, or fills that of the context of those that are no actors.
func (o *operation) option() {
	s := o.solver
	switch o.row.Op {
	case model.Decider:
		made := s.Made(kindStrategy, o.call)
		s.Write(s.Part(made.Root, points.Content), o.arg(o.row.Func))
		o.give(points.One(made.Root))
		return
	case model.Decide:
		for _, decider := range s.ReadAll(o.call.By, s.Parts(o.arg(0), points.Content)) {
			s.CallValue(o.call.By, o.call.Site, decider, []points.Set{o.arg(o.row.Msg)}, func(int, points.Set) {})
		}
		return
	}
	set := o.spread(o.row.Func)
	if o.row.Slot == "id" {
		set = o.called(o.constant(o.row.Func))
	}
	if o.row.Op == model.OptionLayer || o.row.Op == model.RootLayer {
		set = o.apply(set, o.next(o.row.Slot))
	}
	if o.row.Op == model.Option || o.row.Op == model.OptionLayer {
		made := s.Made(kindOption, o.call)
		if o.row.Framework == model.Hollywood {
			made.Tag = o.row.Framework
		}
		s.Write(o.slot(made.Root, o.row.Slot), set)
		o.give(points.One(made.Root))
		return
	}
	s.Write(o.slot(o.roots.Root, o.row.Slot), set)
	if o.call.Callee.Signature().Recv() == nil {
		o.give(points.One(o.system.Root))
	} else {
		o.give(o.arg(0))
	}
}

// apply calls functions and gives their first results.
func (o *operation) apply(functions points.Set, args ...points.Set) points.Set {
	var out points.Set
	for _, l := range functions {
		if u := o.solver.Object(l); u.Kind == points.Unknown {
			o.note(o.at(), "what is done here besides is unknown%s", why(u))
		}
		o.solver.CallValue(o.call.By, o.call.Site, l, args, func(i int, v points.Set) {
			if i == 0 {
				out = out.Union(v)
			}
		})
	}
	return out
}

// next is what comes after all middleware of a kind, as a function. It does not know whose middleware it comes after;
// who calls it knows.
func (b *builder) next(slot string) points.Set {
	n := b.solver.Special(kindNext, slot, 0, nil)
	n.Tag, n.Atom = slot, true
	return points.One(n.Root)
}

// layers gives the layers of who acts.
func (o *operation) layers(slot string) points.Set {
	for _, l := range o.context {
		if l == o.system.Root {
			return o.solver.Read(o.call.By, o.slot(o.roots.Root, slot))
		}
	}
	return o.layersOf(o.call.By, o.owner(), slot)
}

// layersOf gives what the props of an actor have in a slot. f runs again when that grows; nil is nobody.
func (b *builder) layersOf(f *points.Function, c *class, slot string) points.Set {
	var out points.Set
	for _, props := range b.solver.Read(f, c.props) {
		out = out.Union(b.solver.Read(f, b.slot(props, slot)))
	}
	return out
}

// bare reports whether some actors of a class have nothing in a slot.
func (b *builder) bare(f *points.Function, c *class, slot string) bool {
	all := b.solver.Read(f, c.props)
	return len(all) == 0 || slices.ContainsFunc(all,
		func(props points.Loc) bool { return len(b.solver.Read(f, b.slot(props, slot))) == 0 })
}

// around says what there is around the handlers of an actor.
func (b *builder) around(c *class) string {
	for _, layer := range [][2]string{{"receiverMiddlewareChain", "receiver middleware"},
		{"senderMiddlewareChain", "sender middleware"},
		{"spawnMiddlewareChain", "spawn middleware"}, {"contextDecoratorChain", "a decorated context"}} {
		if len(b.layersOf(nil, c, layer[0])) > 0 {
			return layer[1]
		}
	}
	return ""
}

// Variable gives the functions of a framework that lie in package variables. points.Actors.
func (b *builder) Variable(v *ssa.Global) (points.Set, bool) {
	row, ok := model.Variable(v.Object())
	if !ok {
		return nil, false
	}
	return b.next(row.Slot), true
}
