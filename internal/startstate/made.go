package startstate

import (
	"bytes"
	"iter"
	"os"
	"runtime"
	"strings"
	"sync"
)

// lines gives the lines of a file that hold something.
func lines(data []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for line := range bytes.Lines(data) {
			if line = bytes.TrimSpace(line); len(line) > 0 && !yield(line) {
				return
			}
		}
	}
}

// made has the calls that made systems.
var made struct {
	sync.Mutex
	by map[any][]Place
}

// Made notes that a system is made by the function that calls the caller. It does nothing where nobody wants starts.
func Made(system any) {
	if os.Getenv(Variable) == "" {
		return
	}
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	var list []Place
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if strings.HasPrefix(f.Function, "testing.") || strings.HasPrefix(f.Function, "runtime.") {
			break
		}
		list = append(list, Place{f.Function, f.File, f.Line})
	}
	made.Lock()
	defer made.Unlock()
	if made.by == nil {
		made.by = map[any][]Place{}
	}
	made.by[system] = list
}

// PlacesOf gives the calls that made a system.
func PlacesOf(system any) []Place {
	made.Lock()
	defer made.Unlock()
	return made.by[system]
}
