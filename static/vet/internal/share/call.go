package share

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/vet/internal/frame"
)

// callee is a function that a call runs, with what it gets.
type callee struct {
	body     *Body
	args     []ssa.Value // nil: not known
	bindings []ssa.Value
}

// callees lists what a call runs: the functions called, and those that are handed to it.
func (b *Body) callees(c *ssa.CallCommon) []callee {
	if row, ok := frame.Of(c); ok && row.Op != frame.Reenter {
		return nil
	}
	var all []callee
	args := c.Args
	if c.IsInvoke() {
		args = append([]ssa.Value{c.Value}, args...)
	}
	for _, f := range frame.Callees(c, b.w.impls) {
		all = b.add(all, f, c.Value, args)
	}
	for _, arg := range frame.Args(c) {
		for _, f := range frame.Funcs(arg) {
			all = b.add(all, f, arg, nil)
		}
	}
	return all
}

// add adds a function; from is the value that it was found in, which may have its captured variables.
func (b *Body) add(all []callee, f *ssa.Function, from ssa.Value, args []ssa.Value) []callee {
	body := b.w.Bodies[f]
	if body == nil {
		return all
	}
	c := callee{body: body, args: args}
	if conv, ok := from.(*ssa.ChangeType); ok {
		from = conv.X
	}
	if mc, ok := from.(*ssa.MakeClosure); ok {
		if mc.Fn == f {
			c.bindings = mc.Bindings
		} else {
			c.args = append(slices.Clone(mc.Bindings), args...) // a method value, whose binding is the receiver
		}
	}
	return append(all, c)
}

// translate gives the values of the caller for one of a callee.
func (b *Body) translate(c callee, at ssa.Instruction, p Place) set {
	end, locs, made := b.outward(c, at, p)
	switch {
	case made || !locs:
		return end
	case p.Addr:
		return addresses(end)
	}
	return b.load(end)
}

// location gives the locations of the caller for one of a callee.
func (b *Body) location(c callee, at ssa.Instruction, p Place) set {
	end, locs, made := b.outward(c, at, p)
	if made || locs {
		return end
	}
	return nil
}

// outward walks a callee's place from what its root is for the caller; locs: to locations. made: it is in memory that the callee made.
func (b *Body) outward(c callee, at ssa.Instruction, p Place) (end set, locs, made bool) {
	vals, ok := b.outer(c, p.Root)
	if !ok {
		return nil, false, false
	}
	if vals == nil {
		p.Root = c.body.rootAt(p.Root, at)
		return set{p}, false, true
	}
	end, locs = b.walk(vals, p.Path)
	return end, locs, false
}

// outer gives what a callee's root is for the caller: nil for roots that stay, ok false for what the caller does not know.
func (b *Body) outer(c callee, r Root) (vals set, ok bool) {
	from := ssa.Value(nil)
	switch v := r.V.(type) {
	case *ssa.Parameter:
		if i := slices.Index(c.body.Fn.Params, v); i >= 0 && i < len(c.args) {
			from = c.args[i]
		}
	case *ssa.FreeVar:
		if i := slices.Index(c.body.Fn.FreeVars, v); i >= 0 && i < len(c.bindings) {
			from = c.bindings[i]
		}
	default:
		return nil, true
	}
	if from == nil {
		return nil, false
	}
	vals = b.eval(from)
	return vals, len(vals) > 0
}

// rootAt names, for the caller, memory that the callee made.
func (b *Body) rootAt(r Root, at ssa.Instruction) Root {
	v, isValue := at.(ssa.Value)
	switch r.V.(type) {
	case nil, *ssa.Global, *ssa.Function:
		return r
	}
	if !isValue {
		return r
	}
	i := slices.Index(b.Made, r)
	if i < 0 {
		i = len(b.Made)
		b.Made = append(b.Made, r)
		b.w.changed = true
	}
	return Root{V: v, Of: b, K: i}
}

