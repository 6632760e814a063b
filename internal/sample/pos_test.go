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
	counts := orders(t, sample.NewPOS(1, causal.Accesses{}), trace.Bag, 20_000, node{label: "a"},
		node{label: "b"}, node{label: "c"})
	distributed(t, counts, equally("abc", "acb", "bac", "bca", "cab", "cba"))
}

// TestPOSMailbox: under mailbox the steps that race are those that put something into one mailbox. The test releases p
// and then q, and each releases what it has to send in steps of its own. Of two rows of steps that do not race, the one
// with the least priority of all waits there until the other one is over.
func TestPOSMailbox(t *testing.T) {
	const runs, hub = 20_000, 7
	// y is first in the mailbox if the least of the two priorities of p (delivery, release of x) and the three of q
	// (release, delivery, release of y) is one of p's: 2/5.
	counts := orders(t, sample.NewPOS(1, causal.Accesses{}), trace.Mailbox, runs,
		node{label: "p", to: 0, sends: []node{{label: "x", to: hub}}},
		node{label: "q", to: 1, sends: []node{{label: "y", to: hub}}})
	near(t, "y before x", share(only(counts, "xy"), ends("x")), 2./5, runs)

	// p has two steps (delivery, release of u) before the release of x, q three (release, delivery, release of y) before
	// that of z. x comes after z if
	//
	//	the least of these five is one of p's, 2/5: it is not below the release of z too, 6/7, with which x does not race
	//	                                            yet
	//	it is one of q's, 3/5: the release of x is below all five, 1/6 of all, which is 1/10 with this; then y is put before
	//	                       it, and it
	//	draws again, against z, 1/2
	//
	// which is 12/35 + 1/20 = 11/28; if it did not draw again it would be 3/7.
	counts = orders(t, sample.NewPOS(1, causal.Accesses{}), trace.Mailbox, runs,
		node{label: "p", to: 0, sends: []node{{label: "u", to: 2}, {label: "x", to: hub}}},
		node{label: "q", to: 1, sends: []node{{label: "y", to: hub}, {label: "z", to: hub}}})
	near(t, "x last", share(only(counts, "xyz"), ends("x")), 11./28, runs)
}
