package goroutine

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Lookout finds where a program starts goroutines. A Counter tells that it does, of executions that are over; so the
// next ones are recorded, as a program that starts a goroutine once mostly does it again. A recording is exact: it
// leaves out the runtime's own goroutines, ours, and those of code beside the exploration.
type Lookout struct {
	Program string           // part of the name of our function below which the program's code runs
	Ignored func(Frame) bool // the go statements that do not matter to the program; nil: all do
	// Owner says which part of a framework a function is of, as in "protoactor-go/plugin", "" for code of the program;
	// nil: all is the program's.
	Owner func(function string) string

	recording *Recording
	left      int // executions to be recorded
	alarms    int
	rest      int // executions in which an alarm is not heard
	places    []string
	own       bool // one of places is in code of the program
}

// A recording costs a hundred executions. Where those after an alarm find nothing, the framework most likely gave it,
// and will again. The next ones make fewer, and are further and further apart, so that late executions are looked at
// too.
const (
	recordings = 8 // after the first alarm
	afterwards = 2 // after each of the others
	maxAlarms  = 8
	firstRest  = 8 // doubled with each alarm
	maxPlaces  = 3
)

// Alarm says that goroutines were started in the execution that ends.
func (l *Lookout) Alarm() {
	if len(l.places) > 0 || l.left > 0 || l.rest > 0 || l.alarms == maxAlarms {
		return
	}
	l.left, l.rest = afterwards, firstRest<<l.alarms
	if l.alarms == 0 {
		l.left = recordings
	}
	l.alarms++
}

// Begin is called before an execution, and records it if need be.
func (l *Lookout) Begin() {
	if l.left == 0 && l.rest > 0 {
		l.rest--
	}
	if l.left == 0 || l.recording != nil {
		return
	}
	l.left--
	var err error
	if l.recording, err = Record(); err != nil {
		l.left, l.alarms = 0, maxAlarms // somebody else records, and will go on
	}
}

// End is called after an execution.
func (l *Lookout) End() {
	if l.recording == nil {
		return
	}
	starts, err := l.recording.Stop()
	l.recording = nil
	if err != nil {
		l.left, l.alarms = 0, maxAlarms
		return
	}
	l.places = l.placesIn(starts)
	if len(l.places) > 0 {
		l.left = 0
	}
}

// Found says where the program starts goroutines.
func (l *Lookout) Found(places ...string) {
	l.places = append(l.places, places[:min(len(places), maxPlaces)]...)
}

// Place names a place in the file of a function, which is given with its path: "worker.go:12",
// "protoactor-go/plugin/passivation.go:34" for code of a framework.
func (l *Lookout) Place(function, at string) string {
	at = at[strings.LastIndexByte(at, '/')+1:]
	if l.Owner != nil {
		if of := l.Owner(function); of != "" {
			return of + "/" + at
		}
	}
	l.own = true
	return at
}

// Theirs reports whether all places are in code of a framework.
func (l *Lookout) Theirs() bool { return len(l.places) > 0 && !l.own }

// Wants reports whether the next execution is to be recorded.
func (l *Lookout) Wants() bool { return l.left > 0 }

// Places names where the program was seen to start goroutines: "worker.go:12, worker.go:15", "" if it was not.
func (l *Lookout) Places() string { return strings.Join(l.places, ", ") }

// placesIn gives the places of the program among the starts: below our function, or in goroutines that it has started.
func (l *Lookout) placesIn(starts []Start) (places []string) {
	theirs := map[uint64]bool{}
	for _, s := range starts {
		if len(s.Stack) == 0 {
			theirs[s.ID] = true // it runs the function of a timer, and what that starts is the program's
			continue
		}
		inside := theirs[s.By] ||
			slices.ContainsFunc(s.Stack, func(f Frame) bool { return strings.Contains(f.Function, l.Program) })
		starter := s.Stack[0].Function
		if !inside || s.Coroutine || IsRehearse(starter) || strings.HasPrefix(starter, "runtime.") {
			continue
		}
		theirs[s.ID] = true
		if l.Ignored != nil && l.Ignored(s.Stack[0]) {
			continue
		}
		at := starterOf(s.Stack)
		if p := l.Place(at.Function, fmt.Sprintf("%s:%d", at.File, at.Line)); !slices.Contains(places, p) &&
			len(places) < maxPlaces {
			places = append(places, p)
		}
	}
	return places
}

// module begins the names of our own functions.
var module = strings.TrimSuffix(reflect.TypeFor[Lookout]().PkgPath(), "internal/goroutine")

// IsRehearse reports whether a function belongs to the packages that run programs. Tests of theirs do not: their
// packages have other names, or files.
func IsRehearse(function string) bool {
	rest, ours := strings.CutPrefix(function, module)
	return ours && slices.ContainsFunc([]string{"adapter.", "adapter/goakt.", "adapter/hollywood.", "adapter/protoactor.",
		"actor.", "explore.", "internal/"}, func(p string) bool {
		return strings.HasPrefix(rest, p)
	})
}

// launchers begin the names of functions that start a goroutine for their caller, whose place is wanted.
var launchers = []string{"sync.", "context.", "golang.org/x/sync/errgroup."}

// IsLauncher reports whether a function starts goroutines for its caller, as WaitGroup.Go does.
func IsLauncher(function string) bool {
	return slices.ContainsFunc(launchers, func(p string) bool { return strings.HasPrefix(function, p) })
}

// starterOf is the frame of the go statement, or of the call of a launcher.
func starterOf(stack []Frame) Frame {
	i := slices.IndexFunc(stack, func(f Frame) bool { return !IsLauncher(f.Function) })
	return stack[max(i, 0)]
}
