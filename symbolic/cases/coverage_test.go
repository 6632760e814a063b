package cases_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/cases"
)

// left tells what a suite leaves out, by the line of the source.
func left(s *cases.Suite) (list []string) {
	source := strings.Split(shop, "\n")
	for _, l := range s.Coverage.Left {
		var line int
		if _, err := fmt.Sscanf(l.Where, "zz.go:%d", &line); err != nil {
			line = 1
		}
		list = append(list, fmt.Sprintf("%s %s: %s", strings.TrimSpace(source[line-1]), l.Branch, l.Why))
	}
	return list
}

// TestCoverage: what is left out has its reason.
func TestCoverage(t *testing.T) {
	p := more(t)
	for _, tt := range []struct {
		config         cases.Config
		blocks, covers int
		left           []string
	}{
		{cases.Config{}, 9, 7, []string{
			"if n < 5 { true: infeasible within the bounds",
			"return 1 : infeasible within the bounds",
			"if s > 100 { true: cut: more than 3 turns of a loop",
			"return 3 : cut: more than 3 turns of a loop"}},
		{cases.Config{Loops: 20}, 9, 8, []string{
			"if n < 5 { true: infeasible within the bounds",
			"return 1 : infeasible within the bounds"}},
		{cases.Config{Loops: 20, Assume: []string{"n <= 10 && k < 7"}}, 9, 5, []string{
			"if n > 10 { true: excluded by what is assumed",
			"if n < 5 { : excluded by what is assumed",
			"if n < 5 { true: infeasible within the bounds",
			"if n < 5 { false: excluded by what is assumed",
			"return 1 : infeasible within the bounds",
			"return 2 : excluded by what is assumed",
			"if s > 100 { true: excluded by what is assumed",
			"return 3 : excluded by what is assumed"}},
		{cases.Config{Paths: 1}, 9, 3, nil},
	} {
		s := suite(t, p, "covers", tt.config)
		c := s.Coverage
		if got := left(s); c.Blocks != tt.blocks || c.BlocksCovered != tt.covers || tt.left != nil && !slices.Equal(got, tt.left) {
			t.Errorf("%+v: %d of %d blocks, left\n%s\nwant %d of %d\n%s", tt.config, c.BlocksCovered, c.Blocks, strings.Join(got, "\n"), tt.covers, tt.blocks, strings.Join(tt.left, "\n"))
		}
		if len(c.Covered)+len(c.Left) != c.Blocks+c.Branches || len(c.Covered) != c.BlocksCovered+c.BranchesCovered {
			t.Errorf("%+v: the lists have %d and %d entries, of %d blocks and %d branches", tt.config, len(c.Covered), len(c.Left), c.Blocks, c.Branches)
		}
	}
}

// TestMessagesOfOthers: a handler's blocks are those of its message.
func TestMessagesOfOthers(t *testing.T) {
	p := more(t)
	for name, want := range map[string]string{"Till.Take": "8 of 8, 6 of 6", "Till.Never": "9 of 9, 2 of 2", "Till.other": "11 of 11, 0 of 0"} {
		c := suite(t, p, name, cases.Config{}).Coverage
		if got := fmt.Sprintf("%d of %d, %d of %d", c.BlocksCovered, c.Blocks, c.BranchesCovered, c.Branches); got != want {
			t.Errorf("%s: %s, want %s; left: %v", name, got, want, c.Left)
		}
	}
}

// TestCriteria: fewer cases cover the same, and findings stay.
func TestCriteria(t *testing.T) {
	p := more(t)
	for name, want := range map[string][3]int{"Till.Take": {4, 4, 2}, "Till.Part": {4, 4, 2}} {
		var all cases.Coverage
		for i, by := range []cases.Criterion{cases.Paths, cases.Branches, cases.Blocks} {
			s := suite(t, p, name, cases.Config{Cover: by, Elements: 1})
			if len(s.Cases) != want[i] || len(s.Cases)+s.Dropped != want[0] {
				t.Errorf("%s by %s: %d cases and %d dropped, want %d of %d", name, by, len(s.Cases), s.Dropped, want[i], want[0])
			}
			if i == 0 {
				all = s.Coverage
			}
			if fmt.Sprint(s.Coverage) != fmt.Sprint(all) {
				t.Errorf("%s by %s: another coverage", name, by)
			}
			if !slices.ContainsFunc(s.Cases, func(c *cases.Case) bool { return c.Reached != nil }) && name == "Till.Take" {
				t.Errorf("%s by %s: the finding is missing", name, by)
			}
		}
	}
	target, _ := p.Select("Till.Take")
	if _, err := p.Suite(t.Context(), target[0], cases.Config{Cover: "lines"}); err == nil {
		t.Error("an unknown criterion is no error")
	}
}
