package exec

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// flattener lists the terms of values under the names that inputs of the same shape have.
type flattener struct {
	r    *run
	list []Named
	seen map[any]bool

	memory bool // there was a pointer or the like, behind which there may be more
}

// flatten lists the terms of a value.
func (r *run) flatten(name string, v Value) []Named {
	f := &flattener{r: r, seen: map[any]bool{}}
	f.value(name, v)
	return f.list
}

func (f *flattener) add(name string, t *term.Term) { f.list = append(f.list, Named{name, t}) }

// value lists the terms of a value. What is behind pointers of the inputs is told where it was written.
func (f *flattener) value(name string, v Value) {
	r := f.r
	switch v := settled(r.force(v)).(type) {
	case *term.Term:
		if v.Sort == sortReference {
			name += aspectRef
		}
		f.add(name, v)
	case *Struct:
		s := structOf(v.Type)
		for i, x := range v.Fields {
			f.value(name+"."+s.Field(i).Name(), x)
		}
	case *Array:
		for i, x := range v.Elems {
			f.value(fmt.Sprintf("%s[%d]", name, i), x)
		}
	case Ptr:
		f.pointer(name, v)
	case Slice:
		f.slice(name, v)
	case *Map:
		f.mapped(name, v)
	case Face:
		if v.Type == nil {
			f.add(name+aspectType, r.store.Uint(sortReference, 0))
			return
		}
		f.add(name+aspectType, r.tag(v.Type))
		f.value(name+".("+typeName(v.Type)+")", v.Val)
	case *InputFace:
		f.memory = true
		f.add(name+aspectType, v.tag)
	case Func:
		f.function(name, v)
	case *InputFunc:
		f.add(name+aspectRef, v.ref)
	case *InputPtr:
		f.memory = true
		f.add(name+aspectRef, v.ref)
	case *Opaque:
		f.add(name+aspectRef, v.ref)
	}
}

func (f *flattener) function(name string, v Func) {
	n := 0
	if v.Fn != nil {
		n = f.r.program.functionNumber(v.Fn)
	}
	f.add(name+aspectRef, f.r.store.Uint(sortReference, uint64(n)))
	if v.Fn != nil {
		for i, x := range v.Free {
			f.value(name+"."+v.Fn.FreeVars[i].Name(), x)
		}
	}
}

func (f *flattener) pointer(name string, p Ptr) {
	f.memory = true
	f.add(name+aspectRef, f.r.identity(p))
	if p.Obj == nil || p.Obj.at != nil || f.seen[p.Obj] {
		return
	}
	f.seen[p.Obj] = true
	v := f.r.load(p)
	if _, ok := v.(*Struct); !ok {
		name += ".*"
	}
	f.value(name, v)
}

func (f *flattener) slice(name string, s Slice) {
	r := f.r
	f.memory = f.memory || s.mem.Obj != nil && s.mem.Obj.at != nil
	f.add(name+aspectLen, r.lenOf(s))
	if o := s.mem.Obj; s.len < 0 {
		if o, ok := o.val.(*open); ok {
			if o.text != nil {
				f.add(name+".*", o.text)
			}
			for _, i := range keysOf(o.elems) {
				f.value(fmt.Sprintf("%s[%d]", name, i), o.elems[i])
			}
			for i, v := range o.tail {
				f.value(fmt.Sprintf("%s[%v]", name, r.store.Add(o.size, r.int(i))), v)
			}
			return
		}
		s = r.decide(s)
	}
	for i, v := range r.elems(s) {
		f.value(fmt.Sprintf("%s[%d]", name, i), v)
	}
}

func (f *flattener) mapped(name string, m *Map) {
	f.memory = true
	if m == nil {
		f.add(name+aspectNil, f.r.store.Bool(true))
		return
	}
	if f.seen[m] {
		return
	}
	f.seen[m] = true
	for _, e := range m.entries {
		at := name + "[" + f.r.spelled(e.key) + "]"
		f.add(at+aspectHas, e.has)
		if !e.has.False() {
			f.value(at, e.val)
		}
	}
}

// keysOf gives the keys of a map in their order.
func keysOf(m map[int]Value) []int {
	keys := make([]int, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// finish tells what the execution has left.
func (r *run) finish() {
	p := r.path
	p.lazies, p.named = r.lazies, r.named
	for name := range r.written {
		p.Written = append(p.Written, nameOfKey(name))
	}
	slices.Sort(p.Written)
	if p.Panic != nil {
		p.Told = r.flatten("value", p.Panic)
	}
	if p.Exit == Cut {
		return
	}
	for i, v := range p.Results {
		name := "result"
		if len(p.Results) > 1 {
			name = fmt.Sprintf("result%d", i)
		}
		p.Returned = append(p.Returned, r.flatten(name, v)...)
	}
	f := &flattener{r: r, seen: map[any]bool{}}
	for _, o := range r.memories {
		_, behind := o.typ.Underlying().(*types.Slice) // the memory of a slice, which has the name of the slice
		if o.at.Step == Deref || o.at.Up == nil && !behind {
			f.object(o)
		} else if !r.gone(o.at, true) {
			f.parts(o.at.Name, o.val)
		}
	}
	for _, m := range r.maps {
		if r.gone(m.at, true) {
			continue
		}
		for _, e := range m.entries {
			if name := m.at.Name + "[" + r.spelled(e.key) + "]"; r.written[name] {
				f.add(name+aspectHas, e.has)
				if !e.has.False() {
					f.value(name, e.val)
				}
			}
		}
	}
	slices.SortStableFunc(f.list, func(a, b Named) int { return strings.Compare(a.Name, b.Name) })
	p.Out = f.list
}

// gone reports whether something on the way to a place was overwritten, so that its name now stands for something else;
// with self, the place counts, too.
func (r *run) gone(at *Place, self bool) bool {
	for p := at; p != nil; p = p.Up {
		if (p != at || self) && r.written[p.key()] {
			return true
		}
	}
	return false
}

// object lists what was written in what a pointer of the inputs leads to, or in a package variable.
func (f *flattener) object(o *Object) {
	switch {
	case f.r.gone(o.at, false):
	case f.r.written[o.at.key()]:
		f.value(o.at.Name, o.val)
	default:
		f.parts(o.at.Name, o.val)
	}
}

// written lists what was written in a part of an input.
func (f *flattener) written(name string, v Value) {
	if f.r.written[name] {
		f.value(name, v)
		return
	}
	f.parts(name, v)
}

func (f *flattener) parts(name string, v Value) {
	switch v := settled(v).(type) {
	case *Struct:
		for i, x := range v.Fields {
			f.written(name+"."+structOf(v.Type).Field(i).Name(), x)
		}
	case *Array:
		for i, x := range v.Elems {
			f.written(fmt.Sprintf("%s[%d]", name, i), x)
		}
	case *open:
		for _, i := range keysOf(v.elems) {
			f.written(fmt.Sprintf("%s[%d]", name, i), v.elems[i])
		}
	}
}
