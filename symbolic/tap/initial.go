package tap

import (
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// firstAddress and firstInitial are the addresses of what handlers allocate, and of what is there at the start.
const (
	firstAddress = 1 << 12
	firstInitial = 1 << 28
)

// initialMemory is what an actor of the start configuration holds: the terms of paths such as s.nodes[1], as package
// exec names them. Addresses stand for paths.
type initialMemory struct {
	e     *Engine
	actor *system.Actor
	terms map[string]*term.Term
	paths map[uint64]string
	addrs map[string]uint64
	refs  map[uint64]string // where pointers are told first, by their identities
}

func (e *Engine) initialOf(k int) *initialMemory {
	if m := e.initials[k]; m != nil {
		return m
	}
	a := e.start.Actors[k]
	m := &initialMemory{e, a, map[string]*term.Term{}, map[uint64]string{}, map[string]uint64{}, map[uint64]string{}}
	for _, n := range a.State {
		m.terms[n.Name] = n.Term
		if path, ok := strings.CutSuffix(n.Name, "!ref"); ok && n.Term.Const() && m.refs[n.Term.Val] == "" {
			m.refs[n.Term.Val] = path
		}
	}
	e.initials[k] = m
	return m
}

// address gives the address of what a pointer at a path leads to. Structs in it have the addresses behind it.
func (m *initialMemory) address(path string, t types.Type) *term.Term {
	addr, ok := m.addrs[path]
	if !ok {
		addr = firstInitial + m.e.addresses
		m.e.addresses += size(t)
		m.addrs[path] = addr
		if _, is := t.Underlying().(*types.Struct); !is {
			if _, is := t.Underlying().(*types.Array); !is {
				path += ".*"
			}
		}
		m.lay(addr, path, t)
	}
	return m.e.store.Uint(wordSort, addr)
}

func (m *initialMemory) lay(addr uint64, path string, t types.Type) {
	m.paths[addr] = path
	s, ok := t.Underlying().(*types.Struct)
	if !ok || reference(t) {
		return
	}
	for i := range s.NumFields() {
		if f := s.Field(i); inner(f.Type()) {
			m.lay(addr+offset(s, i), path+"."+f.Name(), f.Type())
		}
	}
}

// at gives a part of what is at a path, of a type.
func (m *initialMemory) at(path, part string, t types.Type, sort term.Sort) *term.Term {
	s := m.e.store
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return m.face(path, part, sort)
	case *types.Struct:
		if reference(t) {
			break
		}
		for f := range u.Fields() {
			if rest, ok := strings.CutPrefix(part, "."+f.Name()); ok && (rest == "" || strings.ContainsAny(rest[:1], ".!")) {
				return m.at(path+"."+f.Name(), rest, f.Type(), sort)
			}
		}
		return nil
	case *types.Slice:
		switch part {
		case partAddr:
			return m.address(path+"[]", types.Typ[types.Int])
		case partOff:
			return s.Int(indexSort, 0)
		}
		return m.known(path+partLen, sort)
	case *types.Pointer:
		if reference(t) {
			break
		}
		return m.pointer(path, u.Elem(), sort)
	case *types.Signature:
		return m.function(path, part, sort)
	case *types.Map:
		if m.terms[path+"!isNil"] != nil {
			return s.Uint(wordSort, 0)
		}
		return m.address(path, types.Typ[types.Int])
	}
	if v := m.known(path, sort); v != nil {
		return v
	}
	return m.known(path+"!ref", sort)
}

// pointer gives the address of what a pointer leads to. What several of them lead to is told where the first one is.
func (m *initialMemory) pointer(path string, t types.Type, sort term.Sort) *term.Term {
	ref := m.terms[path+"!ref"]
	if ref == nil || ref.Const() && ref.Val == 0 {
		return m.known(path+"!ref", sort)
	}
	if same, ok := m.refs[ref.Val]; ok && ref.Const() {
		path = same
	}
	return m.address(path, t)
}

// function gives a part of a function: its number here, or what it captures.
func (m *initialMemory) function(path, part string, sort term.Sort) *term.Term {
	ref := m.terms[path+"!ref"]
	if ref == nil || !ref.Const() || m.e.start.Function == nil {
		return nil
	}
	fn := m.e.start.Function(ref.Val)
	k, rest, captured := freePart(part)
	switch {
	case ref.Val == 0 && !captured:
		return m.e.store.Uint(wordSort, 0)
	case fn == nil:
		return nil
	case !captured:
		return m.e.functionTerm(fn)
	case k >= len(fn.FreeVars):
		return m.e.zero("", sort)
	}
	v := fn.FreeVars[k]
	return m.at(path+"."+v.Name(), rest, v.Type(), sort)
}

