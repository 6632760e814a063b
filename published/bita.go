package published

import (
	"fmt"
	"strconv"
)

// BitaBug is a row of table II of [Bita13]: how long a scheduler takes to find a bug. bita_2.csv says what each column
// means.
type BitaBug struct {
	Bug, Scheduler, Criteria string
	Known, Found             bool
	Seconds, Executions      Mean
}

// Mean is a mean with half the width of its 95% confidence interval, 0 if that is not printed.
type Mean struct{ Value, Half int }

// BitaCoverage is a row of table III of [Bita13]: pairs of receives that were covered in equal time.
type BitaCoverage struct {
	Program, Criterion    string
	Seconds, Bita, Random int
}

// BitaBugs reads table II of [Bita13]. An error means that a file of the project is damaged.
func BitaBugs() ([]BitaBug, error) {
	const file = "bita_2.csv"
	all, err := records(file)
	if err != nil {
		return nil, err
	}
	var bugs []BitaBug
	for i, r := range all[1:] {
		b := BitaBug{Bug: r[0], Scheduler: r[2], Criteria: r[3]}
		c := cells{file: file, row: i + 1}
		b.Known, b.Found = c.yes(r[1]), c.yes(r[4])
		b.Seconds, b.Executions = Mean{c.number(r[5]), c.number(r[6])}, Mean{c.number(r[7]), c.number(r[8])}
		if c.err != nil {
			return nil, c.err
		}
		bugs = append(bugs, b)
	}
	return bugs, nil
}

// BitaCoverages reads table III of [Bita13]. An error means that a file of the project is damaged.
func BitaCoverages() ([]BitaCoverage, error) {
	const file = "bita_3.csv"
	all, err := records(file)
	if err != nil {
		return nil, err
	}
	var rows []BitaCoverage
	for i, r := range all[1:] {
		c := cells{file: file, row: i + 1}
		rows = append(rows, BitaCoverage{r[0], r[1], c.number(r[2]), c.number(r[3]), c.number(r[4])})
		if c.err != nil {
			return nil, c.err
		}
	}
	return rows, nil
}

// cells reads the cells of a row and keeps the first error.
type cells struct {
	file string
	row  int
	err  error
}

func (c *cells) number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		c.fail(s, "a number")
	}
	return n
}

func (c *cells) yes(s string) bool {
	if s != "yes" && s != "no" {
		c.fail(s, "yes or no")
	}
	return s == "yes"
}

func (c *cells) fail(got, want string) {
	if c.err == nil {
		c.err = fmt.Errorf("published/%s, row %d: %q: want %s", c.file, c.row, got, want)
	}
}
