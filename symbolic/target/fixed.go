package target

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file summarises handlers that bounds have cut once more, with what their actors hold for good. These are
// numbers, texts and lengths in fields that are written only where their struct is made. A loop over the workers of a
// Config has no end in general, and two turns in a system that has two workers.
//
//	differs: [TAP18] has an actor's constants in its constructor, and goes back to it each time
//	assumes: nothing writes fields by reflection or package unsafe: a program that imports either has none
//	cost:    a handler that was cut is explored a second time for each start that differs
//	checked by: fixed_test.go

// fixedFields are what the actors of functions hold for good, by the names of inputs.
type fixedFields map[*ssa.Function]map[string]*term.Term

// fixed finds out what actors of the start hold for good: all actors of a function the same.
func (e *Engine) fixed() fixedFields {
	all := fixedFields{}
	if e.frozen == nil {
		e.frozen = newFrozen(e)
	}
	for _, a := range e.start.Actors {
		if a.Fn == nil || a.Fn.Signature.Recv() == nil {
			continue
		}
		first := exec.ParameterName(0, a.Fn.Params[0])
		own := map[string]*term.Term{}
		for _, s := range a.State {
			rest, is := strings.CutPrefix(s.Name, first+".")
			if is && s.Term.Const() && e.frozen.stays(a.Fn.Params[0].Type(), rest) {
				own[s.Name] = s.Term
			}
		}
		if known, again := all[a.Fn]; again {
			for name, t := range known {
				if own[name] != t {
					delete(known, name)
				}
			}
			continue
		}
		all[a.Fn] = own
	}
	return all
}

// summary is that of a handler, with what its actors hold for good if it is cut otherwise. One that was cut once is not
// explored without that again.
func (l *library) summary(ctx context.Context, h summary.Handler, c exec.Config) *summary.Summary {
	known := l.fixed[h.Fn]
	key := cutHandler{h.Fn, types.TypeString(h.Message, nil)}
	if len(known) == 0 || !l.e.cuts[key] {
		sum := l.e.summaries.Of(ctx, h, c)
		if len(known) == 0 || len(sum.Cuts) == 0 || sum.Pieces != nil || ctx.Err() != nil {
			return sum
		}
		l.e.cuts[key] = true
	}
	return l.e.summaries.Knowing(ctx, h, c, known)
}

// cutHandler is a handler whose summary bounds have cut.
type cutHandler struct {
	fn      *ssa.Function
	message string
}

// unfix drops what does not hold for actors that handlers create, or that get another behaviour. It reports whether
// there was something.
func (l *library) unfix() (dropped bool) {
	for _, m := range l.makes {
		known := l.fixed[m.fn]
		for name, t := range known {
			_, rest := root(name)
			if m.route.path.Events[m.event].Type == nil || m.route.flats[m.event]["msg"+rest] != t {
				delete(known, name)
				dropped = true
			}
		}
	}
	for _, r := range l.routes {
		for _, fn := range r.becomes {
			dropped = dropped || len(l.fixed[fn]) > 0
			delete(l.fixed, fn)
		}
	}
	return dropped
}

// frozen says which fields of structs nothing writes but where the struct is made.
type frozen struct {
	none    bool
	written map[string]bool // fields of structs, and structs as a whole
}

func newFrozen(e *Engine) *frozen {
	f := &frozen{written: map[string]bool{}}
	for _, pkg := range e.loaded.Packages {
		for _, imported := range pkg.Types.Imports() {
			f.none = f.none || pkg.Root && (imported.Path() == "unsafe" || imported.Path() == "reflect")
		}
	}
	for _, fn := range e.loaded.Functions() {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				f.look(in)
			}
		}
	}
	return f
}

