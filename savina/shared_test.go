package savina_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/cover"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/savina/banking"
	"github.com/rehearse-go/rehearse/savina/bndbuffer"
	"github.com/rehearse-go/rehearse/savina/philosopher"
	"github.com/rehearse-go/rehearse/trace"
)

// parted is a sample in so many parts, which are executed at the same time. What a part learns is told to those that
// begin later, if any is.
type parted struct {
	sys        rehearse.System
	strategy   string
	executions int
	parts      int // 0: it is not divided
	told       bool
}

// sharer is a strategy whose parts tell each other.
type sharer interface {
	explore.Numbered
	explore.Sharer
}

func (p *parted) fresh(t *testing.T) explore.Strategy {
	t.Helper()
	s, err := strategies.New(p.strategy, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := s.(explore.Numbered); ok {
		n.Limit(p.executions)
	}
	return s
}

// orders gives how many orders of two receives are seen, and of two that follow each other.
func (p *parted) orders(t *testing.T) [2]int {
	t.Helper()
	seen, n := cover.NewAchieved(), 0
	run := func(s explore.Strategy, budget int) {
		if _, err := explore.Run(p.sys, s, explore.Options{Budget: explore.Budget{Executions: budget}, MaxSteps: 500,
			Conditions: explore.Conditions{Model: rehearse.FIFO},
			After:      func(_ *explore.Counters, tr *trace.Trace) { seen.Observe(tr); n++ }}); err != nil {
			t.Fatal(err)
		}
	}
	if p.parts == 0 {
		run(p.fresh(t), p.executions)
	} else {
		p.divide(t, func(s explore.Strategy) { run(s, 0) })
	}
	if n != p.executions {
		t.Errorf("%s by %d parts: %d executions, want %d", p.strategy, p.parts, n, p.executions)
	}
	return [2]int{seen.Count(cover.PR), seen.Count(cover.PCR)}
}

// divide runs items of the strategy until the executions are made.
func (p *parted) divide(t *testing.T, run func(explore.Strategy)) {
	t.Helper()
	judge := p.fresh(t).(sharer)
	open, told := []explore.Item{{}}, []byte(nil)
	for len(open) > 0 {
		slices.SortFunc(open, func(a, b explore.Item) int { return bytes.Compare(a.Rest, b.Rest) })
		now := open[:min(p.parts, len(open))]
		open = slices.Clone(open[len(now):])
		all := told
		for _, item := range now {
			s := p.fresh(t).(sharer)
			if err := s.Tell(told); err != nil {
				t.Fatal(err)
			}
			if err := s.Take(item); err != nil {
				t.Fatal(err)
			}
			run(s)
			open = append(open, s.Split(math.MaxInt)...)
			if b := s.Learned(); b != nil && p.told {
				var err error
				if all, err = judge.Merge(all, b); err != nil {
					t.Fatal(err)
				}
			}
		}
		told, open = all, slices.DeleteFunc(open, judge.Beyond)
	}
}

// TestSharedOrders counts the orders that cover/shared sees in one part and in four. Beside them are those of cover, of
// four parts that are told nothing, and of partial-order sampling. With REHEARSE_TOY it makes the table of
// docs/coverage.md, in a quarter of a minute.
func TestSharedOrders(t *testing.T) {
	buffer := onNative(bndbuffer.Config{Buffer: 4, Producers: 4, Consumers: 4, Items: 4}, bndbuffer.NewNative)
	rows := []struct {
		name       string
		sys        rehearse.System
		executions []int
	}{{"bndbuffer", buffer, []int{256}}}
	if os.Getenv("REHEARSE_TOY") != "" {
		rows[0].executions = []int{256, 1024, 4096}
		rows = append(rows, rows[0], rows[0])
		rows[1].name = "banking"
		rows[1].sys = onNative(banking.Config{Accounts: 10, Balance: 100, Drawn: 40}, banking.NewNative)
		rows[2].name = "philosopher"
		rows[2].sys = onNative(philosopher.Config{Philosophers: 4, Rounds: 2, Repaired: true}, philosopher.NewNative)
	}
	for _, r := range rows {
		for _, n := range r.executions {
			text := fmt.Sprintf("| %s | %d |", r.name, n)
			for _, p := range []parted{{strategy: "pos"}, {strategy: "cover"}, {strategy: "cover/shared", parts: 1, told: true},
				{strategy: "cover/shared", parts: 4, told: true}, {strategy: "cover/shared", parts: 4}} {
				p.sys, p.executions = r.sys, n
				seen := p.orders(t)
				text += fmt.Sprintf(" %d, %d |", seen[0], seen[1])
			}
			t.Log(text)
			const want = "| bndbuffer | 256 | 276, 230 | 276, 248 | 274, 240 | 274, 240 | 275, 240 |"
			if r.name == "bndbuffer" && n == 256 && text != want {
				t.Errorf("got  %s\nwant %s", text, want)
			}
		}
	}
}
