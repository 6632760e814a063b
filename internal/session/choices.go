package session

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/trace"
)

// This file deals with what Go chooses by itself: where a loop over a map begins, which ready case a select takes,
// random numbers. Systems repeat it under one seed, which is part of a schedule.

// choicesVariable is a variable of the environment. With any value, each Check of a process goes by other choices of Go
// than the one before. That shows what of a test depends on them.
const choicesVariable = "REHEARSE_TEST_CHOICES"

// checks counts the Checks of this process that were asked to differ in what Go chooses.
var checks atomic.Uint64

// The layers of control over what Go chooses: see trace.Header.Layer.
const (
	LayerSeeds   = 1
	LayerNumbers = 2
)

// ofGo decides what becomes of what Go chooses in this process.
func (p *Plan) ofGo(sys explore.System, getenv func(string) string) error {
	limits, err := chance.ParseLimits(p.GoChoices)
	if err != nil {
		return err
	}
	_, can := sys.(explore.Numberer)
	p.numbers = can && chance.Numbered()
	p.Sampled = limits == chance.LimitsSample || p.numbers && limits != chance.LimitsOff
	if !p.numbers {
		limits = chance.LimitsOff
	}
	p.Draws, p.Preemptions = limits.Draws, limits.Preemptions
	if p.Sampled {
		p.Choices = max(1, trace.ID{Hi: p.Seed}.With(trace.HashString("Go's choices")).Hi)
	}
	p.Choices += ordinaryChoices(getenv)
	return nil
}

// unappliedChoices says why Config.Choices is not what was asked for, "" if it is.
func (p *Plan) unappliedChoices() string {
	asked, err := chance.ParseLimits(p.GoChoices)
	if err != nil || p.GoChoices == "" || p.numbers || asked == chance.LimitsOff {
		return ""
	}
	why := "rehearse test has not built this test, or did so without numbers"
	if chance.Numbered() {
		why = "this kind of system makes no use of their numbers"
	}
	if asked == chance.LimitsSample {
		return fmt.Sprintf("what Go chooses by itself follows a seed, without the order of goroutines (choices sample): %s",
			why)
	}
	return fmt.Sprintf("what Go chooses by itself was not explored, although choices %s asks for it: %s", p.GoChoices, why)
}

// testCommand is the command by which this process can be made once more.
func (p *Plan) testCommand() string {
	if chance.Numbered() {
		return p.command + " test"
	}
	return "go test"
}

// ordinaryChoices are the Choices of ordinary executions: the same for all Checks, unless the environment wants
// others for each.
func ordinaryChoices(getenv func(string) string) uint64 {
	if getenv(choicesVariable) == "" {
		return 0
	}
	return checks.Add(1) << 32 // far from those that executions are tried otherwise with
}

// headerOf is that of the schedule of a violation.
func (s *stage) headerOf(r *Raw) *trace.Header {
	h := s.Header
	h.Violation, h.Choices = &r.Violation, r.choices.seed
	if h.Layer == LayerNumbers {
		h.Draws, h.Preemptions = r.choices.limits.Draws, r.choices.limits.Preemptions
		if r.trace != nil {
			h.Ends = r.trace.Forces()
		}
	}
	if d, ok := s.sys.(explore.Drawer); h.Layer == 0 && ok && d.Draws() {
		h.Layer, h.Go = LayerSeeds, ThisGo()
	}
	return &h
}

// strip takes out of a header what is about numbered draws, if there were none: then every process can follow the
// schedule.
func (s *stage) strip(h *trace.Header) {
	if h.Layer == LayerNumbers && !s.drew() {
		h.Layer, h.Choices, h.Draws, h.Preemptions, h.Ends, h.Go = 0, 0, 0, 0, nil, ""
	}
}

// drew reports whether any execution so far had a draw with a number.
func (s *stage) drew() bool {
	n, ok := s.sys.(explore.Numberer)
	return ok && n.Drew()
}

// stripped is the header of what was explored.
func (s *stage) stripped() trace.Header {
	h := s.Header
	s.strip(&h)
	return h
}

// corpusHeader is that of schedules that are kept: all that was drawn is in them.
func (s *stage) corpusHeader() *trace.Header {
	h := s.Header
	if h.Layer == LayerNumbers {
		h.Draws, h.Preemptions = chance.LimitsAll.Draws, chance.LimitsAll.Preemptions
	}
	s.strip(&h)
	return &h
}

// ThisGo names what the numbers that a program draws depend on beside the seed.
func ThisGo() string { return fmt.Sprintf("%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH) }

// withoutPatch leaves the last number of a version out ("go1.26.8 linux/amd64"), with which nothing changes that is
// chosen.
func withoutPatch(version string) string {
	number, platform, _ := strings.Cut(version, " ")
	if parts := strings.SplitN(number, ".", 3); len(parts) == 3 {
		number = parts[0] + "." + parts[1]
	}
	return number + " " + platform
}

// conditionsOf are those of a replay.
func (p *Plan) conditionsOf(h *trace.Header) explore.Conditions {
	c := p.ordinary(h.Model, h.Timers, h.Faults)
	c.Choices = h.Choices
	limits := chance.Limits{Draws: h.Draws, Preemptions: h.Preemptions}
	switch {
	case !p.numbers || h.Layer == LayerSeeds:
		limits = chance.LimitsOff
	case h.Layer == 0 || limits == chance.Limits{} && h.Choices == 0: // it draws nothing, or is older than the fields
		limits = chance.DefaultLimits
	}
	c.Draws, c.Preemptions, c.Sampled = limits.Draws, limits.Preemptions, false
	for _, e := range h.Ends {
		c.EndDraws = append(c.EndDraws, uint32(e.Value))
	}
	return c
}

// unexploredChoices says that what Go chooses may decide where it has no numbers, "" if it has, or nothing was drawn.
func (s *stage) unexploredChoices() string {
	if d, ok := s.sys.(explore.Drawer); !ok || s.numbers || !d.Draws() {
		return ""
	}
	return " What Go chooses by itself (the order of a map, select, random numbers) may decide, and has no numbers " +
		"here: see what `rehearse test` says."
}

// undrawn says why Go's choices were not repeated, "" if they were.
func (s *stage) undrawn() string {
	if d, ok := s.sys.(explore.Drawer); ok && d.Unset() != "" {
		return "\nWhat Go chooses by itself (the order of a map, select, random numbers) was not repeated: " + d.Unset() + "."
	}
	return ""
}
