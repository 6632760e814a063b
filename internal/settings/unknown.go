package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/internal/chance"
)

// prefix begins the name of every variable.
const prefix = "REHEARSE_"

// own are the variables that are no settings. Processes that Rehearse starts are told who they are, and a test how the
// command was called and whether its record is to say which orders it has seen. The project's own tests are scaled and
// started.
var own = []string{"REHEARSE_WORKER", "REHEARSE_SWARM", "REHEARSE_EXPLORER", chance.CommandVariable,
	"REHEARSE_ORDERS", "REHEARSE_TOY",
	"REHEARSE_STATEFUL_PROGRAMS", "REHEARSE_ROOT"}

// ownTests begins the names of those that the project's tests give to processes that they start.
const ownTests = "REHEARSE_TEST_"

// Unknown gives an error for each variable of the environment (as os.Environ has it) that looks like a setting and is
// none: a mistyped variable would change nothing, in silence. One that is empty was not given.
func Unknown(environ []string) error {
	known := Variables()
	var errs []error
	for _, v := range environ {
		name, value, _ := strings.Cut(v, "=")
		if value == "" || slices.Contains(known, name) || slices.Contains(own, name) || strings.HasPrefix(name, ownTests) {
			continue
		}
		closest := Closest(strings.ToUpper(name), known)
		switch {
		case closest != "":
			errs = append(errs, fmt.Errorf("environment variable %s is not known: did you mean %s?", name, closest))
		case strings.HasPrefix(strings.ToUpper(name), prefix):
			errs = append(errs, fmt.Errorf("environment variable %s is not known: unset it, or use one of %s", name,
				strings.Join(known, ", ")))
		}
	}
	return errors.Join(errs...)
}

// Variables are the names of the variables of all settings.
func Variables() []string {
	var names []string
	for _, r := range rows {
		names = append(names, r.Env)
	}
	return names
}

// Closest is the known name that differs from name in the fewest letters. It is "" if all differ in more than a third
// of the letters, or in more than three.
func Closest(name string, known []string) string {
	best, least := "", min(3, len(name)/3)+1
	for _, k := range known {
		if d := distance(name, k, least); d < least {
			best, least = k, d
		}
	}
	return best
}

// distance is how many letters must be put in, left out, changed or exchanged with the next one to make b of a, or
// limit if that is less. Every Check asks this of every variable of the environment, so it ends as soon as the limit is
// certain. That is so when all cells of two rows have reached it, since a cell is made of cells of the two rows above
// it.
func distance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	least := 0 // of the row
	for i := range len(a) {
		above := least
		before, last, row = last, row, before
		row[0], least = i+1, i+1
		for j := range len(b) {
			change := last[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, change)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
			least = min(least, row[j+1])
		}
		if least >= limit && above >= limit {
			return limit
		}
	}
	return min(row[len(b)], limit)
}
