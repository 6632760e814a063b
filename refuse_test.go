package rehearse

import (
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
)

// What cannot be explored is refused with what is wrong and what to do.
func TestNoSystem(t *testing.T) {
	folder(t)
	var none *actor.System
	for _, sys := range []System{nil, none} {
		f, _ := try(t, Config{}, sys, env{})
		contains(t, f.text(), "rehearse: there is no program to explore: the System is nil; want what actor.New gives")
		if _, err := Explore(Config{}, sys); err == nil || !strings.Contains(err.Error(), "the System is nil") {
			t.Errorf("Explore gives %v", err)
		}
	}
}

func TestNoFunction(t *testing.T) {
	folder(t)
	for name, program := range map[string]func(*T){
		"SetUp":   func(t *T) { t.SetUp(nil) },
		"AtEnd":   func(t *T) { t.AtEnd(nil) },
		"Cleanup": func(t *T) { t.Cleanup(nil) },
	} {
		f, _ := try(t, Config{}, actor.New(func(t *T, _ *actor.Context) { program(t) }), env{})
		contains(t, f.text(), "rehearse: "+name+" got no function: it is nil")
	}
	defer func() {
		if r, _ := recover().(string); !strings.Contains(r, "actor.New got no test function") {
			t.Errorf("recovered %q", r)
		}
	}()
	actor.New(nil)
}

func TestMistypedVariable(t *testing.T) {
	folder(t)
	t.Setenv("REHEARSE_BUGDET", "5x")
	f, _ := try(t, Config{}, bank(true), env{})
	contains(t, f.text(), "environment variable REHEARSE_BUGDET is not known: did you mean REHEARSE_BUDGET?")
	if _, err := Explore(Config{}, bank(true)); err == nil || !strings.Contains(err.Error(), "REHEARSE_BUDGET?") {
		t.Errorf("Explore gives %v", err)
	}
}

// Who hangs is named.
func TestHanging(t *testing.T) {
	folder(t)
	never := func() { <-make(chan int) }
	for want, program := range map[string]func(*T){
		"SetUp does not end: no progress for 50ms": func(t *T) { t.SetUp(never) },
		"the test function does not end":           func(*T) { never() },
		"final check or clean-up (AtEnd, Cleanup)": func(t *T) { t.AtEnd(never) },
	} {
		f, _ := try(t, Config{Blocked: 50 * time.Millisecond}, keeps(program), env{})
		contains(t, f.text(), want, "chan receive")
	}
}
