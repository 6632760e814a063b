package rehearse

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/trace"
)

// This file deals with what Go chooses by itself: where a loop over a map begins, which ready case a select takes, random numbers. Systems repeat it under one
// seed, which is part of a schedule.

// choicesVariable is the variable of the environment that, with any value, has each Check of a process go by other choices of Go than the one before: to learn
// what of a test depends on them.
const choicesVariable = "REHEARSE_TEST_CHOICES"

// checks counts the Checks of this process that were asked to differ in what Go chooses.
var checks atomic.Uint64

// exploredDraws is how many choices of Go's are explored between two others of the exploration, where the process numbers them: in a part that makes more, the
// others follow one seed, and the result says so.
func exploredDraws() int {
	if chance.Numbered() {
		return 4
	}
	return 0
}

// testCommand is the command by which this process can be made once more.
func testCommand() string {
	if chance.Numbered() {
		return "rehearse test -overlay"
	}
	return "go test"
}

// unforced says why a schedule cannot be followed here, "" if it can: it forces what Go chooses by itself.
func unforced(sched *trace.Schedule) string {
	if !sched.Draws() || chance.Numbered() {
		return ""
	}
	return "it forces what Go chooses by itself (steps of kind draw), which takes `rehearse test -overlay`; it was found with " + sched.Header.Go
}

// ordinaryChoices are the Choices of ordinary executions: the same for all Checks, unless the environment wants others for each.
func ordinaryChoices(getenv func(string) string) uint64 {
	if getenv(choicesVariable) == "" {
		return 0
	}
	return checks.Add(1) << 32 // far from those that executions are tried otherwise with
}

// headerOf is that of the schedule of a violation.
func (s *session) headerOf(r *raw) *trace.Header {
	h := s.header
	h.Violation, h.Choices = &r.violation, r.choices
	if d, ok := s.sys.(explore.Drawer); ok && (d.Draws() || chance.Numbered()) {
		h.Go = thisGo()
	}
	return &h
}

// thisGo names what the numbers that a program draws depend on beside the seed.
func thisGo() string { return fmt.Sprintf("%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH) }

// chosenElsewhere says why a schedule that passes may do so only because Go chooses otherwise here than where it was saved, "" if it does not.
func (s *session) chosenElsewhere(h *trace.Header) string {
	if h.Go == "" {
		return ""
	}
	if why := s.undrawn(); why != "" {
		return strings.TrimSpace(why)
	}
	if withoutPatch(h.Go) == withoutPatch(thisGo()) {
		return ""
	}
	return fmt.Sprintf("It was saved with %s. What Go chooses by itself may be something else with %s: find the bug anew, or delete the file.", h.Go, thisGo())
}

// withoutPatch leaves the last number of a version out ("go1.26.8 linux/amd64"), with which nothing changes that is chosen.
func withoutPatch(version string) string {
	number, platform, _ := strings.Cut(version, " ")
	if parts := strings.SplitN(number, ".", 3); len(parts) == 3 {
		number = parts[0] + "." + parts[1]
	}
	return number + " " + platform
}

// conditionsOf are those of a replay.
func (p *plan) conditionsOf(h *trace.Header) explore.Conditions {
	c := p.conditions(h.Model, h.Timers, h.Faults)
	c.Choices = h.Choices
	return c
}

// undrawn says why Go's choices were not repeated, "" if they were.
func (s *session) undrawn() string {
	if d, ok := s.sys.(explore.Drawer); ok && d.Unset() != "" {
		return "\nWhat Go chooses by itself (the order of a map, select, random numbers) was not repeated: " + d.Unset() + "."
	}
	return ""
}
