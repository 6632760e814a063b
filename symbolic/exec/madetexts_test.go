package exec_test

import (
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// textFunctions are what functions of texts make of what is put together of constants and numbers, as the source that
// is executed symbolically says it and as Go does.
var textFunctions = []struct {
	source string
	do     func(s, sep string) string
}{
	{`strings.Join(strings.Split(s, sep), "|")`, func(s, sep string) string { return strings.Join(strings.Split(s, sep), "|") }},
	{`strings.Join(strings.Fields(s), "|")`, func(s, _ string) string { return strings.Join(strings.Fields(s), "|") }},
	{`cutOf(s, sep)`, cutOf},
	{`fmt.Sprintf("<%s>%%", strings.TrimSpace(s))`, func(s, _ string) string { return "<" + strings.TrimSpace(s) + ">%" }},
	{`choose(strings.Contains(s, sep))`, func(s, sep string) string { return choose(strings.Contains(s, sep)) }},
	{`choose(strings.HasPrefix(s, sep))`, func(s, sep string) string { return choose(strings.HasPrefix(s, sep)) }},
	{`choose(strings.HasSuffix(s, sep))`, func(s, sep string) string { return choose(strings.HasSuffix(s, sep)) }},
	{`strconv.Itoa(strings.Count(s, sep))`, func(s, sep string) string { return strconv.Itoa(strings.Count(s, sep)) }},
	{`number(s)`, func(s, _ string) string { return number(s) }},
	{`number(strings.Split(s+"-", "-")[1])`, func(s, _ string) string { return number(strings.Split(s+"-", "-")[1]) }},
}

// textHelpers are the functions of texthelpers_test.go as the program that is executed symbolically has them.
//
//go:embed texthelpers_test.go
var textHelpers string

// madeText is a text that is put together: as source, and as Go makes it of numbers.
type madeText struct {
	source string
	of     func(x int, y uint8) string
}

func randomText(random *rand.Rand) madeText {
	text := func() string {
		s := ""
		for range random.IntN(4) {
			s += []string{"-", " ", "a", "- ", "7", "é", "\t", "+"}[random.IntN(8)]
		}
		return s
	}
	a, b := text(), text()
	return []madeText{
		{fmt.Sprintf("%q + strconv.Itoa(x) + %q", a, b), func(x int, _ uint8) string { return a + strconv.Itoa(x) + b }},
		{fmt.Sprintf("fmt.Sprint(%q, x, y, %q)", a, b), func(x int, y uint8) string { return fmt.Sprint(a, x, y, b) }},
		{fmt.Sprintf("fmt.Sprintf(%q, x, y)", "%d"+a+"%v"), func(x int, y uint8) string { return fmt.Sprintf("%d"+a+"%v", x, y) }},
		{fmt.Sprintf("%q + strconv.FormatInt(int64(y), 10)", a), func(_ int, y uint8) string { return a + fmt.Sprint(y) }},
		{"fmt.Sprint(x)", func(x int, _ uint8) string { return fmt.Sprint(x) }},
		{`fmt.Sprint("-", uint(x))`, func(x int, _ uint8) string { return fmt.Sprint("-", uint(x)) }},
	}[random.IntN(6)]
}

// TestMadeTexts: of random texts that are put together, one path is for each number, and gives what Go gives. Nothing
// of it is left to functions of which nothing is known.
func TestMadeTexts(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 11))
	source, seps, texts := strings.Replace(textHelpers, "package exec_test", "package p", 1), []string{"-", " ", "a", "- ", "x", "é"}, []madeText{}
	type of struct{ text, do int }
	var all []of
	for i := range 12 {
		texts = append(texts, randomText(random))
		for k, f := range textFunctions {
			all = append(all, of{i, k})
			source += fmt.Sprintf("\nfunc F%d(x int, y uint8) string {\n\ts, sep := %s, %q\n\t_ = sep\n\treturn %s\n}\n", len(all)-1, texts[i].source, seps[i%len(seps)], f.source)
		}
	}
	p, calls, unknown := loaded(t, source), 0, 0
	for i, o := range all {
		store := term.NewStore()
		fn := p.Packages[0].SSA.Func(fmt.Sprintf("F%d", i))
		r := exec.New(p).Explore(t.Context(), store, newSolver(t, store), exec.Entry{Fn: fn}, exec.Config{})
		for _, x := range []int{0, 1, -1, 7, -25, 1 << 40, math.MaxInt64, math.MinInt64} {
			y := uint8(random.IntN(4) * random.IntN(60))
			want := textFunctions[o.do].do(texts[o.text].of(x, y), seps[o.text%len(seps)])
			got, known := resultsOf(r, store, x, y)
			if calls++; !known { // digits behind others
				unknown++
			} else if len(got) != 1 || got[0] != want {
				t.Errorf("F%d(%d, %d), %s of %s, gives %q, want %q", i, x, y, textFunctions[o.do].source, texts[o.text].source, got, want)
			}
		}
	}
	if unknown > calls/20 {
		t.Errorf("of %d results %d are not known", calls, unknown)
	}
}

