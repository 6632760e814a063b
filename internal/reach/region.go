package reach

import (
	"reflect"
	"runtime"
	"strings"
	"unsafe"

	"github.com/rehearse-go/rehearse/explore"
)

// This file finds the pieces of memory that values lead to, and tells whether one was written.
//
//	assumes:    the garbage collector moves nothing; strings and values inside of interfaces are never written
//	invariants: I1 two values that lead to common memory have Regions that overlap
//	            I2 Sum is the same as long as nobody writes another content; what the framework keeps in a value does not
//	               count
//	            I3 what nobody can look behind (functions with captured variables, channels, unsafe pointers) is in
//	               Unseen, if it is not nil

// region is a piece of memory: elements of one type, or a map.
type region struct {
	at   unsafe.Pointer
	plan *plan // of an element; of an entry's value, if it is a map
	n    int   // elements
	cap  int   // with those that a slice may grow into
	way  *ref  // of a map: what leads to it
	from int32 // the region that leads here, -1: the value itself
	off  uintptr
}

// Start and End are where it lies. The memory of a map is not known, but where it begins identifies it.
func (r *region) Start() uintptr { return uintptr(r.at) }

// End is the first address behind it.
func (r *region) End() uintptr {
	if r.way != nil {
		return uintptr(r.at) + 1
	}
	return uintptr(r.at) + uintptr(r.cap)*r.plan.size
}

// Is reports whether two regions are the same piece of memory, reached in the same way.
func (r *region) Is(o *region) bool { return *r == *o }

// walker finds regions. Use newWalker.
type walker struct {
	Unseen map[string]bool // what was met behind which nobody can look, by name
	Visits int             // regions that were found so far

	plans
	seen    places
	regions []region
	owner   string
}

// newWalker makes a walker. Values of which nature says that they are not Plain lead nowhere.
func newWalker(nature func(reflect.Type) explore.Nature) *walker {
	return &walker{Unseen: map[string]bool{}, plans: plans{nature: nature}}
}

// Walk appends the regions that values lead to. owner names them, for Unseen.
func (w *walker) Walk(regions []region, owner string, values ...any) []region {
	w.regions, w.owner = regions[:0], owner
	w.seen.clear()
	for i := range values {
		if values[i] == nil {
			continue
		}
		p, at := w.boxed(&ref{typ: anyType}, unsafe.Pointer(&values[i]))
		w.follow(p, at, -1, 0)
	}
	for i := 0; i < len(w.regions); i++ {
		w.expand(int32(i))
	}
	w.Visits += len(w.regions)
	return w.regions
}

// expand follows what a region leads to.
func (w *walker) expand(i int32) {
	r := w.regions[i]
	if r.way != nil {
		w.expandMap(i, &r)
		return
	}
	for e := 0; e < r.n && !r.plan.pure(); e++ {
		first := uintptr(e) * r.plan.size
		w.follow(r.plan, unsafe.Add(r.at, first), i, first)
	}
}

func (w *walker) expandMap(i int32, r *region) {
	m, _ := r.way.mapAt(r.slot())
	if m.Len() == 0 || r.way.key.pure() && r.way.elem.pure() {
		return
	}
	es := entriesOf(m)
	for e := range es.n {
		w.follow(r.way.key, es.key(e), i, 0)
		w.follow(r.way.elem, es.value(e), i, 0)
	}
}

// slot gives memory that holds the map of a region.
func (r *region) slot() unsafe.Pointer {
	if r.way.typ == syncMap {
		return r.at
	}
	return unsafe.Pointer(&r.at)
}

// follow finds what an element leads to, which lies off bytes from the beginning of the region from.
func (w *walker) follow(p *plan, at unsafe.Pointer, from int32, off uintptr) {
	for i := range p.refs {
		r := &p.refs[i]
		if r.nature == explore.Plain {
			w.followRef(r, unsafe.Add(at, r.off), from, off+r.off)
		}
	}
}

