package cases

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// rank orders inputs by what is made small first: sizes, then whether something is there, then values.
func rank(in exec.Input) int {
	switch in.Aspect {
	case "!len", "!more":
		return 0
	case "":
		return 2
	}
	return 1
}

func compareInputs(a, b exec.Input) int {
	return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a.Var.Name, b.Var.Name))
}

// isUnsigned reports whether an input is an unsigned number in the program.
func isUnsigned(in exec.Input) bool {
	if in.Aspect != "" {
		return in.Var.Sort.Kind == term.WordKind && rank(in) != 0
	}
	if in.At.Type == nil {
		return false
	}
	t, ok := term.TypeOf(in.At.Type)
	return ok && t.Unsigned
}

// firstCut gives the most frequent reason of cuts.
func firstCut(cuts map[string]int) string {
	best := "no path comes to its end"
	most := 0
	for _, why := range slices.Sorted(maps.Keys(cuts)) {
		if cuts[why] > most {
			best, most = why, cuts[why]
		}
	}
	return best
}
