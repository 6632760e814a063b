package reachtest

import (
	"context"
	"fmt"

	"github.com/rehearse-go/rehearse/internal/record"
)

// Orders is what comes of the messages of a test in other orders than the one that was found.
type Orders struct {
	Executions int
	Complete   bool // every order was explored, or an equivalent one
	Findings   []record.Finding
	Why        string // nothing was explored
}

// ExploreAll explores the orders in which the messages of tests can be handled, for a budget each, such as "2s". No file is written beside those of the packages.
func ExploreAll(ctx context.Context, r Run, tests []*Test, budget string) ([]*Orders, error) {
	list := make([]*Orders, len(tests))
	for i, t := range tests { // one at a time: a test that ends the process takes none with it
		records, said, err := goTest(ctx, r, []Job{{Test: t}}, func(t *Test) ([]byte, error) { return t.explored(budget) }, nil)
		if err != nil {
			return nil, err
		}
		list[i] = &Orders{}
		if rec := records[t.Func]; rec == nil {
			list[i].Why = fmt.Sprintf("the test did not run: %s", lines(said, 6))
		} else {
			list[i].Executions, list[i].Complete, list[i].Findings = rec.Executions, rec.Complete, rec.Findings
		}
	}
	return list, nil
}

// explored is the file with a budget in the place of the order.
func (t *Test) explored(budget string) ([]byte, error) {
	t.w.budget = budget
	defer func() { t.w.budget = "" }()
	return t.source(nil, "")
}
