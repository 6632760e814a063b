package exec_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// TestConstantTexts: what functions of texts give of constants is what they give when they are called.
func TestConstantTexts(t *testing.T) {
	source, want := constantTexts(t)
	p := loaded(t, source)
	known := 0
	for i, text := range want {
		store := term.NewStore()
		r := exec.New(p).Explore(t.Context(), store, newSolver(t, store), exec.Entry{Fn: p.Packages[0].SSA.Func(fmt.Sprintf("F%d", i))}, exec.Config{})
		if len(r.Paths) != 1 || r.Paths[0].Exit != exec.Return { // Atoi of what is no number is not known
			continue
		}
		known++
		if got := r.Paths[0].Results[0].(*term.Term).Value().Text; got != text {
			t.Errorf("F%d gives %q, want %q", i, got, text)
		}
	}
	if known < 10 {
		t.Errorf("%d of %d results are known, want 10", known, len(want))
	}
}

// constantTexts gives a program of functions F0, F1, ..., and what each gives.
func constantTexts(t *testing.T) (source string, want []string) {
	t.Helper()
	random := rand.New(rand.NewPCG(7, 7))
	text := func(n int) string {
		s := strings.Builder{}
		for range n {
			s.WriteByte("a- -5 1"[random.IntN(7)])
		}
		return s.String()
	}
	code, err := os.ReadFile("splits_test.go")
	if err != nil {
		t.Fatal(err)
	}
	source = strings.Replace(string(code), "package exec_test", "package p", 1)
	for i := range 40 {
		s, sep := text(random.IntN(6)), text(1+random.IntN(2))
		if i%4 == 0 {
			sep = "-"
			s = text(1) + "-" + fmt.Sprint(random.IntN(100))
		}
		source += fmt.Sprintf("\nfunc F%d() string { return splitsOf(%q, %q) }\n", i, s, sep)
		want = append(want, splitsOf(s, sep))
	}
	return source, want
}
