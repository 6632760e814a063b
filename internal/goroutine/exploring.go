package goroutine

import "strings"

// core is how stacks name what belongs to package explore, where the loop is.
const core = "rehearse-go/rehearse/explore."

// judging are the functions of the loop that have the checks run, and with them the program's invariants.
var judging = []string{"Observe", "judge", "judgeFrom"}

// IsExploring reports whether a goroutine is busy with the exploration itself, by its stack as runtime.Stack prints it:
// the strategy chooses or learns, a step is written down. It may take its time, which is none of the program's. The
// program may be asked something in the middle of that: an invariant, a function given to AtEnd, whether an actor would
// accept a message. That is not ours.
//
// It is only asked when time is up. To note in the loop who is busy would cost an atomic operation or two a step, a
// tenth of the time of a search that takes steps back.
func IsExploring(stack string) bool {
	for line := range strings.Lines(stack) {
		switch {
		case strings.HasPrefix(line, "created by "):
			return false
		case strings.HasPrefix(line, "\t"):
			continue // the place in the file
		case strings.Contains(line, ").WouldAccept("):
			return false
		}
		_, f, ok := strings.Cut(line, core)
		if !ok {
			continue
		}
		// The innermost function of the core decides: T runs what the program gave it, the loop all else.
		f, ok = strings.CutPrefix(f, "(*run).")
		name, _, _ := strings.Cut(f, "(")
		for _, j := range judging {
			ok = ok && name != j
		}
		return ok
	}
	return false
}
