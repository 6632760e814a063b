package rehearse

import (
	"flag"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/trace"
)

// tester is what Check needs of a testing.T, so that its verdicts can be tested. Fatal does not return.
type tester interface {
	Helper()
	Name() string
	Log(args ...any)
	Error(args ...any)
	Fatal(args ...any)
	Attr(key, value string)
	Cleanup(func())
	Deadline() (time.Time, bool)
	Run(name string, f func(tester)) bool
	Verbose() bool
	Short() bool
	Pattern() string // of -run
}

// goTest is the real tester.
type goTest struct{ *testing.T }

// What is told holds names and texts of the program.

func (t goTest) Log(args ...any) {
	t.T.Helper()
	t.T.Log(trace.Visible(fmt.Sprint(args...)))
}

func (t goTest) Error(args ...any) {
	t.T.Helper()
	t.T.Error(trace.Visible(fmt.Sprint(args...)))
}

func (t goTest) Fatal(args ...any) {
	t.T.Helper()
	t.T.Fatal(trace.Visible(fmt.Sprint(args...)))
}

func (t goTest) Run(name string, f func(tester)) bool {
	t.Helper()
	return t.T.Run(name, func(t *testing.T) {
		t.Helper() // so that a saved schedule that fails is told of at the user's Check
		f(goTest{t})
	})
}
func (goTest) Verbose() bool { return testing.Verbose() }
func (goTest) Short() bool   { return testing.Short() }
func (goTest) Pattern() string {
	if f := flag.Lookup("test.run"); f != nil {
		return f.Value.String()
	}
	return ""
}

// leave ends the test of a worker process, with its cleanups. Nobody looks at the verdict.
func leave(t tester) {
	if s, ok := t.(interface{ SkipNow() }); ok {
		s.SkipNow()
	}
	runtime.Goexit()
}

// tellLate fails the test, or says it with the panic of the testing package if the test is over, too.
func tellLate(t tester, text string) {
	defer func() {
		if r := recover(); r != nil {
			panic(fmt.Sprintf("%s (%v)", text, r))
		}
	}()
	t.Error(text)
}
