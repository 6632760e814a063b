package adapter

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/rehearse-go/rehearse/internal/goroutine"
)

// This file has what frameworks need alike that offer no hook before the program hands a system of theirs over, and of
// which unexported fields are known for certain versions.

// Handover is where the framework F of the System that is explored stands, so that what the program hands over finds
// it. The zero value is ready.
type Handover[F any] struct {
	mu sync.Mutex
	f  *F
}

// Set has systems be handed over to f, and gives what takes that back: Framework.Install.
func (h *Handover[F]) Set(f *F) (remove func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	before := h.f
	h.f = f
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.f = before
	}
}

// Framework gives the framework of the execution that runs. If there is none, the execution is refused with the error.
func (h *Handover[F]) Framework(rt *Runtime, none error) *F {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.f == nil {
		rt.Refuse(none)
	}
	return h.f
}

// Module is the module of a framework of which one version is supported.
type Module struct{ Path, Supported string }

// Unsupported is the error that the version which is linked differs from the supported one in something.
func (m Module) Unsupported(what string) error {
	version := LinkedVersion(m.Path)
	if version == "" {
		version = "an unknown version"
	}
	return fmt.Errorf("%s %s is not supported: %s is not as the adapter knows it; use %s %s, or report the version",
		m.Path, version, what, m.Path, m.Supported)
}

// Layout reads what an adapter has to know of the framework's types into L, once. A panic, as of a type that is not
// there, is the error Unsupported.
func Layout[L any](m Module, read func(*L) error) func() (*L, error) {
	return sync.OnceValues(func() (l *L, err error) {
		defer func() {
			if p := recover(); p != nil {
				err = m.Unsupported(fmt.Sprint(p))
			}
		}()
		l = new(L)
		return l, read(l)
	})
}

// LinkedVersion names the version of a module in this binary, "" if nothing tells: the build information of some tests
// names none.
func LinkedVersion(module string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, m := range info.Deps {
		switch {
		case m.Path != module:
		case m.Replace != nil:
			return m.Version + " (replaced by " + m.Replace.Path + " " + m.Replace.Version + ")"
		default:
			return m.Version
		}
	}
	return ""
}

// Caller is the first place on this goroutine's stack above functions whose names begin with one of the prefixes, as in
// "called at bank.go:12".
func Caller(prefixes ...string) string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if !hasPrefix(f.Function, prefixes) {
			return fmt.Sprintf("called at %s:%d", f.File, f.Line)
		}
	}
	return "called"
}

func hasPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// HangsIn gives the first function of those that in knows on the stacks of an execution which has hung. It is "" if err
// is another error, or none of them is there.
func HangsIn(err error, in func(function string) bool) (function string) {
	var stuck *goroutine.StuckError
	if !errors.As(err, &stuck) {
		return ""
	}
	for _, line := range strings.Split(stuck.Stacks, "\n") {
		if !strings.HasPrefix(line, "\t") && in(line) {
			function, _, _ = strings.Cut(line, "(0x")
			return function
		}
	}
	return ""
}

// Inert has what an Actor never does that is no actor of the program's: it neither fails nor stops.
type Inert struct{}

// Failed is Actor.Failed: what it runs is ours, and must not fail.
func (Inert) Failed(reason, _ any) { panic(reason) }

// Ready is Actor.Ready.
func (Inert) Ready() bool { return true }

// Gone is Actor.Gone.
func (Inert) Gone() bool { return false }

// Stay is Actor.Stay.
func (Inert) Stay() bool { return true }

// Leave is Actor.Leave.
func (Inert) Leave() {}

// Timed is Actor.Timed.
func (Inert) Timed() bool { return false }

// Deadline is Actor.Deadline.
func (Inert) Deadline() Deadline { return Deadline{} }

// Changed is Actor.Changed.
func (Inert) Changed() bool { return false }

// Crash is Actor.Crash.
func (Inert) Crash() {}

// Restart is Actor.Restart.
func (Inert) Restart() {}

// Count is Actor.Count.
func (Inert) Count(int) {}
