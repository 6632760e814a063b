package cases_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/cases"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

const shop = `package apet

import "github.com/rehearse-go/rehearse/actor"

type (
	Pay  struct{ Amount int; Note string; To actor.Ref; Parts []uint8; Next *Pay }
	Shop struct{ till int; Fund }
	Fund struct{ cents uint8 }
)

func (s *Shop) Receive(ctx *actor.Context, msg any) {
	switch m := msg.(type) {
	case Pay:
		if s.till+m.Amount < 0 {
			panic("too little")
		}
		if m.Amount == 3 || m.Note == "x" {
			s.cents++
		}
	case *Fund:
		if m.cents > s.cents {
			panic("too few")
		}
	}
}

func small(p Pay) bool { return p.Amount < 2 && p.Amount > 0 }

func fits(s *Shop, p *Pay) bool { return s.till == p.Amount+7 }

func endlessly(p Pay) bool { return p.Amount == 0 || endlessly(Pay{Amount: p.Amount - 1}) }

func number(p Pay) int { return p.Amount }

func covers(n, k int) int {
	if n > 10 {
		if n < 5 {
			return 1
		}
		return 2
	}
	s := 0
	for i := range k {
		s += i
	}
	if s > 100 {
		return 3
	}
	return s
}

func twice(n int) int {
	if n > 10 {
		return 0
	}
	return 2 * n
}
`

// TestAssume: assumptions restrict the inputs of the targets that they are about, and no others.
func TestAssume(t *testing.T) {
	p := more(t)
	all := len(suite(t, p, "Shop.Pay", cases.Config{}).Cases)
	for _, tt := range []struct {
		assume string
		cases  int
		holds  string // of all instances, by what is assumed
	}{
		{"Pay.Amount > 0", 4, "0 < msg.Amount"},
		{"Pay.Amount > 0 && Shop.till >= 0 && Shop.till < 1000 && Pay.Amount < 1000", 3, ""},
		{"Pay.Amount + Shop.till == 5", 3, "msg.Amount + s.till == 5"},
		{`apet.Pay.Note != "x"`, all - 1, ""},
		{"len(Pay.Parts) == 2 && Pay.Parts[1] > 200", all, "len(msg.Parts) == 2"},
		{"len(Pay.Note) == 1", all, "len(msg.Note) == 1"},
		{"Pay.Next == nil && Pay.To != Pay.To || Shop.cents == 7", all, "s.Fund.cents == 7"},
		{"small", 3, "msg.Amount == 1"},
		{"fits", all, "s.till == msg.Amount + 7"},
		{"Fund.cents == 3", all, ""}, // about the other handler
		{"Pay.Amount > 3 && Pay.Amount < 2", 0, ""},
	} {
		s := suite(t, p, "Shop.Pay", cases.Config{Assume: []string{tt.assume}})
		if len(s.Cases) != tt.cases {
			t.Errorf("%s: %d of %d cases, want %d; without: %v", tt.assume, len(s.Cases), all, tt.cases, s.Excluded)
		}
		judged(t, s)
		for _, c := range s.Cases {
			types := map[string]term.Type{}
			for _, in := range c.Inputs {
				typ := term.Type{Sort: in.Var.Sort}
				if in.Aspect == "" {
					typ, _ = term.TypeOf(in.At.Type)
				}
				types[in.Var.Name] = typ
			}
			if tt.holds == "" {
				continue
			}
			cond, err := term.ParseCondition(p.Store(), tt.holds, term.Names{Var: func(name string) (term.Type, bool) { typ, ok := types[name]; return typ, ok }})
			if err != nil {
				t.Errorf("%s: %v", tt.assume, err)
			} else if !c.Model.Eval(cond).Bool() {
				t.Errorf("%s: %s does not hold for %s", tt.assume, tt.holds, instance(c))
			}
		}
	}
	if s := suite(t, p, "twice", cases.Config{Assume: []string{"n < 3"}}); len(s.Cases) != 1 || s.Excluded["what is assumed"] != 1 {
		t.Errorf("a function: %q without %v, want one case", told(s), s.Excluded)
	}
}

func TestAssumeErrors(t *testing.T) {
	p := more(t)
	target, err := p.Select("Shop.Pay")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"Pay.Amont > 0":               "column 1: nothing is called Pay.Amont: apet.Pay has no field Amont: it has Amount, Note, To, Parts, Next",
		"Pay.Amount > 0 && Pya.X > 0": "column 19: nothing is called Pya.X",
		"Pay.Amount":                  "want a condition",
		"Pay.Amount >":                "expected operand",
		"Pay.Amount > \"x\"":          "column 14",
		"Pay.Parts == nil":            "ref of a value of type []uint8",
		"Pay.Amount > Fund.cents":     "no target has all that it names",
		"Pay.Amount > Shop.cents":     "column 14: of type uint8",
		"missing":                     "there is no function missing",
		"number":                      "want a function of messages or actors that gives a bool",
		"endlessly":                   "cannot be executed within the bounds: calls nested more than",
	} {
		_, err := p.Suite(t.Context(), target[0], cases.Config{Assume: []string{text}})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), fmt.Sprintf("assumption %q", text)) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}

// TestDomains: numbers are in the range, as far as their types have it, and strings of the list.
func TestDomains(t *testing.T) {
	p := more(t)
	s := suite(t, p, "Shop.Pay", cases.Config{Numbers: &cases.Range{Least: 3, Most: 300}, Strings: []string{"x", "yes"}})
	judged(t, s)
	if len(s.Cases) != 3 || s.Excluded["the domains of numbers and strings"] != 1 {
		t.Errorf("%q without %v, want 3 cases", told(s), s.Excluded)
	}
	for _, c := range s.Cases {
		for _, in := range c.Inputs {
			switch v := c.Model.Eval(in.Var); {
			case in.Aspect != "":
			case v.Sort == term.String && !slices.Contains([]string{"x", "yes"}, v.Text), v.Sort == term.Word64 && (v.Int() < 3 || v.Int() > 300):
				t.Errorf("%s: %s is %v", c.Name, in.Var.Name, v)
			}
		}
	}
	target, _ := p.Select("Shop.Pay")
	if _, err := p.Suite(t.Context(), target[0], cases.Config{Numbers: &cases.Range{Least: 3, Most: 2}}); err == nil {
		t.Error("an empty range is no error")
	}
}
