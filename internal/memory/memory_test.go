package memory

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// thing has everything that can be saved.
type thing struct {
	n      int
	name   string
	flags  [3]bool
	list   []int
	words  []string
	table  map[string]int
	nested map[int]*thing
	next   *thing
	any    any
	err    error
	own    struct{ a, b *int }
	things []thing
	f      func() int
	buffer *bytes.Buffer
	float  map[float64]string
	links  [2]*thing
}

func seven() int { return 7 }

// random makes a thing that shares parts of itself, and of the things made before.
func random(r *rand.Rand, depth int, made *[]*thing) *thing {
	if len(*made) > 0 && (depth == 0 || r.IntN(5) == 0) {
		return (*made)[r.IntN(len(*made))]
	}
	t := &thing{}
	*made = append(*made, t)
	mutate(r, t, depth, made)
	return t
}

// mutate changes some of the fields.
func mutate(r *rand.Rand, t *thing, depth int, made *[]*thing) {
	for range 1 + r.IntN(6) {
		switch r.IntN(16) {
		case 0:
			t.n = r.IntN(1000)
		case 1:
			t.name = fmt.Sprint("name", r.IntN(1000))
		case 2:
			t.flags[r.IntN(3)] = r.IntN(2) == 0
		case 3:
			t.list = append(t.list, r.IntN(100))
		case 4:
			if len(t.list) > 0 {
				t.list[r.IntN(len(t.list))] = r.IntN(100)
				t.list = t.list[:r.IntN(len(t.list)+1)]
			}
		case 5:
			t.words = append(t.words, fmt.Sprint("word", r.IntN(1000)))
		case 6:
			if t.table == nil || r.IntN(4) == 0 {
				t.table = map[string]int{}
			}
			t.table[fmt.Sprint(r.IntN(5))] = r.IntN(100)
		case 7:
			delete(t.table, fmt.Sprint(r.IntN(5)))
		case 8:
			if t.nested == nil {
				t.nested = map[int]*thing{}
			}
			t.nested[r.IntN(4)] = random(r, max(depth-1, 0), made)
		case 9:
			t.next = random(r, max(depth-1, 0), made)
		case 10:
			t.any = []any{nil, 5, t.list, t.table, &t.n, [1]*thing{t.next}, struct {
				a int
				l []int
			}{3, t.list}, "text", t.next}[r.IntN(9)]
		case 11:
			t.err, t.f = errors.New("bad"), seven
		case 12:
			n := r.IntN(9)
			t.own.a, t.own.b = &n, &t.n
		case 13:
			t.things = append(t.things, thing{n: r.IntN(9), next: t.next, list: t.list})
		case 14:
			if t.buffer == nil {
				t.buffer = &bytes.Buffer{}
			}
			fmt.Fprint(t.buffer, r.IntN(100))
		case 15:
			if t.float == nil {
				t.float = map[float64]string{}
			}
			t.float[float64(r.IntN(3))] = fmt.Sprint(r.IntN(100))
			t.links[r.IntN(2)] = t.next
		}
	}
}

// picture writes down all that is reachable, with addresses, which must stay too. It is the dumb twin: no plan, no
// dedupe but for cycles.
func picture(v any) string {
	var b strings.Builder
	draw(&b, reflect.ValueOf(v), map[uintptr]bool{})
	return b.String()
}

func draw(b *strings.Builder, v reflect.Value, seen map[uintptr]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		fmt.Fprintf(b, "*%x", v.Pointer())
		if !v.IsNil() && !seen[v.Pointer()] {
			seen[v.Pointer()] = true
			draw(b, v.Elem(), seen)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			b.WriteString(v.Type().Field(i).Name + ":")
			draw(b, v.Field(i), seen)
			b.WriteByte(' ')
		}
	case reflect.Slice:
		fmt.Fprintf(b, "%x[%d,%d]", v.Pointer(), v.Len(), v.Cap())
		for i := range v.Len() {
			draw(b, v.Index(i), seen)
			b.WriteByte(',')
		}
	case reflect.Array:
		for i := range v.Len() {
			draw(b, v.Index(i), seen)
			b.WriteByte(',')
		}
	case reflect.Map:
		fmt.Fprintf(b, "map%x", v.Pointer())
		lines := map[string]bool{}
		for it := v.MapRange(); it.Next(); {
			var l strings.Builder
			draw(&l, it.Key(), seen)
			l.WriteByte('=')
			// Which of two entries that share is drawn first must not show.
			draw(&l, it.Value(), maps.Clone(seen))
			lines[l.String()] = true
		}
		for _, l := range sorted(lines) {
			b.WriteString(l + ";")
		}
	case reflect.Interface:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		b.WriteString(v.Elem().Type().String())
		draw(b, v.Elem(), seen)
	case reflect.Func:
		fmt.Fprintf(b, "%x", v.Pointer())
	default:
		fmt.Fprint(b, v)
	}
}

