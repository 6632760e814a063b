package cases_test

import (
	"os"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/cases"
)

// TestCorpus: every handler of the corpus has a suite, whose instances are right.
func TestCorpus(t *testing.T) {
	for _, dir := range dirs {
		if dir != "../../subjects/apet" && os.Getenv("REHEARSE_CORPUS") != "all" {
			continue
		}
		p := read(t, dir)
		targets, err := p.Select("")
		if err != nil {
			t.Fatal(err)
		}
		count, without := 0, 0
		for _, target := range targets {
			s, err := p.Suite(t.Context(), target, cases.Config{})
			if err != nil {
				t.Fatal(err)
			}
			if s.Defect != "" {
				t.Errorf("%s: %s", target.Name, s.Defect)
			}
			count += len(s.Cases)
			without += len(s.Cases) - judged(t, s)
		}
		t.Logf("%s: %d targets, %d cases, %d without an instance", dir, len(targets), count, without)
	}
}
