package session

import (
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore"
)

// rung is an alarm that has rung.
func rung() *alarm { return alarmAt(time.Now().Add(-time.Second)) }

// planned is the clock of a session that is not run, to be asked for its times.
func planned(budget explore.Budget, began, limit time.Time) *clock {
	return &clock{budget: budget, began: began, limit: limit}
}

// A budget of time is kept to, and ends before -timeout. A number of executions gets a share of what is left: the tests
// that come later have theirs, however slow this one is.
func TestExploreUntil(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		budget explore.Budget
		limit  time.Duration // 0: none
		want   time.Duration // 0: never
		late   bool
	}{
		{explore.Budget{Executions: 1000}, 0, 0, false},
		{explore.Budget{}, 0, 0, false},
		{explore.Budget{Time: time.Minute}, 0, time.Minute, false},
		{explore.Budget{Time: time.Minute}, 10 * time.Minute, time.Minute, false},
		{explore.Budget{Time: time.Hour}, 10 * time.Minute, 10 * time.Minute, true},
		{explore.Budget{}, 10 * time.Minute, 10 * time.Minute, true},
		{explore.Budget{Executions: 1000}, 10 * time.Minute, 150 * time.Second, true},
	} {
		limit, want := time.Time{}, time.Time{}
		if c.limit > 0 {
			limit = now.Add(c.limit)
		}
		if c.want > 0 {
			want = now.Add(c.want)
		}
		if at, late := planned(c.budget, now, limit).exploreUntil(); !at.Equal(want) || late != c.late {
			t.Errorf("budget %s, %s before -timeout: until %s, late %v", c.budget, c.limit, at.Sub(now), late)
		}
	}
}

// When the time is up nothing begins any more, but for the first execution: that has some patience, which ends too.
func TestStop(t *testing.T) {
	for _, c := range []struct {
		passed, limit time.Duration
		done          int
		want          bool
	}{
		{time.Second, 0, 5, false},
		{21 * time.Second, 0, 5, true},
		{21 * time.Second, 0, 0, false},
		{time.Minute, 0, 0, true},
		{21 * time.Second, time.Minute, 0, false},
		{21 * time.Second, -time.Second, 0, true},
	} {
		now := time.Now()
		k := planned(explore.Budget{Time: 20 * time.Second}, now.Add(-c.passed), time.Time{})
		if c.limit != 0 {
			k.limit = now.Add(c.limit)
		}
		if got := k.stop(c.done); got != c.want {
			t.Errorf("%+v: stops %v", c, got)
		}
	}
}

// What was found is investigated in what is left of the budget, or a tenth of it, and several findings share that.
func TestInvestigation(t *testing.T) {
	for _, c := range []struct {
		budget            explore.Budget
		passed, limit     time.Duration
		findings          int
		atLeast, lessThan time.Duration
	}{
		{explore.Budget{Time: time.Minute}, 20 * time.Second, 0, 1, 39 * time.Second, 41 * time.Second},
		{explore.Budget{Time: time.Minute}, 20 * time.Second, 0, 4, 9 * time.Second, 11 * time.Second},
		{explore.Budget{Time: time.Minute}, 2 * time.Minute, 0, 1, 5 * time.Second, 7 * time.Second},
		{explore.Budget{Time: time.Millisecond}, time.Second, 0, 1, time.Second / 2, 2 * time.Second},
		{explore.Budget{Executions: 1000}, time.Second, 0, 1, 29 * time.Second, 31 * time.Second},
		{explore.Budget{Executions: 1000}, time.Minute, 0, 1, 59 * time.Second, 61 * time.Second},
		{explore.Budget{Executions: 1000}, time.Second, 40 * time.Second, 1, 9 * time.Second, 11 * time.Second},
		{explore.Budget{Time: time.Minute}, time.Second, 10 * time.Second, 1, 9 * time.Second, 11 * time.Second},
	} {
		now := time.Now()
		limit := time.Time{}
		if c.limit > 0 {
			limit = now.Add(c.limit)
		}
		got := planned(c.budget, now.Add(-c.passed), limit).investigation(c.findings).Sub(now)
		if took := time.Since(now); got < c.atLeast || got >= c.lessThan+2*took { // a slow machine's clock goes on meanwhile
			t.Errorf("%+v: %s", c, got)
		}
	}
}

func TestMargin(t *testing.T) {
	for left, want := range map[time.Duration]time.Duration{10 * time.Minute: 30 * time.Second,
		time.Minute: 6 * time.Second, 2 * time.Second: time.Second} {
		if got := margin(left); got != want {
			t.Errorf("%s left: margin %s, want %s", left, got, want)
		}
	}
}
