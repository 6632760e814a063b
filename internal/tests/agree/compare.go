package agree

import (
	"errors"
	"fmt"
	"slices"
)

// Reductions are the strategies that are sound under every delivery model.
var Reductions = []string{"source", "optimal", "reverse"}

// Compare explores the program with naive and with the given strategies. The error says where they differ: each must
// execute all classes, come to all ends and find all violations, optimal and reverse each class once and nothing in
// vain. A strategy that refuses is passed over, and one that says itself that it cannot answer for what it does need
// not be right. The caller sees both in what is shown. Programs too large for naive are compared with the first of the
// strategies instead.
func (p *Program) Compare(names ...string) ([]*Shown, error) {
	all, err := p.Show("naive")
	if err != nil {
		return []*Shown{all}, err
	}
	shown := []*Shown{all}
	if !all.Exhausted {
		all = nil
	}
	var errs []error
	for _, name := range names {
		s, err := p.Show(name)
		errs = append(errs, err)
		shown = append(shown, s)
		if s.Refused != nil || err != nil {
			continue
		}
		errs = append(errs, s.exact())
		if all == nil {
			all = s
		}
		errs = append(errs, s.differs(all))
	}
	return shown, errors.Join(errs...)
}

// exact compares the counts with what the strategy promises.
func (s *Shown) exact() error {
	if !s.Exhausted && s.Doubt == "" {
		return fmt.Errorf("%s is not complete: %+v", s.Strategy, s.Outcome)
	}
	if s.Doubt != "" || s.Strategy != "optimal" && s.Strategy != "reverse" {
		return nil
	}
	if s.Executions != len(s.Classes) || s.Blocked > 0 {
		return fmt.Errorf("%s: %d executions and %d blocked ones of %d classes", s.Strategy, s.Executions,
			s.Blocked, len(s.Classes))
	}
	return nil
}

// differs compares with what another strategy shows, which shows everything.
func (s *Shown) differs(all *Shown) error {
	var errs []error
	missed := 0
	for key := range all.Classes {
		if _, ok := s.Classes[key]; !ok {
			missed++
		}
	}
	strange := len(s.Classes) - (len(all.Classes) - missed)
	if strange > 0 {
		errs = append(errs, fmt.Errorf("%s: %d classes that %s does not have", s.Strategy, strange, all.Strategy))
	}
	if s.Doubt != "" {
		return errors.Join(errs...)
	}
	if missed > 0 {
		errs = append(errs, fmt.Errorf("%s misses %d of the %d classes of %s", s.Strategy, missed,
			len(all.Classes), all.Strategy))
	}
	if got, want := s.Ends(), all.Ends(); !slices.Equal(got, want) {
		errs = append(errs, fmt.Errorf("%s ends in %q, %s in %q", s.Strategy, got, all.Strategy, want))
	}
	if !slices.Equal(s.Violations, all.Violations) {
		errs = append(errs, fmt.Errorf("%s finds %q, %s finds %q", s.Strategy, s.Violations, all.Strategy, all.Violations))
	}
	return errors.Join(errs...)
}

// Tester is what Judge needs of a testing.T.
type Tester interface {
	Helper()
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
}

// Judge compares the reductions on the program, and fails the test if they disagree. but says why they are known to, ""
// if they must not; then the test fails once they agree. It gives what they show.
func (p *Program) Judge(t Tester, but string) []*Shown {
	t.Helper()
	shown, err := p.Compare(Reductions...)
	for _, s := range shown {
		t.Logf("%s", s)
	}
	switch {
	case but == "" && err != nil:
		t.Errorf("%v", err)
	case but != "" && err == nil:
		t.Errorf("the strategies agree now: it is no longer so that %s", but)
	case but != "":
		t.Logf("%s:\n%v", but, err)
	}
	return shown
}
