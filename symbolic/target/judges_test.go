package target_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/internal/toysys"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has random small programs with an invariant, or a final check, and says by brute force which of them can
// fail: all values, orders and numbers of messages, one state after the other. Two actors have two numbers each.
// Messages hold one bit that counts.

// cells are the numbers of both actors.
type cells [4]int

var cellNames = [4]string{"x.f", "x.g", "y.f", "y.g"}

// sum is a sum of cells that is compared with a number.
type sum struct {
	times cells
	op    string
	than  int
}

func (c sum) holds(s cells) bool {
	n := 0
	for i, k := range c.times {
		n += k * s[i]
	}
	return map[string]bool{"==": n == c.than, ">": n > c.than, "<": n < c.than, "!=": n != c.than}[c.op]
}

func (c sum) String() string {
	text := "0"
	for i, k := range c.times {
		if k != 0 {
			text += fmt.Sprintf(" + %d*%s", k, cellNames[i])
		}
	}
	return fmt.Sprintf("%s %s %d", text, c.op, c.than)
}

// act is what an actor does with a message: on a condition it changes a cell of its own, and sends on.
type act struct {
	when       sum
	cell       int // of all
	times, add int // of the message's bit
	sends      bool
	bit        int // that is sent, 2: that of the message
}

// judgedToy is a program: what actor 0 and 1 do with messages 0 and 1, and when its check fails.
type judgedToy struct {
	acts  [2][2]act
	fails []sum
	final bool
}

func newJudgedToy(seed uint64) *judgedToy {
	r := rand.New(rand.NewPCG(seed, 7))
	number := func(own int) sum {
		c := sum{op: []string{"==", ">", "<", "!="}[r.IntN(4)], than: r.IntN(3)}
		for i := range c.times {
			if own < 0 || i/2 == own {
				c.times[i] = r.IntN(3) - 1
			}
		}
		return c
	}
	p := &judgedToy{final: seed%3 == 0}
	for a := range p.acts {
		for m := range p.acts[a] {
			p.acts[a][m] = act{when: number(a), cell: 2*a + r.IntN(2), times: r.IntN(3) - 1, add: 1 + r.IntN(2), sends: m == 0 && r.IntN(3) > 0, bit: r.IntN(3)}
		}
	}
	for range 1 + r.IntN(2) {
		c := number(-1)
		c.op, c.than = []string{"==", ">"}[r.IntN(2)], 1+r.IntN(2)
		p.fails = append(p.fails, c)
	}
	return p
}

// handled gives the cells when an actor has handled a message, and the bit that it sends on, -1 for none.
func (p *judgedToy) handled(s cells, m message) (cells, int) {
	a, sent := p.acts[m.to][m.typ], -1
	if a.when.holds(s) {
		s[a.cell] += a.times*m.bit + a.add
		if a.sends {
			if sent = a.bit; sent == 2 {
				sent = m.bit
			}
		}
	}
	return s, sent
}

func (p *judgedToy) broken(s cells) bool {
	for _, c := range p.fails {
		if !c.holds(s) {
			return false
		}
	}
	return true
}

// message is one: to whom, of which type, with which bit.
type message struct{ to, typ, bit int }

// state is what there is between two steps: messages in a bag.
type state struct {
	cells          cells
	pending        [2][2]int // messages of type 1, by receiver and bit
	steps, outside int
}

// canFail is the brute force: whether the check fails within so many messages, of which so many are from outside: of
// the type that the driver sends, or of any.
func (p *judgedToy) canFail(steps, outside int, usual bool) bool {
	seen := map[state]bool{}
	work := []state{{}}
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[s] {
			continue
		}
		seen[s] = true
		if p.broken(s.cells) && (!p.final || s.pending == [2][2]int{}) {
			return true
		}
		if s.steps == steps {
			continue
		}
		for to := range 2 {
			for bit := range 2 {
				for typ := range 2 {
					if s.outside < outside && (typ == 0 || !usual) {
						next := s
						next.outside++
						work = append(work, p.step(next, message{to, typ, bit}))
					}
				}
				if s.pending[to][bit] > 0 {
					next := s
					next.pending[to][bit]--
					work = append(work, p.step(next, message{to, 1, bit}))
				}
			}
		}
	}
	return false
}

