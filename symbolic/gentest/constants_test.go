package gentest_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// changes counts constants, each changed upwards and downwards.
type changes struct {
	constants [4]int // by their use
	tried     [4]int
	killed    [4]int
}

// constants changes the constants that generated tests execute. Each has to fail one.
func (w *trial) constants(c *changes) {
	for k, m := range w.mutants.list {
		if m.use == noConstant || !w.reached[k+1] {
			continue
		}
		c.constants[m.use]++
		for _, n := range []int{k + 1, -k - 1} {
			if c.tried[m.use]++; w.kills(n) {
				c.killed[m.use]++
				continue
			}
			change := "greater"
			if n < 0 {
				change = "smaller"
			}
			same := ""
			if len(w.original) > 0 && w.differs(n) == "" && !w.killsByHand(n) {
				same = "; it does not differ"
				c.tried[m.use]--
			}
			w.t.Logf("survives: %s %s, %s%s", m, change, m.use, same)
		}
	}
}

// share tells the sums, and fails if less than a percentage of what is compared or stored is noticed.
func (c *changes) share(t *testing.T, least int) {
	t.Helper()
	for _, u := range []use{compared, stored, passed} {
		t.Logf("%v: %d constants, %d changes that differ, %d fail a generated test", u, c.constants[u], c.tried[u], c.killed[u])
	}
	tried, killed := c.tried[compared]+c.tried[stored], c.killed[compared]+c.killed[stored]
	if killed*100 < tried*least {
		t.Errorf("%d of %d changes of constants that are compared or stored fail a generated test: want %d%%", killed, tried, least)
	}
}

// TestConstants: a generated test fails when a constant is changed that its handler compares with or stores.
// REHEARSE_GENERATE=constants takes all packages of the examples, TestMutants those of the subjects, and TestFakes has
// a small one.
func TestConstants(t *testing.T) {
	if os.Getenv("REHEARSE_GENERATE") != "constants" {
		return
	}
	var c changes
	for _, pattern := range folders(t, "../../examples") {
		if w := prepare(t, "../../examples", pattern); w != nil {
			w.constants(&c)
		}
	}
	c.share(t, 80) // actors of protoactor-go have no random runs: also changes that do nothing count
}

// folders lists the packages in the folders of a folder.
func folders(t *testing.T, dir string) (list []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		if at := "./" + filepath.Base(filepath.Dir(f)); !slices.Contains(list, at) {
			list = append(list, at)
		}
	}
	return list
}
