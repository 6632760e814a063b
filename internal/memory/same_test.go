package memory

import (
	"fmt"
	"testing"
	"unsafe"
)

// tree is a state with every kind of reference.
type tree struct {
	name  string
	n     int
	kids  []*tree
	up    *tree
	table map[string]*tree
	any   any
	other any
	view  []int
	fixed [2]*int
}

// grow builds the same state anew at each call.
func grow(size int) *tree {
	t := &tree{name: fmt.Sprint("root", size), table: map[string]*tree{}, view: make([]int, size, size+3)}
	for i := range size {
		k := &tree{name: fmt.Sprint("kid", i), n: i, up: t}
		t.kids = append(t.kids, k)
		t.table[k.name] = k
	}
	shared := 7
	t.fixed = [2]*int{&shared, &shared}
	t.any, t.other = []any{1, "two", t.kids, struct{ p *int }{&shared}}, map[int]any{3: t}
	return t
}

// compare saves a, puts what changes in the same place and compares.
func compare(size int, change func(*tree)) bool {
	m := New()
	root := grow(size)
	m.Save(root)
	middle := m.Mark()
	*root = *grow(size)
	for _, k := range root.kids {
		k.up = root
	}
	root.other.(map[int]any)[3] = root
	change(root)
	m.Save(root)
	return m.Same(0, middle, m.Mark())
}

func TestSame(t *testing.T) {
	n, foreign := 7, &tree{name: "kid0"}
	for name, tt := range map[string]struct {
		change func(*tree)
		same   bool
	}{
		"nothing":                 {func(*tree) {}, true},
		"a number":                {func(t *tree) { t.kids[0].n++ }, false},
		"a string":                {func(t *tree) { t.kids[1].name = "kid9" }, false},
		"an equal string":         {func(t *tree) { t.kids[1].name = fmt.Sprint("kid", 1) }, true},
		"nil for a pointer":       {func(t *tree) { t.kids[1].up = nil }, false},
		"another pointer":         {func(t *tree) { t.kids[1].up = t.kids[0] }, false},
		"no longer shared":        {func(t *tree) { t.fixed[1] = &n }, false},
		"shared where it was not": {func(t *tree) { t.kids[1] = t.kids[0] }, false},
		"a copy in a map":         {func(t *tree) { c := *t.kids[0]; t.table["kid0"] = &c }, false},
		"an entry more":           {func(t *tree) { t.table["more"] = t }, false},
		"another key":             {func(t *tree) { t.table["x"] = t.table["kid0"]; delete(t.table, "kid0") }, false},
		"another value":           {func(t *tree) { t.table["kid0"] = foreign }, false},
		"another length":          {func(t *tree) { t.view = t.view[:1] }, false},
		"an element":              {func(t *tree) { t.view[0] = 1 }, false},
		"behind the length":       {func(t *tree) { t.view[:cap(t.view)][cap(t.view)-1] = 1 }, false},
		"another type":            {func(t *tree) { t.any = 1 }, false},
		"inside of an interface":  {func(t *tree) { t.any.([]any)[0] = 2 }, false},
		"a string in one":         {func(t *tree) { t.any.([]any)[1] = "three" }, false},
		"a pointer in one":        {func(t *tree) { t.any.([]any)[3] = struct{ p *int }{&n} }, false},
	} {
		for _, size := range []int{2, 40} { // few regions, and many
			if got := compare(size, tt.change); got != tt.same {
				t.Errorf("%s, size %d: same is %v", name, size, got)
			}
		}
	}
}

func TestApplyAndDrop(t *testing.T) {
	m := New()
	a, b := grow(3), &tree{name: "b", table: map[string]*tree{"a": nil}}
	m.Save(a)
	middle, size := m.Mark(), m.Size()
	m.Save(b)
	end := m.Mark()
	a.kids[0].n, a.name, b.name = 99, "changed", "changed"
	a.table["new"] = nil
	delete(b.table, "a")
	written := map[unsafe.Pointer]bool{}
	m.Apply(0, middle, written)
	if a.kids[0].n != 0 || a.name != "root3" || len(a.table) != 3 || b.name != "changed" {
		t.Errorf("after Apply: %v %q, %d entries; b %q", a.kids[0].n, a.name, len(a.table), b.name)
	}
	written[unsafe.Pointer(b)] = true
	m.Apply(middle, end, written)
	if _, ok := b.table["a"]; b.name != "changed" || !ok {
		t.Errorf("what was written before is %q, what was not has its entry: %v", b.name, ok)
	}
	m.Drop(middle)
	if m.Mark() != middle || m.Size() != size {
		t.Errorf("after Drop: %d regions, %d bytes; want %d, %d", m.Mark(), m.Size(), middle, size)
	}
	a.name, b.name = "changed", "changed"
	m.Back(0)
	if a.name != "root3" || b.name != "changed" || m.Size() != 0 {
		t.Errorf("after Back: %q %q, %d bytes", a.name, b.name, m.Size())
	}
}

func TestMeets(t *testing.T) {
	m := New()
	old, made := &tree{name: "old"}, &tree{name: "made"}
	root := &tree{up: old}
	m.Save(root)
	middle := m.Mark()
	root.kids = []*tree{made}
	m.Save(root)
	end := m.Mark()
	m.Save(&tree{up: old})
	if m.Meets(0, middle, end) {
		t.Error("meets at memory that was there before")
	}
	m.Save(&tree{up: made})
	if !m.Meets(0, middle, end) {
		t.Error("does not meet at memory that was made since")
	}
}
