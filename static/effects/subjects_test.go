package effects

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/facts"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

// program is a subject at a size at which all classes can be executed.
type program struct {
	name string
	make func() *actor.System
}

var programs = []program{
	{"Bank()", subjects.Bank},
	{"Barber(2,1)", func() *actor.System { return subjects.Barber(2, 1) }},
	{"Chameneos(1)", func() *actor.System { return subjects.Chameneos(1) }},
	{"CheckErr(1)", func() *actor.System { return subjects.CheckErr(1) }},
	{"Fib(5)", func() *actor.System { return subjects.Fib(5) }},
	{"FibDirect(5)", func() *actor.System { return subjects.FibDirect(5) }},
	{"FibTasks(4)", func() *actor.System { return subjects.FibTasks(4) }},
	{"FibTasksTo(5,2)", func() *actor.System { return subjects.FibTasksTo(5, 2) }},
	{"PiTasks(4)", func() *actor.System { return subjects.PiTasks(4) }},
	{"SortTasks(2,0,1,3)", func() *actor.System { return subjects.SortTasks(2, 0, 1, 3) }},
	{"PSort(2,2)", func() *actor.System { return subjects.PSort(2, 2) }},
	{"RegSimTasks(4,1)", func() *actor.System { return subjects.RegSimTasks(4, 1) }},
	{"RegSimTasks(2,2)", func() *actor.System { return subjects.RegSimTasks(2, 2) }},
	{"DHT()", subjects.DHT},
	{"BoundedBuffer(2,1)", func() *actor.System { return subjects.BoundedBuffer(2, 1) }},
	{"Gatling(3)", func() *actor.System { return subjects.Gatling(3) }},
	{"FlushDeep(3,2)", func() *actor.System { return subjects.FlushDeep(3, 2) }},
	{"Leader(3)", func() *actor.System { return subjects.Leader(3) }},
	{"LeaderCreated(1,0,2)", func() *actor.System { return subjects.LeaderCreated(1, 0, 2) }},
	{"LeaderInOrder(3)", func() *actor.System { return subjects.LeaderInOrder(3) }},
	{"LostSub(2,2)", func() *actor.System { return subjects.LostSub(2, 2) }},
	{"Mergesort(4)", func() *actor.System { return subjects.Mergesort(4) }},
	{"MergesortDirect(4)", func() *actor.System { return subjects.MergesortDirect(4) }},
	{"Messenger(2)", func() *actor.System { return subjects.Messenger(2) }},
	{"Philosophers(3)", func() *actor.System { return subjects.Philosophers(3) }},
	{"Pi(4)", func() *actor.System { return subjects.Pi(4) }},
	{"PiDirect(4)", func() *actor.System { return subjects.PiDirect(4) }},
	{"Pipesort(4)", func() *actor.System { return subjects.Pipesort(4) }},
	{"ProcReg(2,1)", func() *actor.System { return subjects.ProcReg(2, 1) }},
	{"Quicksort(6)", func() *actor.System { return subjects.Quicksort(6) }},
	{"QuicksortBoot(2,0,1)", func() *actor.System { return subjects.QuicksortBoot(2, 0, 1) }},
	{"QuicksortOf(2,0,1)", func() *actor.System { return subjects.QuicksortOf(2, 0, 1) }},
	{"Registry()", subjects.Registry},
	{"Regsim(4)", func() *actor.System { return subjects.Regsim(4) }},
	{"Server(true)", func() *actor.System { return subjects.Server(true) }},
	{"ServerDirect()", subjects.ServerDirect},
	{"ShortpathA()", subjects.ShortpathA},
	{"ShortpathTriangle()", subjects.ShortpathTriangle},
	{"ShortpathDetour()", subjects.ShortpathDetour},
	{"ShortpathB()", subjects.ShortpathB},
	{"Spinsort(4)", func() *actor.System { return subjects.Spinsort(4) }},
	{"SpinsortBoot(4)", func() *actor.System { return subjects.SpinsortBoot(4) }},
	{"ThreadRing(5)", func() *actor.System { return subjects.ThreadRing(5) }},
	{"TwoFlags(2)", func() *actor.System { return subjects.TwoFlags(2) }},
}

