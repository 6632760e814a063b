package reachtest_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/types"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/reachtest"
	"github.com/rehearse-go/rehearse/trace"
)

var readOdd = sync.OnceValues(func() (*examples, error) { return readPackages("testdata", "./odd") })

// drivers are written in many ways. Of each: what is sent, by place; what was found; and what the test has to have, or
// why there is none.
var drivers = []struct {
	entry, call string
	actors      []string
	sent        []sentBy
	found       []foundMessage
	want        []string // lines
	not         []string
	refused     string
	stay        string
}{
	{entry: "TestInline", call: "New", actors: []string{"a", "b", "Worker"},
		sent:  []sentBy{{"TestInline$1", "Send", 0, 0}, {"TestInline$1", "Send", 0, 1}, {"TestInline$1", "Send", 1, 2}},
		found: []foundMessage{{2, 7, ""}, {2, 8, "x"}},
		want: []string{"func(_ *rehearse.T, ctx *actor.Context) {", "ctx.Send(w, Job{N: 7})", "ctx.Send(w, Job{N: 8, Text: \"x\"})", "size := 2", "Checks: rehearse.Levels{rehearse.Orphan: rehearse.Off},",
			"w := ctx.Spawn(&Worker{})", "last = ctx.SpawnNamed(names[i], &Worker{})", "_ = last"},
		not: []string{"naive", "3x", "Back: last"}},
	{entry: "TestInline", call: "New", actors: []string{"a", "b", "Worker"}, sent: []sentBy{{"TestInline$1", "Send", 0, 0}, {"TestInline$1", "Send", 0, 1}, {"TestInline$1", "Send", 1, 2}},
		found: []foundMessage{{0, 7, ""}}, want: []string{`ctx.Send(ctx.Actor("a"), Job{N: 7})`}},
	{entry: "TestNamed", call: "New", actors: []string{"w", "v"}, sent: []sentBy{{"named", "Send", 0, 1}, {"named", "Send", 1, 0}},
		found: []foundMessage{{1, 7, ""}}, want: []string{"actor.New(named_odd_1)", "c.Send(v, Job{N: 7})", "func named_odd_1(t *rehearse.T, c *actor.Context) {", "fmt.Sprint(\"x\")"},
		not: []string{"c.Send(w", "if w != v", "job"}},
	{entry: "TestGiven", call: "New", actors: []string{"w"}, sent: []sentBy{{"Post", "Send", 0, 0}, {"Post", "Send", 0, 0}, {"Post", "Send", 0, 0}},
		found: []foundMessage{{0, 7, "seven"}}, want: []string{"actor.New(given_odd_1(2))", "ctx.Send(w, Job{N: 7, Text: \"seven\"})", "err := error(nil)", "t.SetUp("},
		not: []string{"three", "post", "range"}},
	{entry: "TestMethod", call: "system", actors: []string{"hired", "w", "again"}, sent: []sentBy{{"Hire", "Send", 0, 0}, {"made", "Send", 0, 0}, {"made", "Send", 1, 1}},
		found: []foundMessage{{2, 7, ""}, {0, 8, ""}}, want: []string{"suite{1}.system_odd_1())", "return s.made_odd_1(\"w\")", "ctx.Send(again, Job{N: 7})", "ctx.Send(hired, Job{N: 8})", "hired := Hire(ctx)"},
		not: []string{"Job{N: 9}", "Pair", "defer"}, stay: "creates actors"},
	{entry: "TestTurns", call: "New", actors: []string{"w"}, found: []foundMessage{{0, 7, ""}}, want: []string{"n := []int{1, 2}[0]", "Job{N: 7}"}},
}

type sentBy struct {
	in, call string
	nth, to  int
}

type foundMessage struct {
	to, n int
	text  string
}

