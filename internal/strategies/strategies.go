// Package strategies makes strategies by name.
package strategies

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/auto"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/search"
)

// row is one strategy: the table is what flags, messages and documents quote.
type row struct {
	name string
	doc  string
	make func(seed uint64, budget int) explore.Strategy
}

var rows = []row{
	{"auto", "the default order, then random walks, then everything where that looks affordable", func(seed uint64, budget int) explore.Strategy { return auto.New(seed, budget) }},
	{"default", "one execution in the default order", func(uint64, int) explore.Strategy { return &sample.DefaultOrder{} }},
	{"random", "uniform random walks", func(seed uint64, _ int) explore.Strategy { return sample.NewRandom(seed) }},
	{"naive", "every schedule, depth first", func(uint64, int) explore.Strategy { return search.NewNaive() }},
}

// New makes the strategy of that name; "" is auto. budget is a number of executions, 0 if not limited by number.
func New(name string, seed uint64, budget int) (explore.Strategy, error) {
	if name == "" {
		name = "auto"
	}
	for _, r := range rows {
		if r.name == name {
			return r.make(seed, budget), nil
		}
	}
	return nil, fmt.Errorf("unknown strategy %q: want one of %s", name, strings.Join(Names(), ", "))
}

// Names lists the strategies.
func Names() []string {
	names := make([]string, len(rows))
	for i, r := range rows {
		names[i] = r.name
	}
	return names
}

// Doc gives a line about each strategy.
func Doc() string {
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "  %-8s %s\n", r.name, r.doc)
	}
	return b.String()
}
