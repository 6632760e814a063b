package sample_test

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/trace"
)

// TestSURWAll: of a forest of messages every order is equally likely. A random walk has y last after a row of four with
// 1/16.
func TestSURWAll(t *testing.T) {
	for _, tt := range []struct {
		name  string
		model trace.Model
		roots []node
		want  int // orders; n! over the product of the sizes of all subtrees
	}{
		{"a row of four and one", trace.Bag, []node{chain("abcd", 0, 1, 2, 3), {label: "y", to: 4}}, 5},
		{"rows of three and two", trace.Bag, []node{chain("abc", 0, 1, 0), chain("xy", 1, 0)}, 10},
		{"a fork and a row", trace.Bag,
			[]node{{"r", 0, []node{{label: "c", to: 1}, {label: "d", to: 1}}}, chain("xy", 2, 1)}, 20},
		{"three in order, and one", trace.FIFO, []node{{label: "a"}, {label: "b"}, {label: "c"}, {label: "y", to: 1}}, 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			counts := orders(t, sample.NewSURW(true, 1), tt.model, 20_000, tt.roots...)
			var all []string
			for order := range counts {
				all = append(all, order)
			}
			if len(all) != tt.want {
				t.Errorf("%d orders, want %d", len(all), tt.want)
			}
			distributed(t, counts, equally(all...))
		})
	}
}

// TestSURW: what comes to the hub comes in every order with the same probability, although one of the messages has a
// long way to go and the others none.
func TestSURW(t *testing.T) {
	const hub = 7
	far := chain("efghia", 0, 1, 2, 3, 4, hub)
	near := chain("bc", hub, hub)
	counts := orders(t, sample.NewSURW(false, 1), trace.Bag, 20_000, far, near)
	distributed(t, only(counts, "abc"), equally("abc", "bac", "bca"))
	walk := only(orders(t, sample.NewRandom(1), trace.Bag, 20_000, far, near), "abc")
	if n := walk["abc"]; n > 20_000/32 { // 1/2^6, and some
		t.Errorf("a random walk has a first %d times: the program shows nothing", n)
	}
}

// With mailboxes what counts is the order in which messages enter.
func TestSURWMailbox(t *testing.T) {
	const hub = 7
	sends := func(label string, to int, what string) node {
		n := node{label: label, to: to}
		for _, l := range strings.Split(what, "") {
			n.sends = append(n.sends, node{label: l, to: hub})
		}
		return n
	}
	roots := []node{sends("p", 0, "ab"), sends("q", 1, "xy")}
	counts := only(orders(t, sample.NewSURW(false, 1), trace.Mailbox, 20_000, roots...), "abxy")
	distributed(t, counts, equally("abxy", "axby", "axyb", "xaby", "xayb", "xyab"))
	counts = only(orders(t, sample.NewSURW(false, 1), trace.MailboxSerial, 20_000, sends("p", 0, "a"),
		chain("efghq", 1, 2, 3, 4, 5), sends("r", 6, "b")), "ab")
	distributed(t, counts, equally("ab", "ba"))
}
