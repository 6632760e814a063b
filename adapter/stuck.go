package adapter

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// This file says where a set-up is stuck.

// setUpHangs says that the function given to SetUp does not come back, and what it waits for.
func (u *setUps) setUpHangs() error {
	var awaits string
	if c := u.cast.actors[0].waitsFor(); c != nil {
		awaits = "a reply to " + c.request
	} else {
		awaits = whereBlocked(allStacks(), fmt.Sprintf("adapter.(*setUps).SetUp(%p", u))
	}
	return fmt.Errorf("SetUp does not return: it waits for ever (%s), and no message is left to deliver that could "+
		"change that; let SetUp only "+
		"start actors and send to them, give waits in it a timeout, and wait for answers behind it, in the test function",
		awaits)
}

// whereBlocked finds in stacks the goroutine that has the frame, and says in what operation it is blocked, and where:
// the first line of the program itself.
func whereBlocked(stacks []string, frame string) string {
	for _, g := range stacks {
		if !strings.Contains(g, frame) {
			continue
		}
		lines := strings.Split(g, "\n")
		for i := 1; i+1 < len(lines); i += 2 {
			if !standard(lines[i]) {
				return operation(lines[0]) + " at " + placeOf(lines[i+1])
			}
		}
	}
	return "something outside control"
}

// operation is what a goroutine waits in, by the first line of its stack.
func operation(first string) string {
	_, state, _ := strings.Cut(first, "[")
	return strings.TrimSpace(state[:strings.IndexAny(state+"]", ",(]")])
}

// placeOf is the place in the second line of a frame.
func placeOf(line string) string {
	at, _, _ := strings.Cut(strings.TrimSpace(line), " +0x")
	return filepath.Base(at)
}

// standard reports whether the frame is of the parts of the standard library in which people wait.
func standard(frame string) bool {
	waits := []string{"sync.", "internal/", "runtime.", "time.", "os.", "net.", "net/", "io.", "context."}
	return slices.ContainsFunc(waits, func(p string) bool { return strings.HasPrefix(frame, p) })
}