func (w *walker) followRef(r *ref, at unsafe.Pointer, from int32, off uintptr) {
	switch r.kind {
	case reflect.Pointer:
		w.add(region{at: *(*unsafe.Pointer)(at), plan: r.elem, n: 1, cap: 1, from: from, off: off})
	case reflect.Slice:
		s := (*header)(at)
		w.add(region{at: s.data, plan: r.elem, n: s.len, cap: s.cap, from: from, off: off})
	case reflect.Map:
		if r.typ == syncMap {
			w.add(region{at: at, plan: r.elem, n: 1, cap: 1, way: r, from: from, off: off})
			return
		}
		w.add(region{at: *(*unsafe.Pointer)(at), plan: r.elem, n: 1, cap: 1, way: r, from: from, off: off})
	case reflect.Interface:
		if p, in := w.boxed(r, at); p != nil {
			for i := range p.refs {
				if x := &p.refs[i]; x.nature == explore.Plain {
					w.followRef(x, unsafe.Add(in, x.off), from, off)
				}
			}
		}
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		w.unseen(r, at)
	}
}

func (w *walker) add(r region) {
	if r.at == nil || r.cap == 0 || r.way == nil && r.plan.size == 0 {
		return
	}
	p := place{r.at, r.plan, r.n}
	if r.way != nil {
		p.n = -1
	}
	if _, known := w.seen.meet(p); !known {
		w.regions = append(w.regions, r)
	}
}

// unseen notes what nobody can look behind.
func (w *walker) unseen(r *ref, at unsafe.Pointer) {
	if *(*unsafe.Pointer)(at) == nil {
		return
	}
	what := "a " + r.kind.String() + " of " + w.owner
	if r.kind == reflect.Func {
		name := runtime.FuncForPC(reflect.NewAt(r.typ, at).Elem().Pointer()).Name()
		if atTop(name) {
			return
		}
		what = name
	}
	w.Unseen[what] = true
}

// atTop reports whether a function of this name was declared at the top of a package: it has captured nothing. A
// function literal is called "f.func1", a bound method "T.m-fm".
func atTop(name string) bool {
	name = name[strings.LastIndexByte(name, '/')+1:]
	_, name, _ = strings.Cut(name, ".")
	return name != "" && !strings.Contains("."+name, ".func") && !strings.Contains(name, "-")
}

// Sum hashes what a region holds now, but not what it leads to.
func (w *walker) Sum(r *region) uint64 {
	if r.way != nil {
		return w.sumMap(r)
	}
	if r.plan.hashable() {
		return raw(1, r.at, r.plan.size*uintptr(r.n))
	}
	h := uint64(1)
	for e := range r.n {
		h = w.sum(h, r.plan, unsafe.Add(r.at, uintptr(e)*r.plan.size))
	}
	return h
}

func (w *walker) sumMap(r *region) uint64 {
	m, _ := r.way.mapAt(r.slot())
	h := uint64(m.Len())
	es := entriesOf(m)
	for e := range es.n {
		h += w.sum(w.sum(2, r.way.key, es.key(e)), r.way.elem, es.value(e))
	}
	return h
}

func (w *walker) sum(h uint64, p *plan, at unsafe.Pointer) uint64 {
	h = p.hashPlain(h, at)
	for i := range p.refs {
		h = w.sumRef(h, &p.refs[i], unsafe.Add(at, p.refs[i].off))
	}
	return h
}

// sumRef hashes where a reference leads.
func (w *walker) sumRef(h uint64, r *ref, at unsafe.Pointer) uint64 {
	switch {
	case r.kind == reflect.String:
		return text(h, *(*string)(at))
	case r.kind == reflect.Interface:
		p, in := w.boxed(r, at)
		if p == nil {
			return mix(h, 0)
		}
		return w.sum(text(h, p.typ.String()), p, in)
	case r.kind == reflect.Slice:
		s := (*header)(at)
		return mix(mix(h, uint64(uintptr(s.data))), uint64(s.len))
	case r.kind == reflect.Struct, r.typ == syncMap:
		return h // what the framework keeps in a reference by value; of a sync.Map its entries count, as a region
	}
	return mix(h, uint64(uintptr(*(*unsafe.Pointer)(at))))
}

// Leads reports whether values of a type may lead to memory that can be written.
func (w *walker) Leads(t reflect.Type) bool {
	for _, r := range w.of(t).refs {
		if r.nature == explore.Plain && r.kind != reflect.String {
			return true
		}
	}
	return false
}