// call adds the effects of a call.
func (b *Body) call(in ssa.CallInstruction) {
	c := in.Common()
	if bi, ok := c.Value.(*ssa.Builtin); ok {
		b.builtin(bi.Name(), in)
		return
	}
	if _, ok := in.(*ssa.Go); ok {
		vals := b.eval(c.Value)
		for _, a := range c.Args {
			vals = vals.with(b.eval(a)...)
		}
		b.event(Event{Op: frame.Elsewhere, Vals: vals, At: in, Pos: in.Pos()})
		return
	}
	if row, ok := frame.Of(c); ok {
		b.framework(row, in)
	}
	if f := frame.Func(c); f != nil && f.Pkg() != nil {
		b.library(f, in)
	}
	for _, cal := range b.callees(c) {
		b.apply(cal, in)
	}
}

// apply adds the effects of a callee.
func (b *Body) apply(c callee, at ssa.CallInstruction) {
	for _, w := range c.body.Writes {
		if c.body.escapes(w.Place.Root) {
			for _, l := range b.location(c, at, w.Place) {
				b.write(l, w.Weak, at, w.Pos)
			}
		}
	}
	b.edges(c, at)
	for _, e := range c.body.Events {
		var vals, cleared set
		for _, v := range e.Vals {
			vals = vals.with(b.translate(c, at, v)...)
		}
		for _, l := range e.Cleared.with(c.body.cleared(e)...) {
			cleared = cleared.with(b.location(c, at, l)...)
		}
		e.Vals, e.Cleared, e.At, e.Payload = vals, cleared, at, nil
		b.event(e)
	}
}

// edges adds what a callee stores.
func (b *Body) edges(c callee, at ssa.Instruction) {
	for _, e := range c.body.Edges {
		if c.body.escapes(e.To.Root) {
			vals := b.translate(c, at, e.Val)
			for _, l := range b.location(c, at, e.To) {
				b.store(l, vals, e.Pos)
			}
		}
	}
}

// escapes reports whether a caller may know the memory.
func (b *Body) escapes(r Root) bool {
	switch r.V.(type) {
	case nil, *ssa.Parameter, *ssa.FreeVar, *ssa.Global, *ssa.Function:
		return true
	}
	return slices.Contains(b.Made, r)
}

func (b *Body) event(e Event) {
	if (len(e.Vals) > 0 || e.Copies) && len(b.Events) < most/10 {
		b.Events = append(b.Events, e)
		if e.Op == frame.Spawn {
			for _, c := range b.producers(e) {
				b.produced(c, e.At) // names what the producer makes, whose contents are then stored
				b.edges(c, e.At)
			}
		}
	}
}

func (b *Body) framework(row frame.Row, in ssa.CallInstruction) {
	payload := frame.Arg(in.Common(), row.Payload)
	if payload == nil {
		return
	}
	switch row.Op {
	case frame.Send, frame.Request, frame.Call:
		t := payload.Type()
		if m, ok := payload.(*ssa.MakeInterface); ok {
			t = m.X.Type()
		}
		if !isSelf(frame.Arg(in.Common(), row.To)) {
			b.event(Event{Op: frame.Send, Vals: b.eval(payload), Type: t, Copies: row.Copies, At: in, Pos: in.Pos(), Payload: payload})
		}
	case frame.Spawn, frame.Elsewhere:
		b.event(Event{Op: row.Op, Vals: b.eval(payload), At: in, Pos: in.Pos(), Payload: payload})
	case frame.Props:
		if v, ok := in.(ssa.Value); ok {
			b.store(Place{Root: Root{V: v}, Path: ".actor"}, b.eval(payload), in.Pos())
		}
	}
}

func isSelf(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	row, ok := frame.Of(&call.Call)
	return ok && row.Op == frame.Self
}

