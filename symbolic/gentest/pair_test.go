package gentest

import (
	"slices"
	"strings"
	"testing"
)

// files parses tests: functions with names and lines.
func files(t *testing.T, source string) (*Old, []*File) {
	t.Helper()
	f := &File{Name: "a" + Suffix, Content: []byte(generated + "; DO NOT EDIT.\n" + digestIs + "\n\npackage p\n\n" + source)}
	o := &Old{}
	if err := o.read(f.Name, f.Content); err != nil {
		t.Fatal(err)
	}
	return o, []*File{f}
}

const before = `func TestA_Pay(t *testing.T) {
	t.Run("a.sum>0", func(t *testing.T) {
		x := steptest.New(t)
		a := &A{sum: 1}
		x.Handle(a, pay{n: 2})
		x.Sends(x.Sender(), paid{sum: 3})
		x.Equal("a", a, &A{sum: 3})
	})
	t.Run("a.sum>0,distinct", func(t *testing.T) {
		x := steptest.New(t)
		a := &A{sum: 5}
		x.Handle(a, pay{n: 7})
		x.Sends(x.Sender(), paid{sum: 12})
		x.Equal("a", a, &A{sum: 12})
	})
	// after    a.sum as before
	t.Run("a.sum<=0", func(t *testing.T) {
		x := steptest.New(t)
		a := &A{}
		x.Handle(a, pay{n: 2})
		x.Panics("empty")
	})
}
`

// TestPaired: tests that have another name are told beside what they were; a name that is another one everywhere is
// told once.
func TestPaired(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit []string // replacements
		want string
	}{
		{"form", []string{"a.sum as before", "a.sum = msg.n\n\t// ends     panicked"}, `  TestA_Pay
    changed  a.sum<=0
        - // after    a.sum as before
        + // after    a.sum = msg.n
        + // ends     panicked
`},
		{"nothing", nil, "  the tests are those that were there\n"},
		{"field", []string{"a.sum", "a.total", "A{sum:", "A{total:", "paid{sum:", "paid{total:"}, "  sum is now total, in 3 tests that did not change otherwise\n"},
		{"one field of two", []string{"a.sum", "a.total", "A{sum:", "A{total:"}, `  TestA_Pay
    changed  a.total>0
        was  a.sum>0
        - a := &A{sum: 1}
        + a := &A{total: 1}
        - x.Equal("a", a, &A{sum: 3})
        + x.Equal("a", a, &A{total: 3})
    changed  a.total>0,distinct
        was  a.sum>0,distinct
        - a := &A{sum: 5}
        + a := &A{total: 5}
        - x.Equal("a", a, &A{sum: 12})
        + x.Equal("a", a, &A{total: 12})
    changed  a.total<=0
        was  a.sum<=0
        - // after    a.sum as before
        + // after    a.total as before
`},
		{"condition", []string{"a.sum>0", "a.sum>=4", "a.sum<=0", "a.sum<4", "sum: 1}", "sum: 4}", "sum: 3}", "sum: 6}"}, `  TestA_Pay
    changed  a.sum>=4
        was  a.sum>0
        - a := &A{sum: 1}
        + a := &A{sum: 4}
        - x.Sends(x.Sender(), paid{sum: 3})
        - x.Equal("a", a, &A{sum: 3})
        + x.Sends(x.Sender(), paid{sum: 6})
        + x.Equal("a", a, &A{sum: 6})
    changed  a.sum>=4
        was  a.sum>0
    changed  a.sum<4
        was  a.sum<=0
`},
		{"receiver", []string{"x.Sender()", "x.Self()"}, `  TestA_Pay
    changed  a.sum>0
        - x.Sends(x.Sender(), paid{sum: 3})
        + x.Sends(x.Self(), paid{sum: 3})
    changed  a.sum>0,distinct
        - x.Sends(x.Sender(), paid{sum: 12})
        + x.Sends(x.Self(), paid{sum: 12})
`},
		{"another case", []string{`"a.sum<=0"`, `"a.open"`, `x.Handle(a, pay{n: 2})
		x.Panics("empty")`, `store := x.Peer("store")
		x.Chooses(1, 2, 3, 4, 5)
		x.Answers(store, steptest.Nothing{}, 3, entry{key: "k", size: 3})
		x.Waits()`}, `  TestA_Pay
    new      a.open
    gone     a.sum<=0
`},
	} {
		o, _ := files(t, before)
		_, now := files(t, strings.NewReplacer(tt.edit...).Replace(before))
		list, err := o.Compare(now)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if ReportChanges(&out, list); out.String() != tt.want {
			t.Errorf("%s: told\n%s\nwant\n%s", tt.name, out.String(), tt.want)
		}
		if (len(list) == 0) != (tt.edit == nil) {
			t.Errorf("%s: %d changes", tt.name, len(list))
		}
	}
}

// TestPairedAll: each test that went or came is told once, whatever the pairs.
func TestPairedAll(t *testing.T) {
	var gone, came []oldTest
	for _, name := range []string{"a", "b", "c,edge", "d,edge", "e"} {
		gone = append(gone, oldTest{fn: "F", name: name, lines: []string{"x := 1", "y := 2", "z(" + name[:1] + ")"}})
	}
	for _, name := range []string{"f", "g,edge", "h", "i,distinct"} {
		came = append(came, oldTest{fn: "F", name: name, lines: []string{"x := 1", "y := 2", "z(" + name[:1] + ")"}})
	}
	var was, is []string
	for _, p := range paired(gone, came) {
		was, is = append(was, p.was.name), append(is, p.is.name)
		if label(p.was.name) != label(p.is.name) {
			t.Errorf("%s is paired with %s", p.was.name, p.is.name)
		}
	}
	slices.Sort(was)
	slices.Sort(is)
	if len(was) != 3 || len(slices.Compact(was)) != 3 || len(slices.Compact(is)) != 3 {
		t.Errorf("pairs of %v and %v, want three", was, is)
	}
}
