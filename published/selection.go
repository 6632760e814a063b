package published

import "fmt"

// SelectionTest is a row of table 1 of [ASTS]. selection_1.csv says what each column means.
type SelectionTest struct {
	Test          string
	Without, With SelectionCounts // the selection of tasks
	Ours          SelectionClaim
	Why           string // of what is not exact
}

// SelectionCounts are the columns of one search.
type SelectionCounts struct{ Executions, Milliseconds, States, Heuristic int }

// SelectionClaim is what we claim of a row.
type SelectionClaim string

// The claims.
const (
	SelectionExact      SelectionClaim = "exact" // executions, states and H
	SelectionExecutions SelectionClaim = "execs" // executions
	SelectionNone       SelectionClaim = "none"
)

// SelectionTests reads table 1 of [ASTS]. An error means that a file of the project is damaged.
func SelectionTests() ([]SelectionTest, error) {
	const file = "selection_1.csv"
	all, err := records(file)
	if err != nil {
		return nil, err
	}
	var rows []SelectionTest
	for i, r := range all[1:] {
		c := cells{file: file, row: i + 1}
		counts := func(r []string) SelectionCounts {
			return SelectionCounts{c.number(r[0]), c.number(r[1]), c.number(r[2]), c.number(r[3])}
		}
		t := SelectionTest{r[0], counts(r[1:5]), counts(r[5:9]), SelectionClaim(r[9]), r[10]}
		switch {
		case c.err != nil:
			return nil, c.err
		case t.Ours != SelectionExact && t.Ours != SelectionExecutions && t.Ours != SelectionNone:
			c.fail(r[9], "exact, execs or none")
			return nil, c.err
		case (t.Ours == SelectionExact) != (t.Why == ""):
			return nil, fmt.Errorf("published/%s, row %d: want a reason for what is not exact, and for nothing else", file, i+1)
		}
		rows = append(rows, t)
	}
	return rows, nil
}
