package cases_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/cases"
)

// kinds are actors whose field n is read by a handler, and written in some way or in none. The constructor gives it the
// value 7.
var kinds = []struct{ name, fields, more, write, keeps string }{
	{"Plain", "n int", "", "", "n == 7"},
	{"Handled", "n int", "", "a.n = m.N", ""},
	{"Method", "n int", "func (a *Method) set(n int) { a.n = n }", "a.set(m.N)", ""},
	{"Whole", "n int", "", "*a = Whole{}", ""},
	{"Address", "n int", "func put(at *int) { *at = 1 }", "put(&a.n)", ""},
	{"Copied", "n int", "func copied(a *Copied) *Copied { b := *a; b.n = 8; return &b }", "", ""},
	{"Second", "n int", "func anotherSecond() *Second { return &Second{n: 8} }", "", ""},
	{"Same", "n int", "func anotherSame(k int) *Same { if k > 2 { return &Same{n: 7} }; return &Same{n: 7, at: k} }", "", "n == 7"},
	{"Elsewhere", "n int", "type inElsewhere struct{ e *Elsewhere }\nfunc (i inElsewhere) do() { i.e.n++ }\nfunc useElsewhere(e *Elsewhere) { inElsewhere{e}.do() }", "", ""},
	{"Global", "n int", "var theGlobal = &Global{}", "", ""},
	{"Later", "n int", "func laterLater(k int) *Later { a := &Later{n: 7}; if k > 0 { a.n = k }; return a }", "", ""},
}

// keepers is their source.
func keepers() string {
	var b strings.Builder
	b.WriteString("package apet\n\nimport \"github.com/rehearse-go/rehearse/actor\"\n\ntype Look struct{ N int }\n")
	for _, k := range kinds {
		fmt.Fprintf(&b, `
type %[1]s struct {
	at int
	%[2]s
}

func New%[1]s() *%[1]s { return &%[1]s{n: 7} }

func (a *%[1]s) Receive(ctx *actor.Context, msg any) {
	switch m := msg.(type) {
	case Look:
		if a.n == m.N {
			ctx.Reply(0)
		}
		a.at++
		%[4]s
	}
}

%[3]s
`, k.name, k.fields, k.more, k.write)
	}
	return b.String()
}

// TestKept: the fields that keep what constructors give them are told from those that something may write.
func TestKept(t *testing.T) {
	p := more(t)
	for _, k := range kinds {
		var kept []string
		s := suite(t, p, k.name+".Look", cases.Config{})
		judged(t, s)
		for _, c := range s.Cases {
			for _, cond := range c.Kept {
				if text := strings.TrimPrefix(p.Text(c, cond), "a."); !slices.Contains(kept, text) {
					kept = append(kept, text)
				}
			}
		}
		if got := strings.Join(kept, ", "); got != k.keeps || len(s.Cases) < 2 {
			t.Errorf("%s: keeps %q in %d cases, want %q", k.name, got, len(s.Cases), k.keeps)
		}
	}
}
