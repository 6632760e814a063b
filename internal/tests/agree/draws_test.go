package agree

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/tests/chancetest"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
)

// Go chooses in the place of T.Choose: the executions are as many, they end in the same ways, and all strategies agree
// on what they are.
func TestDrawsAreChoices(t *testing.T) {
	fake := new(chancetest.Fake)
	defer chance.SetSource(fake)()
	defer func() { goChooses = nil }()
	var h Hunt
	compared := 0
	for _, sp := range []species{tame, feral} {
		for seed := range uint64(toy.Scale(t, 300)) {
			d := sp.draw(seed)
			if !d.chooses() {
				continue
			}
			goChooses, d.cond.Draws, d.cond.Sampled = nil, 0, false
			chosen := d.program()
			want, err := chosen.Show("naive")
			if err != nil || !want.Exhausted || want.Lacks() != "" {
				continue
			}
			goChooses, d.cond.Draws, d.cond.Sampled = fake, 10, true
			drawn := d.program()
			got, err := drawn.Show("naive")
			if err != nil || got.Executions != want.Executions || !slices.Equal(got.Ends(), want.Ends()) ||
				!slices.Equal(got.Violations, want.Violations) {
				t.Errorf("%v\n%v\n%v\n%v", d, err, want, got)
			}
			if err := h.On(&drawn); err != nil {
				t.Errorf("%v\n%s", err, d)
			}
			compared++
		}
	}
	t.Logf("%d programs: %s", compared, &h)
	if compared < 30 || len(h.Excused) > 0 {
		t.Errorf("too little was compared: %d programs, %s", compared, &h)
	}
}

// chooses reports whether a handler chooses a value.
func (d *drawn) chooses() bool {
	for _, deeds := range d.handlers {
		if slices.ContainsFunc(deeds, func(x deed) bool { return x.name == "choose" }) {
			return true
		}
	}
	return false
}