func (p *judgedToy) step(s state, m message) state {
	var sent int
	s.steps++
	if s.cells, sent = p.handled(s.cells, m); sent >= 0 {
		s.pending[1-m.to][sent]++
	}
	return s
}

// source is the program as Go.
func (p *judgedToy) source(pkg string) string {
	var conds []string
	for _, c := range p.fails {
		conds = append(conds, c.String())
	}
	field := "Invariants: []rehearse.Invariant{{Name: \"toy\", Holds: holds}}"
	if p.final {
		field = "Final: holds"
	}
	var b strings.Builder
	fmt.Fprintf(&b, judgedSource, pkg, strings.Join(conds, " && "), field)
	for a, name := range []string{"x", "y"} {
		fmt.Fprintf(&b, "\nfunc (%s *%s) Receive(ctx *actor.Context, msg any) {\n\tswitch m := msg.(type) {\n", name, []string{"left", "right"}[a])
		for typ, do := range p.acts[a] {
			send := ""
			if do.sends {
				send = fmt.Sprintf("\t\t\tctx.Send(%s.peer, M1{%s})\n", name, []string{"0", "1", "n"}[do.bit])
			}
			fmt.Fprintf(&b, "\tcase M%d:\n\t\tn := m.N & 1\n\t\tif _ = n; %s {\n\t\t\t%s += %d*n + %d\n%s\t\t}\n", typ, do.when, cellNames[do.cell], do.times, do.add, send)
		}
		b.WriteString("\t}\n}\n")
	}
	return b.String()
}

// judgedSource is the part of such a program that all have, with its package, the condition on which its check fails,
// and the field of the Config.
const judgedSource = `package %s

import (
	"errors"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
)

type M0 struct{ N int }
type M1 struct{ N int }

type left struct {
	f, g int
	peer actor.Ref
}

type right struct {
	f, g int
	peer actor.Ref
}

func holds(s rehearse.State) error {
	var x *left
	var y *right
	s.Actors(func(_, _ string, v any) bool {
		switch v := v.(type) {
		case *left:
			x = v
		case *right:
			y = v
		}
		return true
	})
	if _, _ = x, y; %s {
		return errors.New("broken")
	}
	return nil
}

func TestToy(t *testing.T) {
	rehearse.Check(t, rehearse.Config{%s}, actor.New(func(_ *rehearse.T, ctx *actor.Context) {
		p, q := &left{}, &right{}
		a, b := ctx.SpawnNamed("a", p), ctx.SpawnNamed("b", q)
		p.peer, q.peer = b, a
		ctx.Send(a, M0{1})
		ctx.Send(b, M0{1})
	}))
}
`

