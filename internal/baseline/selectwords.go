package baseline

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/internal/order"
)

// selectionWords are the options of select by name.
var selectionWords = []struct {
	word string
	is   func(o *Selection) bool
	set  func(o *Selection)
}{
	{"plain", func(o *Selection) bool { return o.Actors.Heuristic == order.Plain },
		func(o *Selection) { o.Actors.Heuristic = order.Plain }},
	{"breaks", func(o *Selection) bool { return o.Actors.Heuristic == order.Breaks },
		func(o *Selection) { o.Actors.Heuristic = order.Breaks }},
	{"theorem1", func(o *Selection) bool { return o.Actors.Printed }, func(o *Selection) { o.Actors.Printed = true }},
	{"literal", func(o *Selection) bool { return o.Actors.Literal }, func(o *Selection) { o.Actors.Literal = true }},
	{"lemma1", func(o *Selection) bool { return o.Lemma1 }, func(o *Selection) { o.Lemma1 = true }},
	{"nomarks", func(o *Selection) bool { return o.Marks == NoMarks }, func(o *Selection) { o.Marks = NoMarks }},
	{"figure6", func(o *Selection) bool { return o.Marks == Figure6 }, func(o *Selection) { o.Marks = Figure6 }},
	{"unsound", func(o *Selection) bool { return o.Marks == Unsound }, func(o *Selection) { o.Marks = Unsound }},
}

// SelectionWords lists the options of select, each of which may follow its name once.
func SelectionWords() []string {
	words := []string{"weights as 100-10-1"}
	for _, w := range selectionWords {
		words = append(words, w.word)
	}
	return words
}

// ParseSelection reads options of select, with slashes between.
func ParseSelection(options string) (o Selection, err error) {
	if options == "" {
		return o, nil
	}
next:
	for _, word := range strings.Split(options, "/") {
		for _, w := range selectionWords {
			if w.word == word {
				w.set(&o)
				continue next
			}
		}
		if o.Actors.Weights, err = parseWeights(word); err != nil {
			return o, err
		}
	}
	return o, nil
}

// parseWeights reads ka, kb and kc of [ASTS].
func parseWeights(s string) (order.Weights, error) {
	var k [3]float64
	parts := strings.Split(s, "-")
	if len(parts) != len(k) {
		return order.Weights{}, fmt.Errorf("unknown option %q: want some of %s", s, strings.Join(SelectionWords(), ", "))
	}
	for i, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil || n < 1 {
			return order.Weights{}, fmt.Errorf("weights %q: want three numbers from 1, as in 100-10-1", s)
		}
		k[i] = float64(n)
	}
	return order.Weights{Direct: k[0], Indirect: k[1], Foreign: k[2]}, nil
}

// suffix is what follows the name of select for these options.
func (o *Selection) suffix() string {
	var b strings.Builder
	if w := o.Actors.Weights; w != (order.Weights{}) {
		fmt.Fprintf(&b, "/%g-%g-%g", w.Direct, w.Indirect, w.Foreign)
	}
	for _, w := range selectionWords {
		if w.is(o) {
			b.WriteString("/" + w.word)
		}
	}
	return b.String()
}
