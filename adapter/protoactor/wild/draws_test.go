package wild

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/tests/agree"
	"github.com/rehearse-go/rehearse/internal/tests/chancetest"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
)

// choosing are the features of programs whose handlers choose much.
var choosing = []feature{
	{name: "choosers", deeds: "choose choose choose send send request respond self spawn introduce", test: "send send request choose", setUp: "introduce", events: 2, roots: 3, handlers: 3},
	{name: "choosing life", deeds: "choose choose send panic stop spawn watch become stash respond publish subscribe", test: "send send spawn choose", setUp: "introduce", rules: "one all own", events: onRestarting + 1, roots: 2,
		chance: 4, handlers: 2},
	{name: "choosing callers", deeds: "choose choose call ask await reenter pipe respond send", test: "send send call", setUp: "introduce", events: 2, roots: 2, handlers: 2},
	{name: "choosing clocks", deeds: "choose choose timeout after cancel callFor sleep send respond", test: "send send after", setUp: "introduce", events: onTimeout + 1, roots: 2, clock: true, chance: 4, handlers: 2},
}

// Go chooses in the place of T.Choose: the executions are as many, they end in the same ways, and all strategies agree
// on what they are.
func TestDrawsAreChoices(t *testing.T) {
	fake := new(chancetest.Fake)
	defer chance.SetSource(fake)()
	defer func() { goChooses = nil }()
	var h agree.Hunt
	compared, forced, n := 0, 0, 0
	for _, f := range choosing {
		for seed := range uint64(toy.Scale(t, 20)) {
			p := draw(seed, f)
			x := newTrial(p, seed, f.clock, models[n%len(models)])
			n++
			goChooses, x.cond.Draws = nil, 0
			want, err := x.under().Show("naive")
			if err != nil || !want.Exhausted || want.Lacks() != "" {
				continue
			}
			goChooses, x.cond.Draws, drawn = fake, 10, 0
			got, err := x.under().Show("naive")
			if err != nil || got.Executions != want.Executions || !slices.Equal(got.Ends(), want.Ends()) || !slices.Equal(got.Violations, want.Violations) {
				t.Errorf("%v\n%v\n%v\n%v", x, err, want, got)
				continue
			}
			compared++
			if got.OneSeed != "" {
				continue // it chooses in set-up, or too often
			}
			if got.Draws || !got.Complete {
				t.Errorf("%v\nall that was drawn was explored: %+v", x, got)
			}
			if drawn == 0 {
				continue
			}
			forced++
			if err := h.On(x.under()); err != nil {
				t.Errorf("%v\n%s", err, x)
			}
		}
	}
	t.Logf("%d programs of %d, %d with draws: %s", compared, n, forced, &h)
	if compared < n/3 || forced < n/6 || len(h.Excused) > 0 {
		t.Errorf("too little was compared: %d programs of %d, %s", compared, n, &h)
	}
}
