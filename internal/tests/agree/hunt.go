package agree

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// This file: the strategies on random programs, compared with naive, or, where that has too many executions, with each
// other. Reductions miss nothing, or say that they may; optimal executes nothing twice; what is called complete is
// complete. Blocked executions are counted: what a Receive would have taken earlier is not known.

// Hunt counts what was compared. The zero value is ready.
type Hunt struct {
	Compared int            // programs
	Large    int            // programs with too many executions for naive
	Paired   int            // of these, those on which source and optimal were compared
	Classes  int            // of the compared programs
	Vain     int            // executions that optimal began in vain
	Doubted  int            // programs for which reverse did not answer
	Silent   int            // results of auto and stateful that are not complete
	Lacking  map[string]int // programs for which naive itself is not complete, by the reason
	Excused  map[string]int // differences of results that say themselves that they are not complete, by the reason
}

func (h *Hunt) String() string {
	s := fmt.Sprintf("%d programs, %d too large, in %d of which source and optimal were compared; %d classes; optimal "+
		"began %d executions in vain; reverse did not answer for %d programs, auto or stateful for %d",
		h.Compared, h.Large, h.Paired, h.Classes, h.Vain, h.Doubted, h.Silent)
	for _, c := range []struct {
		what   string
		counts map[string]int
	}{{"programs that nobody explores completely", h.Lacking},
		{"differences of results that say that they are not complete", h.Excused}} {
		for _, reason := range slices.Sorted(maps.Keys(c.counts)) {
			s += fmt.Sprintf("\n  %s: %d: %s", c.what, c.counts[reason], reason)
		}
	}
	return s
}

// On compares the strategies on a program. The error says where they differ.
func (h *Hunt) On(p *Program) error {
	all, err := p.Show("naive")
	switch {
	case h.excuses(all, err):
		return nil
	case all.Torn != nil:
		return h.torn(p, all)
	}
	if err != nil {
		return err
	}
	if !all.Exhausted {
		h.Large++
		return h.pair(p)
	}
	h.Compared++
	if reason := all.Lacks(); reason != "" {
		count(&h.Lacking, reason)
	}
	var errs []error
	for _, name := range Reductions {
		errs = append(errs, h.reduction(p, name, all))
	}
	if h.Compared%3 == 0 {
		errs = append(errs, h.Complete(p, all))
	}
	return errors.Join(errs...)
}

// torn wants reductions to say that they are not complete: the ends of the program depend on more than its classes, as
// where timers tie.
func (h *Hunt) torn(p *Program, all *Shown) error {
	h.Compared++
	for _, name := range Reductions {
		s, err := p.Show(name)
		reason := s.Lacks()
		switch {
		case err != nil && s.Torn == nil:
			return err
		case s.Refused == nil && s.Doubt == "" && reason == "" && s.Exhausted:
			return fmt.Errorf("%s is complete, and %w\n%s", name, all.Torn, s)
		case reason != "":
			count(&h.Excused, name+": "+reason)
		}
	}
	return nil
}

// reduction compares one of the Reductions with naive.
func (h *Hunt) reduction(p *Program, name string, all *Shown) error {
	s, err := p.Show(name)
	switch {
	case err != nil:
	case s.Refused != nil:
		return nil
	case name == "reverse" && s.Doubt == "":
		err = errors.Join(s.differs(all), s.exact())
	default:
		err = s.differs(all)
	}
	if name == "optimal" {
		h.Vain, h.Classes = h.Vain+s.Blocked, h.Classes+len(s.Classes)
		if s.Executions != len(s.Classes) {
			err = errors.Join(err, fmt.Errorf("%d executions of %d classes", s.Executions, len(s.Classes)))
		}
	}
	if name == "reverse" && s.Doubt != "" {
		h.Doubted++
	}
	if err == nil || h.excuses(s, err) {
		return nil
	}
	return fmt.Errorf("%w\n%s\n%s", err, all, s)
}

// excuses reports whether a difference is one of a result that says that it is not complete.
func (h *Hunt) excuses(s *Shown, err error) bool {
	reason := s.Lacks()
	if err == nil || reason == "" {
		return false
	}
	count(&h.Excused, s.Strategy+": "+reason)
	return true
}

// pair compares source and optimal.
func (h *Hunt) pair(p *Program) error {
	source, err := p.Show("source")
	if h.excuses(source, err) {
		return nil
	}
	if err != nil || source.Refused != nil || !source.Exhausted || source.Doubt != "" {
		return err
	}
	optimal, err := p.Show("optimal")
	if err == nil && (optimal.Refused != nil || !optimal.Exhausted) {
		return nil
	}
	h.Paired++
	if err == nil {
		err = optimal.differs(source)
	}
	if err == nil || h.excuses(source, err) || h.excuses(optimal, err) {
		return nil
	}
	return fmt.Errorf("%w\n%s\n%s", err, source, optimal)
}

// Complete compares strategies that do not execute classes, or not only them, where they call their result complete.
func (h *Hunt) Complete(p *Program, all *Shown) error {
	var errs []error
	for _, name := range []string{"auto", "stateful/generic"} {
		s, err := p.Show(name)
		switch {
		case err != nil && h.excuses(s, err):
		case err != nil:
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		case s.Refused != nil || !s.Exhausted || s.Doubt != "" || s.Lacks() != "":
			h.Silent++
		case !slices.Equal(s.Ends(), all.Ends()) || !slices.Equal(s.Violations, all.Violations) || name == "auto" &&
			!maps.Equal(s.Classes, all.Classes):
			errs = append(errs, fmt.Errorf("%s is complete and shows other classes, ends or violations\n%s\n%s", name, all, s))
		}
	}
	return errors.Join(errs...)
}

// Lacks says why a result of which nothing is left to execute is not complete, "" if there is no such reason. That the
// strategy may be wrong is not one of them.
func (s *Shown) Lacks() string {
	o := &s.Outcome
	switch {
	case o.Diverged:
		return "it does not repeat itself"
	case o.Bounded:
		return "an execution is cut at the bound"
	case o.Ended:
		return "an execution is ended by FailNow"
	}
	for _, l := range []struct{ what, text string }{{"bypassed", o.Bypassed}, {"uncontrolled", o.Uncontrolled},
		{"beyond the horizon", o.Beyond},
		{"not explored", o.PassedOver}, {"varied", o.Varied}, {"drawn", o.Drawn}, {"one seed", o.OneSeed},
		{"shared", o.Shared}} {
		if l.text != "" {
			return l.what + ": " + brief(l.text)
		}
	}
	return ""
}

// brief is the beginning of a text.
func brief(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	return text[:min(len(text), 60)]
}

func count(counts *map[string]int, what string) {
	if *counts == nil {
		*counts = map[string]int{}
	}
	(*counts)[what]++
}
