package system

import (
	"fmt"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/internal/startstate"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file makes values of those that were read. What was not read is an input, and marked.

var anyType = types.Universe.Lookup("any").Type()

// value makes a value of a type, which people know by where it is.
func (r *restorer) value(v *startstate.Value, t types.Type, at string) exec.Value {
	scalar, reference, time := exec.IsTerm(t)
	switch v.Kind {
	case startstate.Zero:
		return r.m.Zero(t)
	case startstate.Number:
		if scalar && !reference && !time {
			return r.number(v, t, at)
		}
	case startstate.String:
		return r.store.Text(string(v.Bytes))
	case startstate.Actor_:
		if reference {
			return r.refers(v.Index)
		}
		return r.m.Context(t)
	case startstate.Framework:
		return r.framework(t)
	case startstate.Parts:
		return r.parts(v, t, at)
	case startstate.Pointer:
		if p, ok := t.Underlying().(*types.Pointer); ok && !reference {
			return r.pointer(v, p.Elem(), at)
		}
	case startstate.Slice:
		return r.slice(v, t, at)
	case startstate.Map:
		return r.mapped(v, t, at)
	case startstate.Interface:
		if dynamic := r.names.typeOf(v.Type, v.Parts[0]); dynamic != nil {
			return exec.Face{Type: dynamic, Val: r.value(&v.Parts[0], dynamic, at)}
		}
		return r.input(t, at, "its type "+v.Type+" is not found in the source")
	case startstate.Function:
		return r.function(v, t, at)
	case startstate.Unread:
		return r.input(t, at, v.Text)
	}
	return r.input(t, at, "a "+v.Kind)
}

// input makes something that was not read.
func (r *restorer) input(t types.Type, at, why string) exec.Value {
	r.unread(fmt.Sprintf("%s was not read: %s", at, why))
	r.count++
	return r.m.Input(fmt.Sprintf(unreadInput+"%d", r.count), t)
}

func (r *restorer) number(v *startstate.Value, t types.Type, at string) exec.Value {
	if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
		return r.m.Number(t, uint64(n))
	} else if n, err := strconv.ParseUint(v.Text, 10, 64); err == nil {
		return r.m.Number(t, n)
	}
	return r.input(t, at, "a number "+v.Text)
}

// refers gives the reference to an actor, -1 for the driver.
func (r *restorer) refers(actor int) *term.Term {
	if actor < 0 && r.driver.Proto {
		return r.m.Known(0)
	}
	return r.actors[actor+1].ref
}

// framework makes what is the framework's own.
func (r *restorer) framework(t types.Type) exec.Value {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		if n, ok := types.Unalias(p.Elem()).(*types.Named); ok && n.Obj().Name() == "ActorSystem" {
			return r.m.There("system", t)
		}
		return r.m.Opaque(t)
	}
	return r.m.Zero(t)
}

// parts makes a struct or an array.
func (r *restorer) parts(v *startstate.Value, t types.Type, at string) exec.Value {
	if scalar, _, _ := exec.IsTerm(t); scalar {
		return r.input(t, at, "a "+types.TypeString(t, (*types.Package).Name))
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if len(v.Parts) == u.NumFields() {
			s := &exec.Struct{Type: t}
			for i := range v.Parts {
				s.Fields = append(s.Fields, r.value(&v.Parts[i], u.Field(i).Type(), at+"."+u.Field(i).Name()))
			}
			return s
		}
	case *types.Array:
		return r.array(v.Parts, u.Elem(), at)
	}
	return r.input(t, at, "its source has other parts than the program that was run")
}

func (r *restorer) array(parts []startstate.Value, elem types.Type, at string) exec.Value {
	a := &exec.Array{Elem: elem}
	for i := range parts {
		a.Elems = append(a.Elems, r.value(&parts[i], elem, fmt.Sprintf("%s[%d]", at, i)))
	}
	return a
}

