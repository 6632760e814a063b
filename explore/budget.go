package explore

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Budget says when to stop: after a number of executions or a time. The zero value is unlimited.
type Budget struct {
	Executions int
	Time       time.Duration
}

// ParseBudget reads "1000x" (executions), "30s" (time) or "unlimited".
func ParseBudget(s string) (Budget, error) {
	if s == "unlimited" {
		return Budget{}, nil
	}
	if n, ok := strings.CutSuffix(s, "x"); ok {
		if v, err := strconv.Atoi(n); err == nil && v > 0 {
			return Budget{Executions: v}, nil
		}
	} else if d, err := time.ParseDuration(s); err == nil && d > 0 {
		return Budget{Time: d}, nil
	}
	return Budget{}, fmt.Errorf("budget %q: want a number of executions such as 1000x, a time such as 30s, or unlimited",
		s)
}

func (b Budget) String() string {
	switch {
	case b.Executions > 0:
		return strconv.Itoa(b.Executions) + "x"
	case b.Time > 0:
		return b.Time.String()
	}
	return "unlimited"
}
