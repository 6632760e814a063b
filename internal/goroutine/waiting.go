package goroutine

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Waiting is where a goroutine of the program waits.
type Waiting struct {
	ID       uint64
	For      string  // "chan receive", "sync.Mutex.Lock"
	Frames   []Frame // of the program, innermost first; files without their folders
	Launched Frame   // the go statement, or the call that started it; zero if no code of the program did
}

// At is the innermost frame, the zero Frame if there is none.
func (w *Waiting) At() Frame {
	if len(w.Frames) == 0 {
		return Frame{}
	}
	return w.Frames[0]
}

// WhereWaiting looks where these goroutines wait, in the order of ids. It takes the time of a stack trace of all.
func WhereWaiting(ids []uint64) (found []Waiting) {
	buf := make([]byte, 1<<20)
	for n := runtime.Stack(buf, true); n == len(buf) && n < 1<<27; n = runtime.Stack(buf, true) {
		buf = make([]byte, 2*n)
	}
	all := map[uint64]Waiting{}
	for stack := range strings.SplitSeq(strings.TrimRight(string(buf), "\x00\n"), "\n\n") {
		if w, ok := parseStack(stack); ok {
			all[w.ID] = w
		}
	}
	for _, id := range slices.Sorted(slices.Values(ids)) {
		if w, ok := all[id]; ok {
			found = append(found, w)
		}
	}
	return found
}

// parseStack reads a stack as runtime.Stack prints it: a line about the goroutine, then two for each frame.
func parseStack(stack string) (w Waiting, ok bool) {
	lines := strings.Split(stack, "\n")
	head, state, ok := strings.Cut(lines[0], " [")
	if !ok {
		return w, false
	}
	w.ID = number(strings.TrimPrefix(head, "goroutine "))
	w.For = strings.TrimSpace(state[:strings.IndexAny(state+"]", ",(]")])
	if strings.HasPrefix(state, w.For+" (nil chan)") {
		w.For += " (nil chan)"
	}
	for i := 1; i+1 < len(lines); i += 2 {
		function, created := strings.CutPrefix(lines[i], "created by ")
		f := frameOf(function, lines[i+1])
		switch {
		case created && IsLauncher(f.Function) && len(w.Frames) > 0:
			w.Launched = w.Frames[len(w.Frames)-1]
		case created && isProgram(f.Function):
			w.Launched = f
		case !created && isProgram(f.Function):
			w.Frames = append(w.Frames, f)
		}
	}
	return w, true
}

// frameOf reads the two lines of a frame.
func frameOf(function, place string) (f Frame) {
	f.Function, _, _ = strings.Cut(function, " in goroutine ")
	if i := strings.LastIndexByte(f.Function, '('); i > 0 && strings.HasSuffix(f.Function, ")") && f.Function[i-1] != '.' {
		f.Function = f.Function[:i] // its arguments
	}
	at, _, _ := strings.Cut(strings.TrimSpace(place), " +0x")
	if i := strings.LastIndexByte(at, ':'); i >= 0 {
		f.File, f.Line = filepath.Base(at[:i]), int(number(at[i+1:]))
	}
	return f
}

// isProgram reports whether a function is neither of what people wait in, nor of what starts goroutines, nor ours.
func isProgram(function string) bool {
	return !IsRehearse(function) && !IsLauncher(function) && !strings.HasPrefix(function, "testing.") &&
		!slices.ContainsFunc(
			[]string{"sync.", "sync/", "internal/", "runtime.", "time.", "os.", "net.", "net/", "io."},
			func(p string) bool { return strings.HasPrefix(function, p) })
}

// number reads digits.
func number(s string) (n uint64) {
	for i := 0; i < len(s) && '0' <= s[i] && s[i] <= '9'; i++ {
		n = 10*n + uint64(s[i]-'0')
	}
	return n
}
