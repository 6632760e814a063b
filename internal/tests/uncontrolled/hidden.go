// Package uncontrolled has what tests share, on all kinds of actors, of programs that are not all under control.
//
//	hidden.go a program that makes a choice of its own is never called complete without a word
//	loose.go  handlers take goroutines out of control (internal/chance, loose.go): the result is not complete, and says
//	          who does what
//	workers.go worker processes say as much as one process of what is not under control
package uncontrolled

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/internal/chance"
)

// Word is what a complete result of such a program has to say, unless a strategy of that name gave it.
type Word struct{ Says, Unless string }

// Judge is how results are looked at.
type Judge struct {
	Config     rehearse.Config            // without strategy and seed
	Strategies []string                   // by default; nil: all
	Excused    func(rehearse.Result) bool // results that are not complete for another reason; nil: none
	Words      map[string]Word            // by the name of the choice; of others no result may be complete
	// choices that are explored where draws have numbers: then a result may be complete
	Explored []string
}

// all are the strategies that may say complete.
var all = []string{"auto", "naive", "source", "optimal", "reverse"}

// Check explores a program with a hidden choice by each strategy: under one seed, or with REHEARSE_TOY by all of them
// under 40.
func (j Judge) Check(t *testing.T, choice string, sys rehearse.System) {
	t.Helper()
	strategies, seeds := j.Strategies, uint64(1)
	whole := os.Getenv("REHEARSE_TOY") != ""
	if whole {
		seeds = 40
	}
	if whole || strategies == nil {
		strategies = all
	}
	complete := 0
	for _, strategy := range strategies {
		for seed := range seeds {
			c := j.Config
			c.Strategy, c.Seed = strategy, seed+1
			r, err := rehearse.Explore(c, sys)
			if err != nil {
				t.Errorf("%s, %s: error %v", choice, strategy, err)
				continue
			}
			j.look(t, choice, strategy, r)
			if r.Complete {
				complete++
			}
		}
	}
	t.Logf("%s: %d of %d results are complete, with a word", choice, complete, len(strategies)*int(seeds))
}

// look judges one result.
func (j Judge) look(t *testing.T, choice, strategy string, r rehearse.Result) {
	t.Helper()
	excused := j.Excused != nil && j.Excused(r)
	word, may := j.Words[choice]
	switch {
	case !r.Complete && !excused && !r.Diverged && r.Varied == "" && r.Drawn == "" && r.OneSeed == "" &&
		r.Uncontrolled == "" && r.Shared == "":
		t.Errorf("%s, %s: no reason in %s", choice, strategy, r)
	case r.Complete && chance.Numbered() && slices.Contains(j.Explored, choice):
	case r.Complete && (!may || strategy != word.Unless && !strings.Contains(r.String(), word.Says)):
		t.Errorf("%s, %s: %s", choice, strategy, r)
	}
}
