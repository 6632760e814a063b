package sample_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/trace"
)

// TestPOS: a message y, there from the beginning, comes after a row of n messages with
//
//   - 1/(n+1) if it is independent of all but the last: it keeps its priority, which must be the least of n+1
//   - 2^-n if it races with each: it draws again against each, as in a random walk
//   - 1/3*1/2 if the first of the row goes to its actor, and two more do not: y draws again once, after that one.
func TestPOS(t *testing.T) {
	const runs = 20_000
	for _, tt := range []struct {
		name  string
		roots []node
		want  float64
	}{
		{"independent but for the last", []node{chain("abcd", 0, 1, 2, 7), {label: "y", to: 7}}, 1. / 5},
		{"racing with all", []node{chain("abcd", 7, 7, 7, 7), {label: "y", to: 7}}, 1. / 16},
		{"racing with the first", []node{chain("abc", 7, 0, 1), {label: "y", to: 7}}, 1. / 6},
	} {
		counts := orders(t, sample.NewPOS(1, causal.Accesses{}), trace.Bag, runs, tt.roots...)
		near(t, tt.name, share(counts, ends("y")), tt.want, runs)
	}
}

// All orders of messages at one actor are equally likely.
func TestPOSOneActor(t *testing.T) {
	counts := orders(t, sample.NewPOS(1, causal.Accesses{}), trace.Bag, 20_000, node{label: "a"}, node{label: "b"}, node{label: "c"})
	distributed(t, counts, equally("abc", "acb", "bac", "bca", "cab", "cba"))
}

// TestPOSMailbox: under mailbox the steps that race are those that put something into one mailbox. The test releases p and then q, and
// each sends what it has to send in steps of its own but for the first, which goes with the delivery.
func TestPOSMailbox(t *testing.T) {
	const runs, hub = 20_000, 7
	// y is first in the mailbox if the release of q and its delivery both come before the delivery of p: 1/3.
	counts := orders(t, sample.NewPOS(1, causal.Accesses{}), trace.Mailbox, runs,
		node{label: "p", to: 0, sends: []node{{label: "x", to: hub}}}, node{label: "q", to: 1, sends: []node{{label: "y", to: hub}}})
	near(t, "y before x", share(only(counts, "xy"), ends("x")), 1./3, runs)

	// The release of x waits for the delivery of p, draws, and draws again when the delivery of q puts y before it. It comes after that of
	// z if, with j of q's three steps (release, delivery with y, release of z) taken before the delivery of p,
	//
	//	j=0, 1/2:  1/3 (below the release of q, which was below p) * 3/4 (below the delivery of q) * 1/2 (draws again, against z)
	//	j=1, 1/6:  1/4 * 1/2
	//	j=2, 1/12: 1/5
	//	j=3, 1/4:  always
	//
	// which is 7/20; if it did not draw again it would be 2/5.
	counts = orders(t, sample.NewPOS(1, causal.Accesses{}), trace.Mailbox, runs,
		node{label: "p", to: 0, sends: []node{{label: "u", to: 2}, {label: "x", to: hub}}},
		node{label: "q", to: 1, sends: []node{{label: "y", to: hub}, {label: "z", to: hub}}})
	near(t, "x last", share(only(counts, "xyz"), ends("x")), 7./20, runs)
}