// A test is written of drivers of all kinds, and Go's type checker takes it.
func TestDrivers(t *testing.T) {
	x, err := readOdd()
	if err != nil {
		t.Fatal(err)
	}
	const pkg = "reachtest/testdata/odd"
	for _, d := range drivers {
		t.Run(d.entry, func(t *testing.T) {
			h := x.by(t, trace.Bag, pkg, d.entry, d.call, d.actors...)
			job := x.typ(t, pkg, "Job")
			for _, s := range d.sent {
				h.sends(t, x.inner(t, pkg, s.in), s.call, s.nth, s.to, job, x.number("msg.N", 1))
			}
			for _, f := range d.found {
				h.outside(f.to, job, x.number("msg.N", int64(f.n)), exec.Named{Name: "msg.Text", Term: x.store.Text(f.text)})
			}
			h.order(trace.OrderEntry{Actor: "w", Message: "Job"})
			w, err := reachtest.New(x.load, x.exec, reachtest.Wanted{Way: h.way, Name: "odd.go:1"})
			if d.refused != "" {
				var no *reachtest.Unwritable
				if !errors.As(err, &no) || !strings.Contains(err.Error(), d.refused) {
					t.Errorf("the error is %v, want %s", err, d.refused)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			src, err := w.Source()
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range d.want {
				if !strings.Contains(string(src), want) {
					t.Errorf("there is no %s", want)
				}
			}
			for _, not := range d.not {
				if strings.Contains(string(src), not) {
					t.Errorf("there is %s", not)
				}
			}
			if stay := strings.Join(w.Stay, "\n"); !strings.Contains(stay, d.stay) || d.stay == "" && stay != "" {
				t.Errorf("what stays: %s", stay)
			}
			if err := checks(x.load, pkg, src); err != nil {
				t.Error(err)
			}
			if t.Failed() {
				t.Logf("%s", src)
			}
		})
	}
}

// A message that the test cannot name is sent by the call of the driver that sends such a one, with other constants,
// and with what was found for the only argument of the type of a slice.
func TestLists(t *testing.T) {
	x, err := readOdd()
	if err != nil {
		t.Fatal(err)
	}
	const pkg = "reachtest/testdata/odd"
	h := x.by(t, trace.Bag, pkg+"_test", "TestDeliver", "New", "w")
	list := x.typ(t, pkg, "list")
	length := func(n int64) exec.Named { return x.number("msg.items!len", n) }
	h.sends(t, x.inner(t, pkg, "Deliver"), "Send", 0, 0, list, length(2), x.number("msg.items[0]", 1), x.number("msg.items[1]", 2), x.number("msg.n", 3))
	h.outside(0, list, length(1), x.number("msg.items[0]", 7), x.number("msg.n", 8)).outside(0, list, length(0), x.number("msg.n", 3))
	h.order(trace.OrderEntry{Actor: "w", Message: "list"})
	src := h.source(t, "odd.go:1")
	contains(t, src, "odd.Deliver(ctx, w, []int{7}, 8)", "odd.Deliver(ctx, w, nil, 3)")
	if err := checks(x.load, pkg+"_test", []byte(src)); err != nil {
		t.Error(err)
	}
}

// Where an exported function of another package makes the system, the test goes into that package, if the arguments
// can.
func TestAway(t *testing.T) {
	x, err := readOdd()
	if err != nil {
		t.Fatal(err)
	}
	const pkg = "reachtest/testdata/odd"
	job := x.typ(t, pkg, "Job")
	h := x.by(t, trace.Bag, pkg+"_test", "TestSystem", "System", "w")
	h.sends(t, x.inner(t, pkg, "System$1"), "Send", 0, 0, job, x.number("msg.N", 1)).outside(0, job, x.number("msg.N", 7))
	h.order(trace.OrderEntry{Actor: "w", Message: "Job"})
	src := h.source(t, "odd.go:1")
	contains(t, src, "package odd\n", "System_odd_1(2, []string{\"x\"}...)", "ctx.Send(w, Job{N: 7})")
	if err := checks(x.load, pkg, []byte(src)); err != nil {
		t.Error(err)
	}
	h = x.by(t, trace.Bag, pkg+"_test", "TestSystemOf", "System", "w")
	_, err = reachtest.New(x.load, x.exec, reachtest.Wanted{Way: h.way, Name: "odd.go:1"})
	if err == nil || !strings.Contains(err.Error(), "System, which makes the system, is in another package than the test, and an argument of it is no constant") {
		t.Errorf("the error is %v", err)
	}
}

// checks has Go's type checker look at a package with a further file.
func checks(p *load.Program, path string, src []byte) error {
	f, err := parser.ParseFile(p.Fset, "new_test.go", src, 0)
	if err != nil {
		return err
	}
	for _, pkg := range p.Packages {
		if strings.HasSuffix(pkg.PkgPath, path) {
			k := known{}
			k.add(pkg.Types.Imports())
			c := types.Config{Importer: k}
			_, err = c.Check(pkg.PkgPath, p.Fset, append(slices.Clone(pkg.Syntax), []*ast.File{f}...), nil)
		}
	}
	return err
}

// known imports what a package imports, itself or by others.
type known map[string]*types.Package

func (k known) Import(path string) (*types.Package, error) {
	if p := k[path]; p != nil {
		return p, nil
	}
	return nil, errors.New("no package " + path)
}

func (k known) add(list []*types.Package) {
	for _, p := range list {
		if k[p.Path()] == nil {
			k[p.Path()] = p
			k.add(p.Imports())
		}
	}
}

// A call of the driver is taken with other arguments only if all that differs is an argument.
func TestParts(t *testing.T) {
	x, err := readOdd()
	if err != nil {
		t.Fatal(err)
	}
	const pkg = "reachtest/testdata/odd"
	batch := x.typ(t, pkg, "Batch")
	of := func(n int64, text string) []exec.Named {
		return []exec.Named{{Name: "msg.Jobs!isNil", Term: x.store.Bool(false)}, x.number("msg.Jobs!len", 1), x.number("msg.Jobs[0].N", n), {Name: "msg.Jobs[0].Text", Term: x.store.Text(text)}}
	}
	for text, want := range map[string]string{"all": "PostAll(ctx, w, 7)", "some": `ctx.Send(w, Batch{Jobs: []Job{Job{N: 7, Text: "some"}}})`} {
		h := x.by(t, trace.Bag, pkg, "TestBatch", "New", "w")
		h.sends(t, x.inner(t, pkg, "PostAll"), "Send", 0, 0, batch, of(1, "all")...)
		h.outside(0, batch, of(7, text)...)
		h.way.Start.Actors[0].Name = "none" // no variable holds it
		if text == "some" {
			h.way.Start.Actors[0].Name = "w"
		}
		contains(t, h.order(trace.OrderEntry{Actor: "w", Message: "Batch"}).source(t, "odd.go:1"), want)
	}
}

// Of a number of any size the search knows nothing but that methods are called. It is 0, and where the target is not
// executed with that, a large one.
func TestNumbersOfAnySize(t *testing.T) {
	x, err := readOdd()
	if err != nil {
		t.Fatal(err)
	}
	const pkg = "reachtest/testdata/odd"
	h := x.by(t, trace.Bag, pkg, "TestSums", "New", "adder")
	sum := x.typ(t, pkg, "Sum")
	h.sends(t, x.inner(t, pkg, "TestSums$1"), "Send", 0, 0, sum)
	h.outside(0, sum).order(trace.OrderEntry{Actor: "adder", Message: "Sum", From: "Driver"})
	h.way.Path = &exec.Path{Borrowed: []*exec.Place{{Name: "msg.Of"}}}
	contains(t, h.source(t, "odd.go:1"), "ctx.Send(a, Sum{Of: big.NewInt(0)})")
	if !built() {
		return
	}
	for i, want := range []string{"big.NewInt(1 << 62)", "big.NewInt(0)"} {
		block := x.method(t, pkg, "Adder", "Receive").Blocks
		var goal reachtest.Goal
		for _, b := range block {
			c := calledIn(b)
			gained := c == "" && len(b.Preds) == 1 && calledIn(b.Preds[0]) == "Sign"
			if i == 0 && gained || i == 1 && c == "Add" {
				goal.Blocks = append(goal.Blocks, b)
			}
		}
		o := h.confirm(t, "odd.go:1", goal)
		if !o.Covered {
			t.Errorf("%d blocks: %s", len(goal.Blocks), o.Why)
		}
		contains(t, string(o.Content), want)
	}
}

// calledIn names the first function that a block calls.
func calledIn(b *ssa.BasicBlock) string {
	for _, in := range b.Instrs {
		if c, ok := in.(*ssa.Call); ok && c.Call.StaticCallee() != nil {
			return c.Call.StaticCallee().Name()
		}
	}
	return ""
}
