package solve_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// program is a store with a solver and the names of a small program.
type program struct {
	*term.Store
	solve.Solver
	t testing.TB
}

func newProgram(t testing.TB) *program {
	store := term.NewStore()
	return &program{store, newSolver(t, store, solve.Config{Engine: solve.Embedded}), t}
}

var (
	word  = term.Type{Sort: term.Word64}
	types = map[string]term.Type{"amount": word, "balance": word, "n": word, "u": {Sort: term.Word8, Unsigned: true}, "rate": {Sort: term.Float64},
		"price": {Sort: term.Float32}, "name": {Sort: term.String}, "other": {Sort: term.String}, "ok": {Sort: term.Bool}, "key": {Sort: term.String}}
)

func (p *program) cond(text string) *term.Term {
	p.t.Helper()
	c, err := term.ParseCondition(p.Store, text, term.Names{
		Var: func(name string) (term.Type, bool) { typ, ok := types[name]; return typ, ok },
		Func: func(name string) (term.Type, bool) {
			return map[string]term.Type{"f": word, "text": {Sort: term.String}}[name], true
		},
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return c
}
func (p *program) conds(texts ...string) []*term.Term {
	list := make([]*term.Term, len(texts))
	for i, text := range texts {
		list[i] = p.cond(text)
	}
	return list
}

// Conditions as handlers have them, alone and with what a person knows about them.
func TestCheck(t *testing.T) {
	ctx := context.Background()
	for _, test := range []struct {
		want  solve.Answer
		conds []string
	}{
		{solve.Sat, []string{"amount > 0", "amount <= balance", "balance - amount < 10"}},
		{solve.Unsat, []string{"amount > 0", "amount <= balance", "balance <= 0"}},
		{solve.Sat, []string{"amount < 0", "balance - amount < balance"}}, // wraps around
		{solve.Sat, []string{"n % 10 == 3", "n > 1000"}},
		{solve.Unsat, []string{"n * 2 == 7"}},
		{solve.Sat, []string{"n * n == 49", "n > 0", "n < 100"}},
		{solve.Sat, []string{"balance / amount == 7", "amount > 3", "balance < 100"}},
		{solve.Unsat, []string{"u > 200", "u < 100"}},
		{solve.Unsat, []string{"f(amount) != f(balance)", "amount == balance"}},
		{solve.Sat, []string{"f(amount) != f(balance)", "amount < balance"}},
		{solve.Unsat, []string{"f(f(f(n))) == n", "f(n) == n + 1", "f(f(n)) == n + 1"}},
		{solve.Sat, []string{`name == "abc" || name == "de"`, "len(name) == 2"}},
		{solve.Unsat, []string{`name == "abc" || name == "de"`, "len(name) == 4"}},
		{solve.Unsat, []string{"name == other", "len(name) != len(other)"}},
		{solve.Sat, []string{"len(name) > 100", "name != other", "len(other) > 1000"}},
		{solve.Sat, []string{"len(name) > 5000"}},
		{solve.Unknown, []string{"len(name) > 100000"}}, // nobody writes that down
		{solve.Sat, []string{"name + other == key", `key == "abcd"`, "len(other) == 1"}},
		{solve.Unsat, []string{"name + other == key", `key == "abcd"`, "len(other) == 1", `name != "abc"`}},
		{solve.Unsat, []string{"name + other == name + key", "other != key"}},
		{solve.Unsat, []string{"text(1) == name + other", "text(2) == name + key", "text(1) == text(2)", "other != key"}},
		{solve.Sat, []string{"text(1) == name + other", "text(2) == name + key", "text(1) != text(2)", "len(other) == len(key)"}},
		{solve.Unsat, []string{"text(1) == name + other", "text(2) == name + key", "text(1) != text(2)", "other == key"}},
		{solve.Unsat, []string{"text(1) == name + other", `name == "ab"`, `other == "c"`, `text(1) != "abc"`}},
		{solve.Unsat, []string{"text(1) == name + other", `name == ""`, "text(1) != other"}},
		{solve.Unsat, []string{"text(amount) != text(balance)", "amount == balance"}},
		{solve.Unsat, []string{"name + other == name", `other != ""`}},
		{solve.Sat, []string{"name != other", "len(name) == 3", "len(other) == 3", `name != "aaa"`}},
		{solve.Sat, []string{"rate > 0", "rate < 1"}},
		{solve.Sat, []string{"rate * 2 > 3", "rate + 1 < 5"}},
		{solve.Sat, []string{"rate / 3 == 0.25"}},
		{solve.Unsat, []string{"rate > 1", "rate < 0.5"}},
		{solve.Sat, []string{"rate != rate"}},
		{solve.Unsat, []string{"price != price", "price > 0"}},
		{solve.Sat, []string{"float64(amount) * 0.5 == 8", "amount > 0"}},
		{solve.Unknown, []string{"rate * rate == 2.25000000000001"}},
		{solve.Unsat, []string{"ok", "!ok"}},
		{solve.Sat, nil},
	} {
		p := newProgram(t)
		conds := p.conds(test.conds...)
		r := p.Check(ctx, conds...)
		if r.Answer != test.want {
			t.Errorf("%q is %v (%s): want %v", test.conds, r.Answer, r.Why, test.want)
		}
		if r.Answer == solve.Sat && !r.Model.Evaluator().Holds(conds...) {
			t.Errorf("%q: the model %v does not hold", test.conds, r.Model.Vars)
		}
	}
}

func TestCore(t *testing.T) {
	p := newProgram(t)
	conds := p.conds("ok", "amount > 0", "n < 5", "amount <= balance", "balance <= 0", "u < 7")
	r := p.Check(context.Background(), conds...)
	if got, want := fmt.Sprint(r.Core), fmt.Sprint([]*term.Term{conds[1], conds[3], conds[4]}); got != want {
		t.Errorf("the core is %v, want %v", got, want)
	}
	padded := append(conds[1:3:3], conds[3:]...)
	if small := solve.SmallCore(context.Background(), p, padded); len(small) != 3 {
		t.Errorf("the small core is %v, want three conditions", small)
	}
}

func TestMinimise(t *testing.T) {
	for _, test := range []struct {
		conds, terms []string
		want         string
	}{
		{[]string{"amount > 0", "amount <= balance"}, []string{"amount", "balance"}, "[1 1]"},
		{[]string{"amount > 0", "amount <= balance", "balance >= 100"}, []string{"balance", "amount"}, "[100 1]"},
		{[]string{"amount < -77 || amount > 1000"}, []string{"amount"}, "[-78]"},
		{[]string{"amount != 0"}, []string{"amount"}, "[1]"},
		{[]string{"amount < 0", "balance - amount < balance"}, []string{"amount", "balance"}, "[-1 9223372036854775807]"},
		{[]string{"u >= 200"}, []string{"u"}, "[-56]"}, // 200, printed as signed
		{[]string{"n * n == 49", "n < 100", "n > -100"}, []string{"n"}, "[7]"},
		{[]string{"rate > 0.25", "rate != 1"}, []string{"rate"}, "[2.0]"},
		{[]string{`name != "a"`, "ok || len(name) > 2"}, []string{"ok", "name"}, `[false "aaa"]`},
	} {
		p := newProgram(t)
		var terms []*term.Term
		for _, name := range test.terms {
			terms = append(terms, p.Var(name, types[name].Sort))
		}
		r := solve.Minimise(context.Background(), p, p.Store, p.conds(test.conds...), terms, func(t *term.Term) bool { return t.Name == "u" })
		var got []term.Value
		for _, v := range terms {
			got = append(got, r.Model.Eval(v))
		}
		if fmt.Sprint(got) != test.want {
			t.Errorf("%q: %v, want %s", test.conds, got, test.want)
		}
	}
}

// The same checks give the same models, and a check that the context ended says so.
func TestDeterministic(t *testing.T) {
	run := func() string {
		p := newProgram(t)
		all := ""
		for _, c := range []string{"amount > balance", "n * n > amount", `name != "x"`, "f(n) != f(amount)", "rate > 3", "n % 7 == balance % 5"} {
			r := p.Check(context.Background(), p.conds(c, "amount > 5")...)
			all += fmt.Sprint(r.Answer, " ")
			for _, v := range term.Vars(p.conds(c, "amount > 5")...) {
				all += fmt.Sprint(v, "=", r.Model.Eval(v), " ")
			}
		}
		return all
	}
	if first, second := run(), run(); first != second {
		t.Errorf("first %s\nthen  %s", first, second)
	}
}

func TestBudgets(t *testing.T) {
	store := term.NewStore()
	s := newSolver(t, store, solve.Config{Engine: solve.Embedded, Steps: 1})
	x, y := store.Var("x", term.Word64), store.Var("y", term.Word64)
	hard := []*term.Term{store.Equal(store.Mul(x, y), store.Int(term.Word64, 1000000016000000063)), store.SLess(store.Int(term.Word64, 1), x),
		store.SLess(x, y), store.ULess(y, store.Int(term.Word64, 1<<32))}
	if r := s.Check(context.Background(), hard...); r.Answer != solve.Unknown || r.Why != "undecided after 1 steps" {
		t.Errorf("factoring is %v, %q", r.Answer, r.Why)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r := s.Check(ctx, hard...); r.Answer != solve.Unknown || r.Err == nil {
		t.Errorf("after its context a check is %v, %v", r.Answer, r.Err)
	}
	if r := s.Check(context.Background(), hard[1:3]...); r.Answer != solve.Sat {
		t.Errorf("after checks that were given up an easy one is %v, %s", r.Answer, r.Why)
	}
}

func TestRenewed(t *testing.T) {
	store := term.NewStore()
	s := newSolver(t, store, solve.Config{Engine: solve.Embedded, Gates: 100})
	for i := range 20 {
		x := store.Var(fmt.Sprint("x", i), term.Word64)
		if r := s.Check(context.Background(), store.SLess(x, store.Add(x, store.Var("y", term.Word64)))); r.Answer != solve.Sat {
			t.Fatalf("%v: %s", r.Answer, r.Why)
		}
	}
	if stats := s.Stats(); stats.Renewed < 5 || stats.Checks != 20 || stats.Sat != 20 {
		t.Errorf("%+v: want a solver that was made anew", stats)
	}
}
