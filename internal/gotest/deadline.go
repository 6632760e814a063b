package gotest

import (
	"flag"
	"testing"
	"time"
)

// began is when this process began, about.
var began = time.Now()

// Deadline is when go test ends this process, for those who are not given a testing.T; zero: never.
func Deadline() time.Time {
	if f := flag.Lookup("test.timeout"); f != nil && testing.Testing() {
		if d, err := time.ParseDuration(f.Value.String()); err == nil && d > 0 {
			return began.Add(d)
		}
	}
	return time.Time{}
}