func sorted(set map[string]bool) []string {
	var s []string
	for l := range set {
		s = append(s, l)
	}
	for i := range s {
		for j := i; j > 0 && s[j] < s[j-1]; j-- {
			s[j], s[j-1] = s[j-1], s[j]
		}
	}
	return s
}

// Everything comes back, from every mark, in any order of going back and forth; the garbage collector in between finds
// nothing wrong.
func TestBackRestoresEverything(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 1))
		var made []*thing
		roots := []*thing{random(r, 3, &made), random(r, 3, &made), random(r, 3, &made)}
		m := New()
		var marks []int
		var pictures []string
		all := func() string { return picture(roots) }
		for step := range 40 {
			if len(marks) > 0 && r.IntN(5) == 0 {
				to := r.IntN(len(marks))
				if m.Back(marks[to]); all() != pictures[to] {
					t.Fatalf("seed %d, step %d: back to %d:\n%s\nwant\n%s", seed, step, to, all(), pictures[to])
				}
				marks, pictures = marks[:to], pictures[:to]
			}
			marks, pictures = append(marks, m.Mark()), append(pictures, all())
			x := roots[r.IntN(3)]
			if err := m.Save(x); err != nil {
				t.Fatal(err)
			}
			// What x leads to is changed before x, which may then lead to what was not saved.
			if l, ok := x.any.([]int); ok && len(l) > 0 {
				l[0]++
			}
			for _, y := range x.nested {
				y.n++
			}
			if y := x.next; y != nil {
				mutate(r, y, 2, &made)
			}
			mutate(r, x, 2, &made)
			if step%20 == 0 && seed%10 == 0 {
				runtime.GC()
			}
		}
		if m.Back(marks[0]); all() != pictures[0] || m.Mark() != 0 || len(m.bytes)+len(m.words)+len(m.maps) > 0 {
			t.Fatalf("seed %d: back to the beginning", seed)
		}
		for _, s := range m.stores {
			if s.n != 0 {
				t.Fatalf("seed %d: entries of maps are left over", seed)
			}
		}
	}
}

// A key that is not equal to itself can only be put back, not found.
func TestNaN(t *testing.T) {
	v := map[float64]int{math.NaN(): 1, math.NaN(): 2, 3: 4}
	m := New()
	if err := m.Save(v); err != nil {
		t.Fatal(err)
	}
	v[5] = 5
	m.Back(0)
	if len(v) != 3 || v[3] != 4 {
		t.Errorf("got %v", v)
	}
}

// A list of many elements, shorter and longer slices of one array, and a pointer into the middle.
func TestAliases(t *testing.T) {
	type cell struct {
		n    int
		next *cell
	}
	list := &cell{}
	for i := range 1000 {
		list = &cell{i, list}
	}
	list.next.next.next = list.next // a cycle, and the rest unreachable but for what follows
	array := []int{1, 2, 3, 4, 5}
	v := struct {
		list        *cell
		short, long []int
		middle      *int
	}{list, array[:1:1], array, &array[2]}
	m := New()
	if err := m.Save(&v); err != nil {
		t.Fatal(err)
	}
	array[0], array[2], array[4] = 10, 30, 50
	list.next.n, v.list, v.long = -1, nil, nil
	m.Back(0)
	if fmt.Sprint(array) != "[1 2 3 4 5]" || v.list != list || list.next.n != 998 ||
		&v.long[0] != &array[0] || *v.middle != 3 {
		t.Errorf("got %v, %+v, %+v", array, v, list.next)
	}
}

