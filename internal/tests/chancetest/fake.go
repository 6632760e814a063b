// Package chancetest has a source of numbered draws for tests: what it draws is what the test program asks of it.
package chancetest

import (
	"sync"

	"github.com/rehearse-go/rehearse/internal/chance"
)

// Fake is a chance.Source. Its zero value is ready. It does what the runtime does that numbers its draws, for programs
// that call Draw where others loop over maps.
type Fake struct {
	mu sync.Mutex // one goroutine at a time draws; the race detector wants to see it
	fake
}

// fake is the state between Begin and the next one.
type fake struct {
	script  []uint32
	log     []chance.Draw
	sample  bool
	state   uint64 // of the numbers drawn by the seed
	points  int
	active  bool
	numbers uint64
	rolls   uint64 // state of the numbers that are drawn by math/rand
	spent   uint64
}

var _ chance.Source = (*Fake)(nil)

// Begin is chance.Begin.
func (f *Fake) Begin(hi, lo uint64, script []uint32, sample bool, points int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fake = fake{script: append([]uint32(nil), script...), sample: sample, state: hi ^ lo*0x9e3779b97f4a7c15,
		rolls: hi + lo, points: points, active: true}
}

// End is chance.End.
func (f *Fake) End() []chance.Draw {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.active = false
	return f.log
}

// Logged is chance.Logged.
func (f *Fake) Logged() []chance.Draw {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.log
}

// Unnumbered is chance.UnnumberedDraws.
func (f *Fake) Unnumbered() chance.Unnumbered {
	f.mu.Lock()
	defer f.mu.Unlock()
	return chance.Unnumbered{Numbers: f.numbers, Spent: f.spent}
}

// Leave is chance.Leave: nothing is drawn from a Fake but by Draw.
func (f *Fake) Leave() uint32 { return 0 }

// Return is chance.Return.
func (f *Fake) Return(uint32) {}

// Draw draws one of n values. Outside of Begin and End, and where n is below 2, it is 0 and not written down. A value
// of the script that is none of the n is taken as 0.
func (f *Fake) Draw(kind chance.Kind, n uint32) uint32 {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.active || n < 2 {
		return 0
	}
	if kind == chance.Point && f.points == 0 {
		f.spent++
		return 0
	}
	v, drawn := uint32(0), next(&f.state)
	switch at := len(f.log); {
	case at < len(f.script):
		if v = f.script[at]; v >= n {
			v = 0
		}
	case f.sample:
		v = uint32(drawn % uint64(n))
	}
	if kind == chance.Point && v == 1 {
		f.points--
	}
	f.log = append(f.log, chance.Draw{Kind: kind, N: n, Value: v})
	return v
}

// Number draws a number by the seed, as math/rand does.
func (f *Fake) Number() uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.active {
		return 0
	}
	f.numbers++
	return next(&f.rolls)
}

// next is splitmix64.
func next(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