// TestJudgedToys compares the search with the brute force: three messages, two of them from outside.
func TestJudgedToys(t *testing.T) {
	few, all := uint64(8), os.Getenv("REHEARSE_TOY") != ""
	if all {
		few = 150
	}
	t.Setenv("GOWORK", "off")
	dir := toysys.TestModule(t, nil, false)
	for seed := range few {
		write(t, dir, fmt.Sprintf("j%d/toy_test.go", seed), newJudgedToy(seed).source(fmt.Sprintf("j%d", seed)))
	}
	loaded, store, solver := readAs(t, load.Config{Dir: dir, Patterns: []string{"./..."}})
	p := system.New(loaded, store, solver)
	b := &bench{t, loaded, store, target.New(loaded, p.Summaries(), store, p)}
	verdicts, backward := map[target.Verdict]int{}, 0
	if n := len(p.Drivers()); n != int(few) {
		t.Fatalf("%d drivers, want %d", n, few)
	}
	for _, d := range p.Drivers() {
		var seed uint64
		if _, err := fmt.Sscanf(d.Entry.Pkg.Pkg.Name(), "j%d", &seed); err != nil {
			t.Fatal(err)
		}
		s, err := p.Start(t.Context(), d, system.Config{})
		if err != nil || len(s.Checks) != 1 {
			t.Fatalf("seed %d: %v, %+v", seed, err, s)
		}
		toy, usual := newJudgedToy(seed), seed%2 == 0
		goal := system.Goal{Check: s.Checks[0].Fn, Panic: true, AtEnd: s.Checks[0].Final}
		a, err := b.engine.Reach(t.Context(), s, &target.Target{Goal: goal}, target.Config{Model: trace.Bag, Steps: 3, Outside: 2, Usual: usual, Probes: int(seed % 3), Timeout: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		if verdicts[a.Verdict]++; a.Verdict == target.Found && a.Counts.Runs == 0 {
			backward++
		}
		switch can := toy.canFail(3, 2, usual); {
		case a.Verdict == target.GaveUp:
			t.Errorf("seed %d: gave up: %v", seed, a.Reasons)
		case a.Verdict == target.Infeasible && can, a.Verdict == target.Found && !toy.canFail(len(a.Way.Order), 2, usual):
			t.Errorf("seed %d: %v, by brute force it fails: %v; %+v", seed, a.Verdict, can, a.Way)
		}
	}
	if all && (verdicts[target.Found] < 30 || verdicts[target.Infeasible] < 30 || backward < 5) {
		t.Errorf("too few of a kind: %v, %d of them by the search backward", verdicts, backward)
	}
}

// judging has functions that judge of each kind: one that makes an error in a literal, one whose helper makes it, one
// that gives a variable, one that makes none, and a final check.
const judging = `package shop

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
)

var errGone = errors.New("gone")

func literal(s rehearse.State) (err error) {
	s.Actors(func(name, _ string, _ any) bool {
		err = fmt.Errorf("%s is there", name)
		return false
	})
	return err
}

func helped(s rehearse.State) error { return help(s.Text("x")) }

func help(text string) error {
	if text == "" {
		return errors.New("it has gone")
	}
	return nil
}

func variable(s rehearse.State) error {
	if s.Text("x") == "" {
		return errGone
	}
	return nil
}

func none(rehearse.State) error { return os.Chdir(".") }

// other takes something else.
func other(error) error { return errors.New("no") }

func TestShop(t *testing.T) {
	rehearse.Check(t, rehearse.Config{
		Final: func(s rehearse.State) error { panic("no") },
		Invariants: []rehearse.Invariant{{"literal", literal}, {"helped", helped}, {"variable", variable}, {"none", none}},
	}, actor.New(func(_ *rehearse.T, ctx *actor.Context) { _ = other(nil) }))
}
`

func TestListedJudges(t *testing.T) {
	t.Setenv("GOWORK", "off")
	dir := toysys.TestModule(t, nil, false)
	write(t, dir, "shop/shop_test.go", judging)
	loaded, store, solver := readAs(t, load.Config{Dir: dir, Patterns: []string{"./shop"}})
	l := target.NewLister(t.Context(), loaded, system.New(loaded, store, solver).Summaries())
	var got []string
	for _, b := range l.Checks() {
		if b.Check == nil || !b.Panic {
			t.Errorf("%s is no check of a Config", b.Name)
		}
		got = append(got, strings.TrimPrefix(b.Name, "shop/shop_test.go:")+" of "+b.Check.Name()+", "+b.Actor)
	}
	want := []string{"17: invariant of literal, literal", "27: invariant of helped, helped", "34: invariant of variable, variable", "39: invariant of none, none", "46: final check of TestShop$1, TestShop"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