func (b *Body) builtin(name string, in ssa.CallInstruction) {
	args := in.Common().Args
	switch name {
	case "copy", "clear", "delete":
		for _, l := range deref(b.eval(args[0])) {
			b.write(l, false, in, in.Pos())
		}
	case "append":
		base := deref(b.eval(args[0]))
		sl, cut := args[0].(*ssa.Slice)
		if !(cut && sl.Max != nil) && !clipped(args[0]) && len(args) > 1 {
			for _, l := range base {
				b.write(l, !(cut && truncates(sl)), in, in.Pos())
			}
		}
		if v, ok := in.(ssa.Value); ok && len(args) > 1 && Mutable(args[0].Type().Underlying().(*types.Slice).Elem()) {
			for _, l := range base.with(Place{Root: Root{V: v}}) {
				b.store(l, b.load(deref(b.eval(args[1]))), in.Pos())
			}
		}
	}
}

// truncates reports whether a slice expression leaves memory behind its end that an append would overwrite.
func truncates(s *ssa.Slice) bool {
	_, slice := s.X.Type().Underlying().(*types.Slice)
	return slice && s.High != nil && s.Max == nil
}

func clipped(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	f := frame.Func(&call.Call)
	return f != nil && f.FullName() == "slices.Clip"
}

// library has the functions of the standard library that change or hand on what they get. All others are taken to do neither.
func (b *Body) library(f *types.Func, in ssa.CallInstruction) {
	args := in.Common().Args
	if len(args) == 0 {
		return
	}
	name := f.FullName()
	switch {
	case changesFirst(f, name):
		for _, l := range deref(b.eval(args[0])) {
			b.write(l, false, in, in.Pos())
		}
	case name == "encoding/json.Unmarshal":
		for _, l := range deref(b.eval(args[1])) {
			b.write(l, false, in, in.Pos())
		}
	case name == "slices.Clone" || name == "maps.Clone":
		if v, ok := in.(ssa.Value); ok {
			b.store(Place{Root: Root{V: v}}, b.deep(b.load(deref(b.eval(args[0]))), v.Type()), token.NoPos)
		}
	}
}

// deep keeps the elements that a shallow copy shares with its original.
func (b *Body) deep(elems set, t types.Type) set {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		if Mutable(u.Elem()) {
			return elems
		}
	case *types.Map:
		if Mutable(u.Elem()) {
			return elems
		}
	}
	return nil
}

var changing = []string{
	"sort.Slice", "sort.SliceStable", "sort.Sort", "sort.Stable", "sort.Ints", "sort.Strings", "sort.Float64s",
	"slices.Sort", "slices.SortFunc", "slices.SortStableFunc", "slices.Reverse", "slices.Delete", "slices.DeleteFunc", "slices.Compact", "slices.CompactFunc", "slices.Replace",
	"maps.Copy", "maps.DeleteFunc", "maps.Insert", "container/heap.Push", "container/heap.Pop", "container/heap.Init", "container/heap.Fix", "container/heap.Remove",
	"(net/http.Header).Set", "(net/http.Header).Add", "(net/http.Header).Del", "(net/url.Values).Set", "(net/url.Values).Add", "(net/url.Values).Del",
}

// changesFirst reports whether a function of the standard library changes what its receiver or first argument leads to.
func changesFirst(f *types.Func, name string) bool {
	if slices.Contains(changing, name) || strings.HasPrefix(name, "sync/atomic.") && !strings.Contains(name, "Load") {
		return true
	}
	recv := f.Signature().Recv()
	if recv == nil {
		return false
	}
	verb := f.Name()
	switch f.Pkg().Path() {
	case "bytes", "strings":
		return strings.HasPrefix(verb, "Write") || strings.HasPrefix(verb, "Read") || verb == "Reset" || verb == "Truncate" || verb == "Grow"
	case "container/list", "container/ring":
		return !slices.Contains([]string{"Len", "Front", "Back", "Next", "Prev", "Do"}, verb)
	case "math/big":
		return slices.Contains([]string{"Add", "Sub", "Mul", "Div", "Quo", "Mod", "Set", "SetInt64", "SetString", "SetUint64", "Neg", "Abs", "Exp", "Lsh", "Rsh"}, verb)
	case "sync/atomic":
		return !strings.HasPrefix(verb, "Load")
	}
	return false
}
