package gentest_test

import (
	"strings"
	"testing"
)

// TestChance: no test depends on luck. Loggers are made; of other values of libraries the reason is told.
func TestChance(t *testing.T) {
	text, packages := written(t, "./testdata/luck", "^Gambler")
	for _, want := range []string{`
		g := &Gambler{log: slog.New(slog.DiscardHandler), last: 5}
		x.Handle(g, Roll{Sides: 7})
		// The state is not compared: Intn1 is another one each time.
`, `
		g := &Gambler{log: slog.New(slog.DiscardHandler)}
		x.Handle(g, Roll{})
		x.Equal("g", g, &Gambler{log: slog.New(slog.DiscardHandler)})
`} {
		if !strings.Contains(text, want) {
			t.Errorf("the file has no\n%s\nit is\n%s", want, text)
		}
	}
	left := map[string]int{}
	for _, x := range packages[0].Tests {
		if x.Target.Name == "Gambler.Bet" && x.Why == "" {
			t.Errorf("%s depends on luck", x.Name)
		}
		left[x.Why]++
	}
	for _, why := range []string{"it depends on random numbers: Intn1", "the handler calls methods of g.key, a *rand.Zipf: a test cannot make one"} {
		if left[why] == 0 {
			t.Errorf("nothing is left out because of %q: %v", why, left)
		}
	}
	hold(t, packages, 4, true)
}
