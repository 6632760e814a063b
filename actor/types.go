package actor

import (
	"reflect"
	"runtime"
	"strings"
	"unsafe"

	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/memory"
	"github.com/rehearse-go/rehearse/trace"
)

// typeInfo is what is decided once for a type of message or behaviour.
type typeInfo struct {
	trace *trace.Type
	refs  bool // values may share memory with their sender
	holds bool // values refer to memory that a handler may change

	// of a behaviour
	accepts bool // it has constraints
	starts  bool // it has a start hook
	plain   bool // pointee is all that there is to save of it
	pointee memory.Pointee
}

// types knows the types of messages and behaviours. What it has decided holds in all executions.
type types struct {
	m      *machine
	byType map[reflect.Type]*typeInfo
	recent [64]recent         // by address
	funcs  map[uintptr]string // names of function literals, by their code
}

func (ts *types) of(v any) *typeInfo {
	// SUBTLE: the first word of an interface value is its type's address, which is all that tells types apart here.
	word := *(*unsafe.Pointer)(unsafe.Pointer(&v))
	r := &ts.recent[(uintptr(word)>>5)%uintptr(len(ts.recent))]
	if r.word != word || r.info == nil {
		*r = recent{word, ts.slowly(v)}
	}
	return r.info
}

// recent is a type that was asked for.
type recent struct {
	word unsafe.Pointer
	info *typeInfo
}

func (ts *types) slowly(v any) *typeInfo {
	t := reflect.TypeOf(v)
	info, ok := ts.byType[t]
	if !ok {
		chance.Aside(func() {
			info = ts.add(v, t)
			ts.byType[t] = info
		})
	}
	return info
}

func (ts *types) add(v any, t reflect.Type) *typeInfo {
	m := ts.m
	info := &typeInfo{trace: m.tr.TypeOf(v)}
	if t == nil {
		return info
	}
	info.holds = m.undo.memory.Refers(v)
	info.refs = !t.Implements(errorType) && holdsReferences(t)
	_, info.accepts = v.(Accepter)
	_, info.starts = v.(Starter)
	if _, own := v.(Snapshotter); !own {
		info.pointee, info.plain = m.undo.memory.PointeeOf(v)
	}
	return info
}

var errorType = reflect.TypeFor[error]()

// holdsReferences reports whether values of the type may lead to memory that others can reach. It is false for
// recursion through the kinds that answer true anyway.
func holdsReferences(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface, reflect.UnsafePointer:
		return true
	case reflect.Array:
		return holdsReferences(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if holdsReferences(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

// behaviorType is the type that an actor's identity hashes.
func (ts *types) ofBehavior(name string, b Behavior) *trace.Type {
	f, ok := b.(Func)
	if !ok {
		return ts.of(b).trace
	}
	if name != "" {
		return ts.m.tr.TypeNamed(name)
	}
	pc := reflect.ValueOf(f).Pointer()
	fn, ok := ts.funcs[pc]
	if !ok {
		fn = enclosing(runtime.FuncForPC(pc).Name())
		ts.funcs[pc] = fn
	}
	return ts.m.tr.TypeNamed(fn)
}

// enclosing drops the directories of a function's package and the numbers that the compiler gives to function literals:
// "a.org/b/bank.Serve.func1.2" becomes "bank.Serve".
func enclosing(fn string) string {
	fn = fn[strings.LastIndexByte(fn, '/')+1:]
	fn = strings.TrimSuffix(fn, "-fm")
	for {
		i := strings.LastIndexByte(fn, '.')
		if i <= 0 || strings.IndexByte(fn, '.') == i {
			return fn
		}
		if last := strings.TrimPrefix(fn[i+1:], "func"); strings.Trim(last, "0123456789") != "" {
			return fn
		}
		fn = fn[:i]
	}
}