// look notes what an instruction may write, now or by a pointer that it hands on.
func (f *frozen) look(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Store:
		if !made(in) {
			f.whole(in.Val.Type())
		}
	case *ssa.Call:
		if b, is := in.Call.Value.(*ssa.Builtin); is && slices.Contains([]string{"copy", "append", "clear"}, b.Name()) {
			if s, is := in.Call.Args[0].Type().Underlying().(*types.Slice); is {
				f.whole(s.Elem())
			}
		}
	case *ssa.FieldAddr:
		field := structUnder(in.X.Type()).Field(in.Field)
		if _, is := field.Type().Underlying().(*types.Struct); is {
			return // its fields are looked at by themselves
		}
		for _, use := range *in.Referrers() {
			load, loads := use.(*ssa.UnOp)
			store, stores := use.(*ssa.Store)
			if _, debug := use.(*ssa.DebugRef); debug || loads && load.X == in || stores && store.Addr == in && made(store) {
				continue
			}
			f.written[structKey(pointed(in.X.Type()))+"."+field.Name()] = true
		}
	}
}

// whole notes that a struct is written as a whole, or those in an array.
func (f *frozen) whole(t types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		f.written[structKey(t)] = true
	case *types.Array:
		f.whole(u.Elem())
	}
}

// made reports whether what is written is a variable of the function, or in it, before anybody else knows it.
func made(in *ssa.Store) bool {
	for addr := in.Addr; ; {
		switch at := addr.(type) {
		case *ssa.Alloc:
			told := func(use ssa.Instruction) bool {
				return handsOn(use, at) && use.Block() == at.Block() && comesBefore(use, in)
			}
			return !at.Heap || at.Block() == in.Block() && !slices.ContainsFunc(*at.Referrers(), told)
		case *ssa.FieldAddr:
			addr = at.X
		default:
			return false
		}
	}
}

// handsOn reports whether an instruction does more with a pointer than to look at, or to write, what it leads to.
func handsOn(use ssa.Instruction, p ssa.Value) bool {
	switch use := use.(type) {
	case *ssa.FieldAddr, *ssa.UnOp, *ssa.DebugRef:
		return false
	case *ssa.Store:
		return use.Val == p
	}
	return true
}

// comesBefore reports whether one instruction of a block comes before another.
func comesBefore(a, b ssa.Instruction) bool {
	list := a.Block().Instrs
	return slices.Index(list, a) < slices.Index(list, b)
}

func structUnder(t types.Type) *types.Struct {
	s, _ := pointed(t.Underlying()).Underlying().(*types.Struct)
	return s
}

func structKey(t types.Type) string { return types.TypeString(types.Unalias(t), nil) }

// stays reports whether nothing writes a part of what a pointer to a struct leads to. Such a part is reached by fields
// of structs. It is a number, a text, a truth value or the length of a slice.
func (f *frozen) stays(t types.Type, name string) bool {
	if f.none {
		return false
	}
	rest, aspect, _ := strings.Cut(name, "!")
	if aspect != "" && aspect != "len" && aspect != "isNil" {
		return false
	}
	for at := pointed(t); ; {
		if structUnder(at) == nil || f.written[structKey(at)] {
			return false
		}
		first, more, deeper := strings.Cut(rest, ".")
		field := fieldCalled(structUnder(at), first)
		if field == nil {
			return false
		}
		if !deeper {
			return !f.written[fmt.Sprintf("%s.%s", structKey(at), first)] && unshared(field.Type(), aspect)
		}
		at, rest = field.Type(), more
		if _, is := at.Underlying().(*types.Struct); !is {
			return false
		}
	}
}

// unshared reports whether what is told of a field is in the struct itself.
func unshared(t types.Type, aspect string) bool {
	switch t.Underlying().(type) {
	case *types.Basic:
		return aspect == ""
	case *types.Slice:
		return aspect != ""
	}
	return false
}

func fieldCalled(s *types.Struct, name string) *types.Var {
	for f := range s.Fields() {
		if f.Name() == name {
			return f
		}
	}
	return nil
}
