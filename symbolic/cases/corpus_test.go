package cases_test

import (
	"os"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/symbolic/cases"
)

// TestCorpus: every handler of the corpus has a suite, whose instances are right. docs/generate.md has the table for
// REHEARSE_CORPUS=all.
func TestCorpus(t *testing.T) {
	for _, dir := range dirs {
		config := cases.Config{}
		if os.Getenv("REHEARSE_CORPUS") != "all" {
			if dir != "../../subjects/apet" {
				continue
			}
			config = cases.Config{Loops: 1, Elements: 1, Before: 1}
		}
		p := read(t, dir)
		targets, err := p.Select("")
		if err != nil {
			t.Fatal(err)
		}
		var sum summed
		for _, target := range targets {
			sum.add(t, p, target, config)
		}
		t.Logf("%s: %d targets, %d cases, %d findings, %d from assumed states, blocks %d of %d, branches %d of %d, %.1f s, the longest %.1f s for %s; %d without an instance, %d bounded",
			dir, len(targets), sum.cases, sum.findings, sum.assumed, sum.blocks[0], sum.blocks[1], sum.branches[0], sum.branches[1], sum.took.Seconds(), sum.longest.Seconds(), sum.slowest,
			sum.without, sum.bounded)
	}
}

// summed is the sums of suites.
type summed struct {
	cases, findings, assumed, without, bounded int
	blocks, branches                           [2]int
	took, longest                              time.Duration
	slowest                                    string
}

func (sum *summed) add(t *testing.T, p *cases.Program, target *cases.Target, config cases.Config) {
	t.Helper()
	begin := time.Now()
	s := of(t, p, target, config)
	took := time.Since(begin)
	sum.took += took
	if took > sum.longest {
		sum.longest, sum.slowest = took, target.Name
	}
	if s.Defect != "" {
		t.Errorf("%s: %s", target.Name, s.Defect)
	}
	r := p.Report(s)
	sum.cases += len(s.Cases)
	sum.findings += len(r.Findings)
	sum.assumed += len(r.Assumed)
	for i := range 2 {
		sum.blocks[i] += r.Blocks[i]
		sum.branches[i] += r.Branches[i]
	}
	sum.without += len(s.Cases) - judged(t, s)
	if s.Bounded() {
		sum.bounded++
	}
	for _, f := range r.Findings {
		t.Logf("  %s %s: %s %s (%s) by %+v", target.Name, f.Name, f.Verdict, f.Why, f.Where, f.Reached)
	}
}
