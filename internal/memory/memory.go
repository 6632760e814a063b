// Package memory saves what is reachable from a value and writes it back later, into the same addresses. Pointers into
// it, whoever holds them, stay valid and see the old content.
//
//	this file:  saving and going back; plan.go what there is to save in a type, maps.go the entries of maps
//	source:     undo logs of databases; no paper
//	assumes:    nobody else writes while Save and Back run; memory that is not reachable from what is saved is not
//	            changed
//	invariants: I1 after Back(Mark()) all memory that was saved since is as it was when it was saved for the first time
//	               since
//	            I2 pointers are written as pointers, so that the garbage collector sees them; the rest as bytes
//	            I3 memory that has not changed is not written: it may be read-only
//	cost:       one copy of what is reachable; no allocation but to grow, and for structs with references inside of
//	            interfaces
//	checked by: memory_test.go against a deep copy by reflection
//
// What cannot be saved: functions that may have captured variables, channels, what belongs to package sync, unsafe
// pointers. The content of a slice is saved up to its capacity.
package memory

import (
	"bytes"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"unsafe"
)

// Memory holds what was saved. Use New.
type Memory struct {
	regions []region
	bytes   []byte
	words   []unsafe.Pointer
	maps    []savedMap
	plans   map[reflect.Type]*plan
	opaque  map[reflect.Type]bool
	stores  map[reflect.Type]*store
	top     map[uintptr]bool // functions: whether they are free of captured variables

	same    same          // the last comparison
	entries int           // bytes in the entries of maps
	base    int           // regions of this Save begin here
	visited map[visit]int // the same, if they are many: the number of elements
}

// region is a piece of memory that was saved.
type region struct {
	at    unsafe.Pointer
	plan  *plan // of an element; nil: maps[words] was saved
	n     int   // elements
	bytes int   // where the copy begins
	words int   // where its pointers begin
}

// visit tells apart the regions of one Save: a struct and its first field have one address.
type visit struct {
	at   unsafe.Pointer
	plan *plan
}

// New makes an empty memory. Pointers of the opaque types are kept, and what they point to is neither saved nor looked
// at.
func New(opaque ...reflect.Type) *Memory {
	m := &Memory{plans: map[reflect.Type]*plan{}, opaque: map[reflect.Type]bool{}, stores: map[reflect.Type]*store{},
		top: map[uintptr]bool{}}
	for _, t := range opaque {
		m.opaque[t] = true
	}
	return m
}

// Mark names the present point for Back.
func (m *Memory) Mark() int { return len(m.regions) }

// Reset forgets what was saved.
func (m *Memory) Reset() {
	m.regions, m.bytes, m.words, m.maps, m.entries = m.regions[:0], m.bytes[:0], m.words[:0], m.maps[:0], 0
	for _, s := range m.stores {
		s.n = 0
	}
}

// Size is the number of bytes that are saved, about.
func (m *Memory) Size() int {
	return len(m.bytes) + len(m.words)*int(wordSize) + len(m.regions)*int(unsafe.Sizeof(region{})) + m.entries
}

// Free is Reset that gives the memory back.
func (m *Memory) Free() {
	m.Reset()
	m.regions, m.bytes, m.words, m.maps = nil, nil, nil, nil
	clear(m.stores)
}

// Error says what cannot be saved.
type Error struct{ What string }

func (e *Error) Error() string { return e.What + " cannot be saved" }

// Save saves what v refers to: v itself is a value and cannot change. It gives an *Error if that holds something that
// cannot be saved; what was saved until then stays saved.
func (m *Memory) Save(v any) error {
	if v == nil {
		return nil
	}
	m.base = len(m.regions)
	err := m.follow(reflect.ValueOf(v))
	if len(m.visited) > 0 {
		clear(m.visited)
	}
	return err
}

// Refers reports whether Save of values of v's type has anything to do.
func (m *Memory) Refers(v any) bool {
	if v == nil {
		return false
	}
	p := m.planOf(reflect.TypeOf(v))
	return len(p.refs) > 0 || p.never != ""
}

