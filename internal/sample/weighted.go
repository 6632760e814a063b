package sample

import (
	"math/bits"

	"github.com/rehearse-go/rehearse/trace"
)

// weighted picks a step with a probability in proportion to its weight, whatever the order in which steps are listed.
// Each waits for an exponentially distributed time, -log(draw)/weight, and the first comes. -1 if all weights are zero.
// Whole numbers only, so that it is the same on every machine.
func weighted(at trace.ID, enabled []trace.Step, weight func(i int) uint32) int {
	best, wait, by := -1, uint64(0), uint64(0) // it waits for wait/by
	for i := range enabled {
		w := uint64(weight(i))
		if w == 0 {
			continue
		}
		u := at.WithID(enabled[i].ID).Hi
		// -log2(u) >= (1-u)*1.44, which mostly shows that it comes too late. t < 2^39 and weights are below 2^25: the
		// products fit.
		if best >= 0 && ^u>>32*23>>4*by > wait*w {
			continue
		}
		t := negLog2(u)
		if best < 0 || t*by < wait*w || t*by == wait*w && enabled[i].Before(&enabled[best]) {
			best, wait, by = i, t, w
		}
	}
	return best
}

// maxWeight keeps products in weighted within 64 bits.
const maxWeight = 1<<25 - 1

// negLog2 is -log2((u+1)/2^64), in units of 2^-32, rounded up.
//
// With u+1 = m*2^-n, 1 <= m < 2, the digits of log2(m) come one by one: squaring m doubles its logarithm, whose whole
// part is the next.
func negLog2(u uint64) uint64 {
	if u++; u == 0 {
		return 0 // 2^64
	}
	n := bits.LeadingZeros64(u)
	m, digits := u<<n, uint64(0)
	for range 32 {
		high, low := bits.Mul64(m, m)
		digits <<= 1
		if high>>63 == 1 {
			digits, m = digits|1, high
		} else {
			m = high<<1 | low>>63
		}
	}
	return uint64(n+1)<<32 - digits
}
