package uncontrolled

import (
	"os/user"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/goroutine"
)

// CheckLoose explores programs in which a handler does something of the kind: run gives what came of one. who is the
// name of the actor. writes writes a file in a goroutine, which the handler is said to have started, in the words of
// started.
func CheckLoose(t *testing.T, who, started string, writes func(file string),
	run func(t *testing.T, does func()) (explore.Outcome, error)) {
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
		{"GOMAXPROCS", func() { runtime.GOMAXPROCS(2) }, who + " sets GOMAXPROCS", ""},
		{"LockOSThread", runtime.LockOSThread, who + " has its goroutine locked to a thread (runtime.LockOSThread)", ""},
		{"LockOSThread for a while", func() { runtime.LockOSThread(); runtime.UnlockOSThread() }, "", ""},
		{"SetGCPercent", func() { debug.SetGCPercent(50) }, "", "debug.SetGCPercent"},
		{"cgo", callC, "", inC},
		{"a file in a goroutine", func() { writes(file) }, started, ""},
	} {
		if tt.want == started && chance.Numbered() {
			continue // the goroutine ends with its handler, and its orders are explored
		}
		t.Run(tt.name, func(t *testing.T) {
			defer debug.SetGCPercent(debug.SetGCPercent(400))
			out, err := run(t, tt.does)
			if err != nil || out.Complete != (tt.want == "") || !strings.Contains(out.Uncontrolled, tt.want) ||
				!strings.Contains(out.Remarks, tt.told) {
				t.Errorf("error %v, want %q and %q: %+v", err, tt.want, tt.told, out)
			}
		})
	}
}

// callC calls C where the tests are built with cgo: the library looks for a user, who is not the one that it keeps.
func callC() { _, _ = user.LookupId("1") }

// inC is what is told of callC.
var inC = func() string {
	before := runtime.NumCgoCall()
	if callC(); runtime.NumCgoCall() > before {
		return "calls C code (cgo)"
	}
	return "" // built without cgo
}()
