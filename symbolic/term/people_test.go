package term_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// TestPeople: what people read has no numbers of types, and no names that only this project has.
func TestPeople(t *testing.T) {
	s := term.NewStore()
	ref := func(name string) *term.Term { return s.Var(name, term.Word16) }
	number := func(n uint64) *term.Term { return s.Uint(term.Word16, n) }
	x := s.Var("x", term.Word64)
	isNil := s.Var("s.m!isNil", term.Bool)
	for _, tt := range []struct {
		of   *term.Term
		want string
	}{
		{s.Equal(ref("a.v!type"), number(3)), "a.v.(*shop.Pay)"},
		{s.Not(s.Equal(ref("a.v!type"), number(3))), "!a.v.(*shop.Pay)"},
		{s.Not(s.Equal(ref("a.v!type"), number(4))), "!a.v.(another type)"},
		{s.Equal(ref("a.v!type"), number(0)), "a.v == nil"},
		{s.Not(s.Equal(ref("a.v!ref"), number(0))), "a.v != nil"},
		{s.Equal(ref("a.v!ref"), ref("b!ref")), "a.v == b"},
		{s.Equal(ref("a.v!type"), ref("b!type")), "a.v.(type) == b.(type)"},
		{isNil, "s.m == nil"},
		{s.Not(isNil), "s.m != nil"},
		{s.Or(s.Not(isNil), s.Equal(ref("p!ref"), number(0))), "s.m != nil || p == nil"},
		{s.Var("s.m[\"k\"]!has", term.Bool), `has(s.m["k"])`},
		{s.Var("answer1==answer2", term.Bool), "answer1==answer2"},
		{s.Var(`errors.Is(sym("SpawnNamed1.error!type"), ref(err), int16(4), sym("x"))`, term.Bool), "errors.Is(SpawnNamed1.error, err, x)"},
		{s.Equal(ref(`net/url.Parse(sym("a b"))!ref`), number(0)), "url.Parse(a b) == nil"},
		{s.SLess(s.Var("s.l!len", term.Word64), x), "len(s.l) < x"},
		{s.Equal(s.Apply("net/url.Parse.1", term.Word64, ref("u!type"), ref("u!ref"), number(7), s.Text("k")), s.Int(term.Word64, 0)), `url.Parse(u, "k").1 == 0`},
		{s.Apply("(*net/url.URL).String", term.String, ref("u!ref")), "url.URL.String(u)"},
		{s.Apply("fmt.Sprint", term.String, s.Int(term.Word64, 1), number(2), x), "fmt.Sprint(x)"},
		{s.Apply("error.text", term.String, s.Text("io.EOF")), "io.EOF.Error()"},
		{s.Apply("reference.Id", term.String, ref("who!ref")), "who.Id"},
	} {
		got := term.Printer{People: func(n uint64) string { return map[uint64]string{3: "*shop.Pay"}[n] }}.Print(tt.of)
		if got != tt.want {
			t.Errorf("%v is %s, want %s", tt.of, got, tt.want)
		}
	}
}
