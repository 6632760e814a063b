package protoactor_test

import (
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/goroutine"
)

// A handler that takes its goroutines out of our hands leaves the result incomplete, which says who and how; one that sets the collector is told of.
func TestOutOfOurHands(t *testing.T) {
	if !chance.Available() || !goroutine.Countable() {
		t.Skip(chance.Why())
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	file := filepath.Join(t.TempDir(), "written")
	for _, tt := range []struct {
		name       string
		does       func()
		want, told string // not under control; a remark
	}{
		{"GOMAXPROCS", func() { runtime.GOMAXPROCS(2) }, "a sets GOMAXPROCS", ""},
		{"LockOSThread", runtime.LockOSThread, "a has its goroutine locked to a thread (runtime.LockOSThread)", ""},
		{"LockOSThread for a while", func() { runtime.LockOSThread(); runtime.UnlockOSThread() }, "", ""},
		{"SetGCPercent", func() { debug.SetGCPercent(50) }, "", "debug.SetGCPercent"},
		{"cgo", callsC, "", inC},
		{"a file in a goroutine", func() {
			var all sync.WaitGroup
			all.Go(func() { _ = os.WriteFile(file, []byte("x"), 0o600) })
			all.Wait()
		}, "a starts a goroutine in its handler, at loose_test.go:", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			defer debug.SetGCPercent(debug.SetGCPercent(400))
			s := trial{}.try(t, func(t *explore.T, _ *journal) {
				var a *actor.PID
				system := world(t, func(s *actor.ActorSystem) {
					a = start(s, "a", func(ctx actor.Context) {
						if _, ok := ctx.Message().(tick); ok {
							tt.does()
						}
					})
				})
				system.Root.Send(a, tick{})
				system.Root.Send(a, tick{})
			}, nil)
			if s.err != nil || len(s.violations) > 0 || s.Complete != (tt.want == "") || !strings.Contains(s.Uncontrolled, tt.want) || !strings.Contains(s.Remarks, tt.told) {
				t.Errorf("%v, %d violations, %+v", s.err, len(s.violations), s.Outcome)
			}
		})
	}
}

// callsC calls C where the tests are built with cgo: the library looks for a user, who is not the one that it keeps.
func callsC() { _, _ = user.LookupId("1") }

// inC is what is told of callsC.
var inC = func() string {
	before := runtime.NumCgoCall()
	if callsC(); runtime.NumCgoCall() > before {
		return "calls C code (cgo)"
	}
	return "" // built without cgo
}()
