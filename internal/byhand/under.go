package byhand

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file writes conditions as text, since a position means something under its own alone: a schedule may have been
// found under another delivery model, or while Go chose otherwise.

// Under writes the conditions of a header that differ from those of another one, "" if none do.
func Under(h, test *trace.Header) string {
	v := url.Values{}
	set := func(name, value, usual string) {
		if value != usual {
			v.Set(name, value)
		}
	}
	set("model", h.Model.String(), test.Model.String())
	set("timers", h.Timers.String(), test.Timers.String())
	set("faults", h.Faults.String(), test.Faults.String())
	set("layer", strconv.Itoa(h.Layer), strconv.Itoa(test.Layer))
	set("choices", strconv.FormatUint(h.Choices, 10), strconv.FormatUint(test.Choices, 10))
	set("draws", strconv.Itoa(h.Draws), strconv.Itoa(test.Draws))
	set("preemptions", strconv.Itoa(h.Preemptions), strconv.Itoa(test.Preemptions))
	set("ends", endsText(h.Ends), endsText(test.Ends))
	return v.Encode()
}

func endsText(ends []trace.ForcedEnd) string {
	var parts []string
	for _, e := range ends {
		parts = append(parts, strconv.Itoa(e.Value))
	}
	return strings.Join(parts, "-")
}

// Conditions gives the header of a test with the conditions that Under wrote. The error says which makes no sense.
func Conditions(under string, test trace.Header) (trace.Header, error) {
	h := test
	v, err := url.ParseQuery(under)
	if err != nil {
		return h, fmt.Errorf("conditions %q: %w", under, err)
	}
	for name := range v {
		if err := condition(&h, name, v.Get(name)); err != nil {
			return test, fmt.Errorf("conditions: %s: %w", name, err)
		}
	}
	return h, nil
}

func condition(h *trace.Header, name, value string) (err error) {
	switch name {
	case "model":
		if h.Model, err = trace.ParseModel(value); err == nil && h.Model == trace.DefaultModel {
			err = fmt.Errorf("%q is no delivery model", value)
		}
	case "timers":
		h.Timers, err = trace.ParseTimerMode(value)
	case "faults":
		h.Faults, err = trace.ParseFaults(value)
	case "layer":
		h.Layer, err = number(value, 0, 2)
	case "choices":
		h.Choices, err = strconv.ParseUint(value, 10, 64)
	case "draws":
		h.Draws, err = number(value, -1, explore.AllDraws)
	case "preemptions":
		h.Preemptions, err = number(value, -1, explore.AllDraws)
	case "ends":
		h.Ends, err = parseEnds(value)
	default:
		err = fmt.Errorf("%q is no condition", name)
	}
	return err
}

// number reads one in a range.
func number(text string, least, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, fmt.Errorf("%q: want a number from %d to %d", text, least, most)
	}
	return n, nil
}

// mostEnd is the largest value of a draw in a final check.
const mostEnd = 1 << 20

func parseEnds(text string) (ends []trace.ForcedEnd, err error) {
	for _, part := range strings.Split(text, "-") {
		if part == "" {
			continue
		}
		n, err := number(part, 0, mostEnd)
		if err != nil {
			return nil, err
		}
		ends = append(ends, trace.ForcedEnd{Value: n})
	}
	return ends, nil
}
