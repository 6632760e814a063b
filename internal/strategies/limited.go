package strategies

import "github.com/rehearse-go/rehearse/explore"

// Limited tells a strategy that can be divided which executions are within the budget of all processes together, if its
// executions have numbers. 0: all are.
func Limited(s explore.Divisible, executions int) explore.Divisible {
	if n, ok := s.(explore.Numbered); ok {
		n.Limit(executions)
	}
	return s
}