// Pointee is what a pointer of one type leads to, for SavePointee: memory that may be written.
type Pointee struct{ plan *plan }

// PointeeOf decides once what SavePointee has to do; ok is false if v is no pointer to memory without references, which
// Save is for.
func (m *Memory) PointeeOf(v any) (p Pointee, ok bool) {
	t := reflect.TypeOf(v)
	if t == nil || t.Kind() != reflect.Pointer || m.opaque[t] {
		return p, false
	}
	p.plan = m.planOf(t.Elem())
	return p, p.plan.pure && p.plan.never == ""
}

// SavePointee is Save for a pointer of the type that p was made for.
func (m *Memory) SavePointee(p Pointee, v any) {
	// SUBTLE: the second word of an interface that holds a pointer is the pointer; reflect takes longer than all the rest.
	at := (*[2]unsafe.Pointer)(unsafe.Pointer(&v))[1]
	if at == nil || p.plan.size == 0 {
		return
	}
	m.note(at, p.plan, 1, len(m.bytes), direct)
	m.bytes = append(m.bytes, unsafe.Slice((*byte)(at), p.plan.size)...)
}

// direct, as words of a region, says that it was saved by SavePointee.
const direct = -1

// save saves n elements at an address, and what they lead to.
func (m *Memory) save(p *plan, at unsafe.Pointer, n int) error {
	if p.never != "" {
		return &Error{p.never}
	}
	if p.size == 0 || n == 0 || m.seen(visit{at, p}, n) {
		return nil
	}
	m.copy(p, at, n)
	return m.followAll(p, at, n)
}

// seen reports whether this Save has met the region. A longer one at the same address is another one.
func (m *Memory) seen(v visit, n int) bool {
	const few = 12
	if len(m.regions)-m.base <= few {
		for i := m.base; i < len(m.regions); i++ {
			if r := &m.regions[i]; r.at == v.at && r.plan == v.plan && r.n >= n {
				return true
			}
		}
		return false
	}
	if len(m.visited) == 0 {
		if m.visited == nil {
			m.visited = map[visit]int{}
		}
		for _, r := range m.regions[m.base:] {
			m.visited[visit{r.at, r.plan}] = max(r.n, m.visited[visit{r.at, r.plan}])
		}
	}
	if m.visited[v] >= n {
		return true
	}
	m.visited[v] = n
	return false
}

// note writes a region in its place: put together elsewhere and copied it would cost several times as much.
func (m *Memory) note(at unsafe.Pointer, p *plan, n, bytes, words int) {
	i := len(m.regions)
	if i == cap(m.regions) {
		m.regions = append(m.regions, region{})
	} else {
		m.regions = m.regions[:i+1]
	}
	r := &m.regions[i]
	r.at, r.plan, r.n, r.bytes, r.words = at, p, n, bytes, words
}

func (m *Memory) copy(p *plan, at unsafe.Pointer, n int) {
	m.note(at, p, n, len(m.bytes), len(m.words))
	m.bytes = append(m.bytes, unsafe.Slice((*byte)(at), p.size*uintptr(n))...)
	if p.pure {
		return
	}
	for i := range n {
		from := unsafe.Add(at, uintptr(i)*p.size)
		for _, off := range p.words {
			m.words = append(m.words, *(*unsafe.Pointer)(unsafe.Add(from, off)))
		}
	}
}

// Back writes back all that was saved since mark was given.
func (m *Memory) Back(mark int) {
	for i := len(m.regions) - 1; i >= mark; i-- {
		r := &m.regions[i]
		if r.words == direct {
			copy(unsafe.Slice((*byte)(r.at), r.plan.size), m.bytes[r.bytes:])
			m.bytes = m.bytes[:r.bytes]
		} else if r.plan == nil {
			m.restoreMap(&m.maps[r.words])
			m.maps = m.maps[:r.words]
		} else {
			m.restore(r)
			m.bytes, m.words = m.bytes[:r.bytes], m.words[:r.words]
		}
		r.at = nil
	}
	m.regions = m.regions[:mark]
}