// TestSameTexts: whether texts that are put together are equal is a question of their numbers alone, and answered as Go
// does.
func TestSameTexts(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 12))
	source, do := "package p\n\nimport (\n\t\"fmt\"\n\t\"strconv\"\n)\n\nvar _, _ = fmt.Sprint, strconv.Itoa\n", []func(x int, y uint8) bool{}
	for range 40 {
		text, of := randomText(random), "y"
		want := text.of(-25, 1)
		source += fmt.Sprintf("\nfunc F%d(x int, y uint8) bool { return %s == %q }\n", len(do), text.source, want)
		do = append(do, func(x int, y uint8) bool { return text.of(x, y) == want })
		a, b := []string{"", "a", "-", "é "}[random.IntN(4)], []string{"", "/", "é"}[random.IntN(3)]
		source += fmt.Sprintf("\nfunc F%d(x int, y uint8) bool { return %q + strconv.Itoa(x) + %q == fmt.Sprintf(%q, int(%s)) }\n", len(do), a, b, a+"%d"+b, of)
		do = append(do, func(x int, y uint8) bool { return x == int(y) })
	}
	p, equal, calls, unsure := loaded(t, source), 0, 0, 0
	for i, want := range do {
		store := term.NewStore()
		r := exec.New(p).Explore(t.Context(), store, newSolver(t, store), exec.Entry{Fn: p.Packages[0].SSA.Func(fmt.Sprintf("F%d", i))}, exec.Config{})
		if len(r.Paths) != 1 {
			t.Fatalf("F%d has %d paths", i, len(r.Paths))
		}
		is, known := r.Paths[0].Results[0].(*term.Term), true
		term.Walk(func(c *term.Term) { known = known && c.Op != term.OpApply }, is)
		if !known { // a digit behind a number
			unsure++
			continue
		}
		for _, x := range []int{0, 1, -1, 7, -25, math.MinInt64} {
			for _, y := range []uint8{0, 1, 7, 255} {
				m := &term.Model{Vars: map[*term.Term]term.Value{store.Var("x", term.Word64): term.WordValue(term.Word64, uint64(x)), store.Var("y", term.Word8): term.WordValue(term.Word8, uint64(y))}}
				if calls++; want(x, y) {
					equal++
				}
				if got := m.Eval(is).Bool(); got != want(x, y) {
					t.Errorf("F%d(%d, %d) is %v", i, x, y, got)
				}
			}
		}
	}
	if unsure > len(do)/20 || equal < calls/10 || equal > calls/2 {
		t.Errorf("of %d comparisons %d are not known, and %d of %d answers are yes", len(do), unsure, equal, calls)
	}
}

// resultsOf gives what the paths for two numbers return, if all functions on them are known.
func resultsOf(r *exec.Result, store *term.Store, x int, y uint8) (list []string, known bool) {
	known = true
	for _, path := range r.Paths {
		m := &term.Model{Vars: map[*term.Term]term.Value{
			store.Var("x", term.Word64): term.WordValue(term.Word64, uint64(x)), store.Var("y", term.Word8): term.WordValue(term.Word8, uint64(y))}, Funcs: map[string][]term.Entry{}}
		eval := func(c *term.Term) term.Value {
			term.Walk(func(a *term.Term) {
				if a.Op != term.OpApply {
					return
				}
				var args []term.Value
				for _, arg := range a.Args {
					args = append(args, m.Eval(arg))
				}
				result, ok := exec.Apply(a, args)
				known = known && ok
				m.Funcs[a.Signature()] = append(m.Funcs[a.Signature()], term.Entry{Args: args, Result: result})
			}, c)
			return m.Eval(c)
		}
		holds := path.Exit == exec.Return
		for _, c := range path.PC {
			holds = holds && eval(c.Term).Bool()
		}
		if holds {
			list = append(list, eval(path.Results[0].(*term.Term)).Text)
		}
	}
	return list, known
}
