package subjects

import (
	"regexp"
	"testing"

	"github.com/rehearse-go/rehearse"
)

// TestPartialResults: what Explore says when it did not execute everything. fib(6) has 128 classes, fib(7) 4,096.
func TestPartialResults(t *testing.T) {
	for _, tt := range []struct {
		strategy, budget string
		sys              rehearse.System
		want             string
	}{
		{"reverse/iterative", "20x", Fib(6),
			`^budget reached, complete up to 1 deviation: 20 executions, [\d,]+ deliveries, [^(]*bounded \(`},
		{"reverse/iterative", "128x", Fib(6), `^complete: 128 executions`},
		{"reverse/2", "1000x", Fib(6),
			`^complete up to 2 deviations: \d+ executions, [\d,]+ deliveries, [^(]*bounded \(strategy reverse/2,`},
		{"reverse/9", "1000x", Fib(6), `^complete: 128 executions`},
		{"delay/1", "1000x", Fib(6), `^complete up to 1 delay: \d+ executions, [\d,]+ deliveries, [^(]*bounded \(`},
		{"delay/1", "3x", Fib(6), `^budget reached: 3 executions, [\d,]+ deliveries, [^(]*sampled \(`},
		{"reverse", "2000x", Fib(7),
			`^budget reached: 2,000 executions, [\d,]+ deliveries, [^(]*about \d+% of an estimated [\d,]+ \([\d,]+ to [\d,]+\) classes, sampled \(`},
		{"naive", "1000x", Pi(4),
			`^budget reached: 1,000 executions, [\d,]+ deliveries, [^(]*of an estimated [\d,]+ \([\d,]+ to [\d,]+\), sampled \(`},
		{"", "1000x", Fib(7), `^budget reached: 1,000 executions, [\d,]+ deliveries, [^(]*of an estimated [\d,]+ \([\d,]+ to [\d,]+\), sampled \(strategy auto,`},
		{"", "1000x", Pi(4), `^complete: \d+ executions`},
	} {
		r, err := rehearse.Explore(rehearse.Config{Strategy: tt.strategy, Budget: tt.budget}, tt.sys)
		if err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile(tt.want).MatchString(r.String()) {
			t.Errorf("got  %s\nwant %s", r, tt.want)
		}
		t.Log(r)
	}
}
