package rehearse

import (
	"runtime"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
)

// keeps is a program of which an execution may use the T of another one.
func keeps(f func(t *T)) System {
	return actor.New(func(t *T, ctx *actor.Context) {
		f(t)
		ctx.Send(ctx.Spawn(&account{}), deposit{1})
	})
}

// A failure that is reported when its execution is over fails the Check: nothing else would tell.
func TestFailureAfterItsExecution(t *testing.T) {
	folder(t)
	program := func() System {
		var first *T
		return keeps(func(t *T) {
			if first != nil {
				first.Errorf("too late")
			}
			first = t
		})
	}
	const want = "a failure was reported at toolate_test.go:"
	f, _ := try(t, Config{Recheck: 1}, program(), env{})
	contains(t, f.text(), want, "after its execution had ended: too late", "T.Cleanup")
	if _, err := Explore(Config{}, program()); err == nil || strings.Count(err.Error(), want) != 1 {
		t.Errorf("Explore gives %v", err)
	}
}

// One that comes after the Check fails the test at once; after Explore, which has no test, it panics.
func TestFailureAfterEverything(t *testing.T) {
	folder(t)
	var kept *T
	f := newFake(t, fake{})
	f.check(Config{}, keeps(func(t *T) { kept = t }), env{})
	if f.failed {
		t.Fatal(f.text())
	}
	kept.Fail()
	contains(t, f.text(), "after its execution had ended: Fail called")

	if _, err := Explore(Config{}, keeps(func(t *T) { kept = t })); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if r, _ := recover().(string); !strings.Contains(r, "after its execution had ended") {
			t.Errorf("recovered %q", r)
		}
	}()
	kept.Fail()
}

// Handlers that are run again, to go back to where they wait, may fail again: that is no failure of somebody else.
func TestFailuresOfRepeatedHandlersAreNotLate(t *testing.T) {
	folder(t)
	r, err := Explore(Config{Strategy: "naive", Checks: Levels{Assertion: Warning}},
		actor.New(func(t *T, ctx *actor.Context) {
			server := ctx.Spawn(actor.Func(func(ctx *actor.Context, _ any) { ctx.Reply(1) }))
			for range 2 {
				ctx.Send(ctx.Spawn(actor.Func(func(ctx *actor.Context, _ any) {
					ctx.T().Error("as always")
					ctx.Call(server, deposit{})
				})), deposit{})
			}
		}))
	if err != nil || !r.Complete || r.Executions < 2 {
		t.Errorf("error %v, %s", err, r)
	}
}

// Goroutines may report failures at the same time.
func TestFailuresOfGoroutines(t *testing.T) {
	folder(t)
	f, _ := try(t, Config{}, actor.New(func(t *T, ctx *actor.Context) {
		done := make(chan bool)
		for range 4 {
			go func() {
				t.Error("from a goroutine")
				done <- t.Failed()
			}()
		}
		for range 4 {
			<-done
		}
		ctx.Send(ctx.Spawn(&account{}), deposit{1})
	}), env{})
	contains(t, f.text(), "assertion: from a goroutine")
}

// A function that is told of the end may not end the goroutine that runs everything: that is said at once.
func TestGoexitAtTheEnd(t *testing.T) {
	folder(t)
	leave := func() { runtime.Goexit() }
	for name, c := range map[string]struct {
		cfg     Config
		program func(*T)
	}{
		"AtEnd":   {Config{}, func(t *T) { t.AtEnd(leave) }},
		"Cleanup": {Config{}, func(t *T) { t.Cleanup(leave) }},
		"Final":   {Config{Final: func(State) error { leave(); return nil }}, func(*T) {}},
		"invariant": {Config{Invariants: []Invariant{{Name: "leaves", Holds: func(State) error { leave(); return nil }}}},
			func(*T) {}},
	} {
		f, _ := try(t, c.cfg, keeps(c.program), env{})
		if got := f.text(); !strings.Contains(got, "runtime.Goexit") || !strings.Contains(got, "testing.T") ||
			strings.Contains(got, "no progress") {
			t.Errorf("%s: %s", name, got)
		}
	}
}