// No subject is forgotten.
func TestAllSubjects(t *testing.T) {
	pkgs, err := parser.ParseDir(token.NewFileSet(), "../../subjects", func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range pkgs["subjects"].Files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() || fn.Recv != nil || fn.Type.Results == nil {
				continue
			}
			if p, ok := fn.Type.Results.List[0].Type.(*ast.StarExpr); !ok || fmt.Sprint(p.X) != "&{actor System}" {
				continue
			}
			if !slices.ContainsFunc(programs, func(p program) bool { return strings.HasPrefix(p.name, fn.Name.Name+"(") }) {
				t.Errorf("%s is in no table of this test", fn.Name.Name)
			}
		}
	}
}

// ofSubjects are the facts about package subjects.
var ofSubjects = sync.OnceValues(func() (*facts.File, error) {
	f, _, err := Facts("../../subjects", ".")
	return f, err
})

func subjectFacts(t *testing.T) *facts.File {
	t.Helper()
	f, err := ofSubjects()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// dump writes what a value is, with actors by identity, so that two are equal if and only if nobody who looks at them
// can tell them apart.
type dump struct {
	strings.Builder
	tr   *trace.Trace
	seen map[unsafe.Pointer]int
}

func dumped(tr *trace.Trace, v reflect.Value) string {
	d := &dump{tr: tr, seen: map[unsafe.Pointer]int{}}
	d.value(v)
	return d.String()
}

func (d *dump) value(v reflect.Value) {
	if !v.IsValid() {
		d.WriteString("nil")
		return
	}
	if v.Type() == reflect.TypeFor[actor.Ref]() {
		if n := v.Field(0).Int(); n > 0 {
			fmt.Fprintf(d, "actor %x", d.tr.Actors[n-1].ID)
			return
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			d.WriteString("nil")
			return
		}
		if n, ok := d.seen[v.UnsafePointer()]; ok {
			fmt.Fprintf(d, "#%d", n)
			return
		}
		d.seen[v.UnsafePointer()] = len(d.seen)
		d.WriteByte('&')
		d.value(v.Elem())
	case reflect.Interface:
		if v.IsNil() {
			d.WriteString("nil")
			return
		}
		d.WriteString(v.Elem().Type().String() + " ")
		d.value(v.Elem())
	case reflect.Struct:
		d.WriteByte('{')
		for i := range v.NumField() {
			d.value(v.Field(i))
			d.WriteByte(';')
		}
		d.WriteByte('}')
	case reflect.Slice, reflect.Array:
		d.WriteByte('[')
		for i := range v.Len() {
			d.value(v.Index(i))
			d.WriteByte(';')
		}
		d.WriteByte(']')
	case reflect.Map:
		entries := map[string]bool{}
		for _, k := range v.MapKeys() {
			entries[dumped(d.tr, k)+":"+dumped(d.tr, v.MapIndex(k))] = true
		}
		d.WriteString(strings.Join(slices.Sorted(maps.Keys(entries)), ";"))
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		fmt.Fprintf(d, "%s nil %t", v.Type(), v.IsNil())
	default:
		fmt.Fprintf(d, "%#v", v)
	}
}

// fieldsOf dumps each field of a behaviour; one that is no struct is one field.
func fieldsOf(tr *trace.Trace, b any) map[string]string {
	v := reflect.ValueOf(b)
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return map[string]string{facts.WholeState: dumped(tr, v)}
	}
	m := map[string]string{}
	for i := range v.NumField() {
		m[v.Type().Field(i).Name] = dumped(tr, v.Field(i))
	}
	return m
}

// everything dumps all actors and what was left for them, by identity.
func everything(x explore.Execution) string {
	tr := x.Trace()
	var lines []string
	for i := range tr.Actors {
		st := x.Status(int32(i))
		lines = append(lines, fmt.Sprintf("%x %T %v %t", tr.Actors[i].ID, x.State(int32(i)), fieldsOf(tr, x.State(int32(i))), st.Stopped))
	}
	x.Pending(func(m int32) {
		lines = append(lines, fmt.Sprintf("%x %s", tr.Actors[tr.Messages[m].Receiver].ID, dumped(tr, reflect.ValueOf(tr.Messages[m].Value))))
	})
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