// known gives the term of a path, nil if it is not known. A reference to an actor is widened.
func (m *initialMemory) known(path string, sort term.Sort) *term.Term {
	t := m.terms[path]
	if t == nil || t.Sort == sort {
		return t
	}
	if t.Sort.Kind == term.WordKind && sort == wordSort {
		return m.e.store.Resize(wordSort, t, true)
	}
	return nil
}

// face gives a part of an interface.
func (m *initialMemory) face(path, part string, sort term.Sort) *term.Term {
	if tag := m.terms[path+partType]; tag == nil || tag.Const() && tag.Val == 0 {
		if tag != nil && part == partType {
			return m.e.store.Uint(wordSort, 0)
		}
		return nil
	}
	for _, t := range m.e.program.boxed {
		name := path + ".(" + types.TypeString(t, (*types.Package).Name) + ")"
		if !m.has(name) {
			continue
		}
		if part == partType {
			return m.e.typeTerm(t)
		}
		if rest, ok := strings.CutPrefix(part, ".("+typeKey(t)+")"); ok {
			return m.at(name, rest, t, sort)
		}
		return m.e.zero(part, sort)
	}
	return nil
}

func (m *initialMemory) has(prefix string) bool {
	for name := range m.terms {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// read gives what a function of memory has for constant addresses.
func (m *initialMemory) read(t *term.Term, args []*term.Term) *term.Term {
	at := strings.LastIndexByte(t.Name, '|')
	part := t.Name[at+1:]
	kind, rest, _ := strings.Cut(t.Name[:at], "|")
	_, key, _ := strings.Cut(rest, "|")
	if kind == kindEntry && args[0].Const() && args[0].Val == 0 {
		return m.e.zero(part, t.Sort) // of a nil map
	}
	path, ok := m.paths[args[0].Val]
	typ := m.e.kinds[kind+"|"+key]
	if !args[0].Const() || !ok || typ == nil {
		return nil
	}
	switch kind {
	case kindElem:
		if !args[1].Const() {
			return nil
		}
		return m.at(strings.TrimSuffix(strings.TrimSuffix(path, ".*"), "[]")+"["+args[1].String()+"]", part, typ, t.Sort)
	case kindEntry:
		return m.entry(strings.TrimSuffix(path, ".*"), part, typ, t.Sort, args[1:])
	}
	if dot := strings.LastIndexByte(key, '.'); dot >= 0 && !strings.HasSuffix(path, ".*") {
		return m.at(path+key[dot:], part, typ, t.Sort)
	}
	return m.at(path, part, typ, t.Sort)
}

// initial is the substitution of an actor's variables and memory by what an actor of the start configuration holds.
func (e *Engine) initial(a *actor, k int) *change {
	m, fn, top := e.initialOf(k), a.class.Fn, a.levels[0].name
	ch := &change{what: "initial", keys: []string{"@" + a.name, top + "this"}}
	for i := range fn.FreeVars {
		ch.keys = append(ch.keys, captures(top, i))
	}
	ch.vars = func(t *term.Term) *term.Term {
		base, part := split(t.Name)
		if base == top+"this" {
			path := exec.ParameterName(0, fn.Params[0])
			if p, ok := a.class.Recv.Underlying().(*types.Pointer); ok {
				return m.address(path, p.Elem())
			}
			return m.at(path, part, a.class.Recv, t.Sort)
		}
		for i, v := range fn.FreeVars {
			if base == captures(top, i) {
				if p, ok := v.Type().Underlying().(*types.Pointer); ok && !reference(v.Type()) {
					return m.address(exec.CapturedName(v), p.Elem())
				}
				return m.at(exec.CapturedName(v), part, v.Type(), t.Sort)
			}
		}
		return nil
	}
	ch.applies = append(ch.applies, func(t *term.Term, args []*term.Term) (*term.Term, bool) {
		if actor, _ := ofMemory(t.Name); actor != a.name {
			return nil, false
		}
		return m.read(t, args), true
	})
	return ch
}