// pointer makes a pointer to something of a type.
func (r *restorer) pointer(v *startstate.Value, elem types.Type, at string) exec.Value {
	p, why := r.at(v.Index, elem, len(v.Path) > 0, at)
	if why != "" {
		return r.input(types.NewPointer(elem), at, why)
	}
	return p.Part(v.Path)
}

// at gives the memory of an index. Its type is that of its first part, unless something leads into its middle.
func (r *restorer) at(index int, t types.Type, middle bool, name string) (exec.Ptr, string) {
	if p, ok := r.memory[index].(exec.Ptr); ok {
		return p, ""
	}
	m := &r.state.Memory[index]
	if middle {
		if t = r.names.typeOf(m.Type, m.Value); t == nil {
			return exec.Ptr{}, "its type " + m.Type + " is not found in the source"
		}
	}
	p := r.m.Memory(t)
	r.memory[index] = p
	r.m.Fill(p, r.value(&m.Value, t, name))
	return p, ""
}

// slice makes a slice. Memory that is nothing but its elements is made as package exec makes it.
func (r *restorer) slice(v *startstate.Value, t types.Type, at string) exec.Value {
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		return r.input(t, at, "a slice")
	}
	if v.Index < 0 {
		return r.m.Slice(s.Elem(), nil)
	}
	if len(v.Path) > 0 {
		p, why := r.at(v.Index, nil, true, at)
		if why != "" {
			return r.input(t, at, why)
		}
		return r.m.Sliced(p.Part(v.Path), v.From, v.Len, v.Cap)
	}
	p, ok := r.memory[v.Index].(exec.Ptr)
	if !ok {
		m := &r.state.Memory[v.Index]
		p = r.m.Memory(types.NewSlice(s.Elem()))
		r.memory[v.Index] = p
		parts := m.Value.Parts
		if m.Value.Kind == startstate.Zero {
			parts = make([]startstate.Value, v.From+v.Cap)
		} else if m.Value.Kind != startstate.Parts {
			return r.input(t, at, m.Value.Text)
		}
		r.m.Fill(p, r.array(parts, s.Elem(), at))
	}
	return r.m.Sliced(p, v.From, v.Len, v.Cap)
}

// mapped makes a map.
func (r *restorer) mapped(v *startstate.Value, t types.Type, at string) exec.Value {
	u, ok := t.Underlying().(*types.Map)
	if !ok {
		return r.input(t, at, "a map")
	}
	if m, ok := r.memory[v.Index].(*exec.Map); ok {
		return m
	}
	m := r.m.NewMap(u)
	r.memory[v.Index] = m
	for i := range r.state.Memory[v.Index].Entries {
		e := &r.state.Memory[v.Index].Entries[i]
		r.m.Enters(m, r.value(&e[0], u.Key(), at+" (a key)"), r.value(&e[1], u.Elem(), fmt.Sprintf("%s[%d]", at, i)))
	}
	return m
}

// function makes a function. What it captures is not read, but the receiver of a bound method.
func (r *restorer) function(v *startstate.Value, t types.Type, at string) exec.Value {
	fn, why := r.names.function(v)
	if fn == nil {
		return r.input(t, at, "a function, "+v.Text+": "+why)
	}
	out := exec.Func{Fn: fn}
	for i, free := range fn.FreeVars {
		if i < len(v.Parts) {
			out.Free = append(out.Free, r.value(&v.Parts[i], free.Type(), at))
			continue
		}
		r.unread(fmt.Sprintf("%s was not read: what the function at %s captures: %s", at, r.p.place(fn.Pos()), free.Name()))
		r.count++
		out.Free = append(out.Free, r.m.There(fmt.Sprintf(unreadInput+"%d", r.count), free.Type()))
	}
	return out
}

// variable gives a package variable; none was read.
func (r *restorer) variable(*ssa.Global) (exec.Value, bool) { return nil, false }