// Where a shorter slice comes after many regions, a longer one of the same array is another region.
func TestLongerSliceLater(t *testing.T) {
	array := []int{1, 2, 3}
	v := [][]int{}
	for range 20 {
		v = append(v, []int{0})
	}
	v = append(v, array[:1:1], array)
	m := New()
	if err := m.Save(v); err != nil {
		t.Fatal(err)
	}
	array[2] = 9
	if m.Back(0); array[2] != 3 {
		t.Error("the longer slice was not saved")
	}
}

func TestSavePointee(t *testing.T) {
	type plain struct {
		a int
		b [3]uint8
	}
	m := New()
	v := &plain{a: 1}
	p, ok := m.PointeeOf(v)
	if !ok {
		t.Fatal("a plain struct is not plain")
	}
	if n := testing.AllocsPerRun(100, func() { m.SavePointee(p, v); v.a++; v.b[1]++; m.Back(0) }); n > 0 ||
		*v != (plain{a: 1}) {
		t.Errorf("%v allocations, %+v", n, *v)
	}
	for _, v := range []any{nil, 5, plain{}, &struct{ s string }{}, &struct{ m sync.Mutex }{}, map[int]int{}} {
		if _, ok := m.PointeeOf(v); ok {
			t.Errorf("%T passes for plain", v)
		}
	}
}

func TestSaveDoesNotAllocate(t *testing.T) {
	m := New()
	v := &struct {
		list  []string
		table map[string]int
		next  *int
	}{[]string{"a", "b"}, map[string]int{"a": 1, "b": 2}, new(int)}
	run := func() {
		if err := m.Save(v); err != nil {
			t.Fatal(err)
		}
		v.list[0] = "c"
		v.table["a"]++
		*v.next = 2
		m.Back(0)
	}
	run()
	if n := testing.AllocsPerRun(100, run); n > 2 { // reflection boxes the strings that are the keys
		t.Errorf("%v allocations", n)
	}
	if v.list[0] != "a" || v.table["a"] != 1 || *v.next != 0 {
		t.Errorf("got %+v", v)
	}
}

type methods struct{ n int }

func (m *methods) get() int { return m.n }

func TestWhatCannotBeSaved(t *testing.T) {
	n := 0
	for _, c := range []struct {
		v    any
		want string
	}{
		{&struct{ f func() }{func() { n++ }}, "captured variables"},
		{&struct{ f func() int }{(&methods{}).get}, "captured variables"},
		{&struct{ f func() int }{seven}, ""},
		{&struct{ f func(*methods) int }{(*methods).get}, ""},
		{&struct{ f func() }{}, ""},
		{func() { n++ }, "captured variables"},
		{make(chan int), "chan int"},
		{&struct{ c chan int }{}, ""},
		{&struct{ c <-chan int }{make(chan int)}, "chan int"},
		{&struct{ m sync.Mutex }{}, "sync.Mutex"},
		{map[int]*sync.WaitGroup{1: {}}, "sync.WaitGroup"},
		{[]any{1, struct{ f func() }{func() { n++ }}}, "captured variables"},
		{time.NewTimer(time.Hour), "chan"},
		{&struct{ t time.Time }{time.Unix(5, 0).UTC()}, ""},
	} {
		err := New().Save(c.v)
		if got := fmt.Sprint(err); c.want == "" && err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%T: got %v, want %q", c.v, err, c.want)
		}
	}
}

// What is opaque keeps its content.
func TestOpaque(t *testing.T) {
	type box struct{ n int }
	v := &struct {
		b *box
		a any
	}{&box{1}, &box{2}}
	m := New(reflect.TypeFor[*box]())
	if err := m.Save(v); err != nil {
		t.Fatal(err)
	}
	b := v.b
	v.b.n, v.a.(*box).n, v.b = 3, 4, nil
	if m.Back(0); v.b != b || b.n != 3 || v.a.(*box).n != 4 {
		t.Errorf("got %+v", v)
	}
}
