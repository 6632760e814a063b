// Package failing runs tests whose failures are wanted.
package failing

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// recorder is a test that writes down its failures.
type recorder struct {
	testing.TB
	text     strings.Builder
	cleanups []func()
}

func (*recorder) Helper()                     {}
func (r *recorder) Cleanup(f func())          { r.cleanups = append(r.cleanups, f) }
func (r *recorder) Error(args ...any)         { fmt.Fprintln(&r.text, args...) }
func (r *recorder) Errorf(f string, a ...any) { fmt.Fprintf(&r.text, f+"\n", a...) }
func (r *recorder) Fatalf(f string, a ...any) { r.Errorf(f, a...); panic(errFatal) }
func (r *recorder) Fatal(args ...any)         { r.Error(args...); panic(errFatal) }

var errFatal = errors.New("Fatal")

// Said runs a test with its cleanups and gives what it says, "" if it passes.
func Said(test func(testing.TB)) string {
	r := &recorder{}
	func() {
		defer func() {
			if v := recover(); v != nil && v != any(errFatal) {
				panic(v)
			}
		}()
		test(r)
	}()
	for _, f := range r.cleanups {
		f()
	}
	return r.text.String()
}