func (m *Memory) restore(r *region) {
	p := r.plan
	size := p.size * uintptr(r.n)
	now, then := unsafe.Slice((*byte)(r.at), size), m.bytes[r.bytes:r.bytes+int(size)]
	if bytes.Equal(now, then) {
		return
	}
	if p.pure {
		copy(now, then)
		return
	}
	words := m.words[r.words:]
	for i := range r.n {
		first := uintptr(i) * p.size
		for j, off := range p.words {
			*(*unsafe.Pointer)(unsafe.Add(r.at, first+off)) = words[i*len(p.words)+j]
		}
		for _, s := range p.rest {
			copy(now[first+s.from:first+s.to], then[first+s.from:])
		}
	}
}

// followAll saves what n elements at an address lead to.
func (m *Memory) followAll(p *plan, at unsafe.Pointer, n int) error {
	for i := range n {
		from := unsafe.Add(at, uintptr(i)*p.size)
		for j := range p.refs {
			if err := m.followRef(&p.refs[j], unsafe.Add(from, p.refs[j].off)); err != nil {
				return err
			}
		}
		if len(p.refs) == 0 {
			break
		}
	}
	return nil
}

// header is how a slice lies in memory.
type header struct {
	data     unsafe.Pointer
	len, cap int
}

// followRef saves what the reference at an address leads to.
func (m *Memory) followRef(r *ref, at unsafe.Pointer) error {
	switch r.kind {
	case reflect.Pointer:
		if to := *(*unsafe.Pointer)(at); to != nil {
			return m.save(r.elem, to, 1)
		}
		return nil
	case reflect.Slice:
		if h := (*header)(at); h.cap > 0 {
			return m.save(r.elem, h.data, h.cap)
		}
		return nil
	case reflect.Interface:
		if *(*unsafe.Pointer)(at) == nil {
			return nil
		}
		return m.follow(reflect.NewAt(r.t, at).Elem().Elem())
	}
	if *(*unsafe.Pointer)(at) == nil { // a map, or what cannot be saved
		return nil
	}
	return m.follow(reflect.NewAt(r.t, at).Elem())
}

// follow saves what a value leads to.
func (m *Memory) follow(v reflect.Value) error {
	t := v.Type()
	switch v.Kind() {
	case reflect.Pointer:
		if m.opaque[t] || v.IsNil() {
			return nil
		}
		return m.save(m.planOf(t.Elem()), v.UnsafePointer(), 1)
	case reflect.Slice:
		return m.save(m.planOf(t.Elem()), v.UnsafePointer(), v.Cap())
	case reflect.Map:
		return m.saveMap(v)
	case reflect.Struct, reflect.Array:
		return m.followInside(m.planOf(t), v)
	case reflect.Func:
		if v.IsNil() || m.atTop(v.Pointer()) {
			return nil
		}
		return &Error{"a function that may have captured variables (" + runtime.FuncForPC(v.Pointer()).Name() + ")"}
	case reflect.Chan, reflect.UnsafePointer:
		if v.IsNil() {
			return nil
		}
		return &Error{fmt.Sprintf("a value of type %v", t)}
	}
	return nil
}

// followInside is follow for a value inside of an interface, which has no address. It is never written: a copy serves.
func (m *Memory) followInside(p *plan, v reflect.Value) error {
	if p.never != "" {
		return &Error{p.never}
	}
	if len(p.refs) == 0 {
		return nil
	}
	c := reflect.New(v.Type())
	c.Elem().Set(v)
	return m.followAll(p, c.UnsafePointer(), 1)
}

// atTop reports whether the function at pc was declared at the top of a package: such a function has captured nothing.
// A function literal is called "f.func1", a bound method "T.m-fm".
func (m *Memory) atTop(pc uintptr) bool {
	top, known := m.top[pc]
	if !known {
		name := runtime.FuncForPC(pc).Name()
		name = name[strings.LastIndexByte(name, '/')+1:]
		_, name, _ = strings.Cut(name, ".")
		top = name != "" && !strings.Contains("."+name, ".func") && !strings.Contains(name, "-")
		m.top[pc] = top
	}
	return top
}
