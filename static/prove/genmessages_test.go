package prove_test

import (
	"fmt"
	"go/types"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/rehearse-go/rehearse/static/prove"
)

// groupTypes are the types of a group: desks may be in three interfaces, in messages, and in generic values.
const groupTypes = `
type b§ struct{ n int }

type face§ interface{ read§() int }

type pick§[T any] interface{ pick§() T }

type d§ struct {
	book *b§
	list []*b§
	m    map[string]*b§
	f    func() int
	next face§
}

type e§ struct{ book *b§ }

type msg§ struct{ in face§ }

type crate§[T any] struct{ v T }

func (c crate§[T]) pick§() T { return c.v }

func (e *e§) read§() int {
	b := e.book
	return b.n
}

func (e *e§) Error() string {
	b := e.book
	return "e"[:b.n]
}
`

// forms are types that a message is looked at as, and what is done with it then.
var forms = [][2]string{
	{"*d§", "x.read§()"}, {"d§", "x.book.n"}, {"*e§", "x.read§()"}, {"face§", "x.read§()"},
	{"interface{ read§() int }", "x.read§()"}, {"error", "len(x.Error())"}, {"error", "len(x.Error())"},
	{"msg§", "x.in.read§()"},
	{"*msg§", "x.in.read§()"}, {"crate§[*d§]", "x.v.read§()"}, {"crate§[face§]", "x.pick§().read§()"},
	{"crate§[int]", "x.pick§()"}, {"pick§[*e§]", "x.pick§().read§()"}, {"pick§[int]", "x.pick§()"},
	{"[]face§", "x[0].read§()"}, {"map[string]*d§", `x["x"].read§()`}, {"func() *d§", "x().read§()"},
	{"struct{ e *e§ }", "x.e.read§()"}, {"b§", "x.n"}, {"int", "x"}, {"*[]msg§", "(*x)[0].in.read§()"},
}

// outside are messages that come from elsewhere: that nothing in the program makes such a value is no help.
const outside = `
	nil, 1, &d§{}, d§{}, (*d§)(nil), &e§{}, (*e§)(nil), &e§{&b§{}}, msg§{}, &msg§{&d§{}}, msg§{&e§{}}, (*msg§)(nil),
	crate§[*d§]{&d§{}}, crate§[face§]{&e§{}}, crate§[face§]{}, crate§[*e§]{}, crate§[*e§]{&e§{}}, crate§[int]{},
	[]face§{&d§{}}, []face§{nil}, []face§{}, map[string]*d§{"x": {}}, map[string]*d§{}, func() *d§ { return &d§{} },
	struct{ e *e§ }{&e§{}}, b§{}, &[]msg§{{&d§{}}}, &d§{book: &b§{}, list: []*b§{nil}, m: map[string]*b§{}},`

// messages writes a group: types, what makes them, and a function that looks at a message.
func (w *writer) messages(g int) {
	text := strings.NewReplacer("§", fmt.Sprint(g))
	out := func(lines ...string) {
		for _, l := range lines {
			w.WriteString(text.Replace(l) + "\n")
		}
	}
	out(groupTypes, "func (d *d§) read§() (sum int) {")
	for range 3 {
		out(w.of([]string{"\tsum += d.book.n", "\tif b := d.book; true {\n\t\tsum += b.n\n\t}", "\tsum += d.list[0].n",
			"\tsum += 10 / len(d.list)", "\td.m[\"x\"] = d.book", "\tsum += d.f()", "\tsum += d.next.read§()",
			"\tif d.next != nil {\n\t\tsum += d.next.read§()\n\t}",
			"\tfor _, b := range d.list {\n\t\tsum += b.n % len(d.list)\n\t}",
			"\tif e, ok := d.next.(*e§); ok {\n\t\tsum += e.book.n\n\t}", "\tsum += d.next.(*e§).book.n"}))
	}
	out("\treturn sum", "}", "", "func make§(b *b§) *d§ {")
	fields := "book: b, list: []*b§{b}, m: map[string]*b§{}"
	fields += w.rarely("", ", f: func() int { return b.n }")
	fields += w.rarely("", ", next: &e§{"+w.rarely("nil", "b")+"}")
	out("\treturn &d§{"+fields+"}", "}", "", "func run§(m any) (sum int) {")
	out("\td := make§("+w.rarely("nil", "&b§{}")+")", "\tsum += d.read§()")
	for range w.IntN(3) {
		f := forms[w.IntN(len(forms))]
		out("\tif x, ok := m.("+f[0]+"); ok {", "\t\tsum += "+f[1], "\t}")
	}
	if w.IntN(4) == 0 {
		out("\tvar late *b§", "\td.f = func() int { return late.n }", "\tif coin() {", "\t\tlate = &b§{}", "\t}")
	}
	out("\tsum += d.read§()", "\treturn sum", "}", "")
}

// sender calls functions with messages from elsewhere, and notes panics.
const sender = `package main

import "fmt"

type list [][]func()

func call(f func()) {
	defer note()
	f()
}

func main() {
	state = SEED
	for range RUNS {
		for _, fs := range functions {
			for _, f := range fs {
				call(f)
			}
		}
	}
	for s := range seen {
		fmt.Println(s)
	}
}
`

// TestMessagesAgainstExecution: what a Program shows holds whatever messages come from elsewhere. Each function gets
// values of all types of its group. That is zero ones, too, though nothing in the program makes these.
func TestMessagesAgainstExecution(t *testing.T) {
	groups, runs, seed := amounts(40, 120)
	w := &writer{Rand: rand.New(rand.NewPCG(seed, 4))}
	w.WriteString(coins)
	entries, calls := []string{}, []string{}
	for i := range groups {
		w.messages(i)
		entries = append(entries, fmt.Sprintf("run%d", i))
		calls = append(calls, strings.ReplaceAll("each([]any{"+outside+"}, run§)", "§", fmt.Sprint(i)))
	}
	w.line("// From elsewhere they are called with any messages.")
	w.line("var entries = []func(any) int{%s}", strings.Join(entries, ", "))
	main := sender + "\nfunc each(messages []any, f func(any) int) (list []func()) {\n\tfor _, m := range messages {\n" +
		"\t\tlist = append(list, func() { f(m) })\n\t}\n\treturn list\n}\n"
	failed := execute(t, w.String(), main, calls, min(runs, 20), seed)
	compare(t, w.String(), failed, checksOf(t, w.String(), func(pkg *ssa.Package) func(ssa.Instruction) string {
		var list []*ssa.Function
		for fn := range ssautil.AllFunctions(pkg.Prog) {
			list = append(list, fn)
		}
		return prove.NewProgram(list, func(p *types.Package) bool { return p == pkg.Pkg }).Never
	}))
}
