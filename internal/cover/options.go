package cover

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
)

// literalWord asks for the paper's strategy, sharedWord for that of several processes.
const (
	literalWord = "literal"
	sharedWord  = "shared"
)

// Words lists what may follow the strategy's name.
func Words() []string {
	words := []string{sharedWord, literalWord}
	for _, c := range criterionNames {
		words = append(words, literalWord+"/"+c)
	}
	return words
}

// Parse makes the strategy that the words behind its name ask for: "" is ours, shared that in rounds, literal the
// paper's. That has all criteria one after the other, or one of them. initial makes the first execution, random the
// others that no schedule is for.
func Parse(options string, seed uint64, initial, random explore.Strategy) (explore.Strategy, error) {
	if options == "" {
		return NewStar(seed, initial, random), nil
	}
	if options == sharedWord {
		return NewShared(seed, initial, random), nil
	}
	word, criterion, some := strings.Cut(options, "/")
	if word != literalWord {
		return nil, fmt.Errorf("unknown option %q: want one of %s", options, strings.Join(Words(), ", "))
	}
	if !some {
		return NewLiteral(initial), nil
	}
	c, err := ParseCriterion(criterion)
	if err != nil {
		return nil, err
	}
	return NewLiteral(initial, c), nil
}
