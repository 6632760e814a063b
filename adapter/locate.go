package adapter

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/goroutine"
)

// This file says where handlers, and the goroutines that they have started, are blocked for ever.
//
//	assumes: a bubble in which nothing moves; the caller is one of its goroutines
//	cost:    a dump of all stacks: a millisecond, and more where earlier executions have left goroutines behind

// maxLocated is how many deadlocked executions of a System are looked at: in some programs every execution ends in one.
const maxLocated = 64

// Locate is explore.Locator.
func (p *inspection) Locate(actors []int32) (places []string, stacks string) {
	if p.sys.located == maxLocated && !p.ending.Wedged() {
		return nil, ""
	}
	p.sys.located = min(p.sys.located+1, maxLocated)
	var all []stack
	chance.Aside(func() { all = p.waiting(allStacks()) })
	names, at := map[uint64]string{}, map[uint64]string{}
	for _, a := range actors {
		if g := p.cast.actors[a].gid; g != 0 && p.cast.actors[a].waitsFor() == nil {
			names[g] = p.tr.ActorName(a)
		}
	}
	if len(names) == 0 {
		return nil, "" // calls say all
	}
	var b strings.Builder
	for _, s := range all {
		who := names[s.id]
		if who == "" && s.by == "" || len(s.frames) == 0 {
			continue // a handler that waits in a call, or one of ours
		}
		if who == "" {
			who = "a goroutine started at " + s.by
		} else {
			at[s.id] = s.operation + " at " + s.frames[0].place
		}
		fmt.Fprintf(&b, "%s waits: %s\n", who, s.operation)
		for _, f := range s.frames {
			fmt.Fprintf(&b, "    %s  %s\n", f.place, f.function)
		}
	}
	for _, a := range actors {
		places = append(places, at[p.cast.actors[a].gid])
	}
	return places, b.String()
}

// stack is that of a goroutine, as far as it is the program's.
type stack struct {
	id        uint64
	operation string // what it waits in: "chan receive"
	frames    []frame
	by        string // where the program has started it, "" if others have
}

type frame struct{ function, place string }

// waiting reads those stacks of a dump that are of goroutines of this bubble.
func (p *inspection) waiting(dump []string) (found []stack) {
	bubble, me := "", fmt.Sprintf("goroutine %d ", goroutine.ID())
	for _, g := range dump {
		if strings.HasPrefix(g, me) {
			bubble = bubbleOf(g)
		}
	}
	bubble = cmp.Or(bubble, p.ending.place.name) // this may be none of its goroutines
	for _, g := range dump {
		if bubble != "" && bubbleOf(g) == bubble && !strings.HasPrefix(g, me) {
			found = append(found, p.sys.parse(g))
		}
	}
	return found
}

// bubbleOf gives the bubble of a goroutine, as the first line of its stack has it, "" if it is in none.
func bubbleOf(g string) string {
	first, _, _ := strings.Cut(g, "\n")
	_, bubble, _ := strings.Cut(first, "synctest bubble ")
	return bubble
}

// parse reads a stack as runtime.Stack prints it: a line about the goroutine, then two for each frame, innermost first.
func (s *System) parse(g string) (t stack) {
	lines := strings.Split(g, "\n")
	fmt.Sscanf(lines[0], "goroutine %d ", &t.id)
	t.operation = operation(lines[0])
	for i := 1; i+1 < len(lines); i += 2 {
		function, created := strings.CutPrefix(lines[i], "created by ")
		if created {
			function, _, _ = strings.Cut(function, " in goroutine ")
			t.by = s.startedBy(function, placeOf(lines[i+1]), t.frames)
			continue
		}
		function = withoutArguments(function)
		if s.isProgram(function) {
			t.frames = append(t.frames, frame{function[strings.LastIndexByte(function, '/')+1:], placeOf(lines[i+1])})
		}
	}
	return t
}

// startedBy is where a goroutine of the program was started, "" if it is none: where a launcher did, the function that
// it runs has to do.
func (s *System) startedBy(function, place string, frames []frame) string {
	switch {
	case s.isProgram(function):
		return place
	case goroutine.IsLauncher(function) && len(frames) > 0:
		return frames[len(frames)-1].place
	}
	return ""
}

// isProgram reports whether a function is neither of the standard library, of the framework, nor ours.
func (s *System) isProgram(function string) bool {
	return !standard(function) && !goroutine.IsLauncher(function) && !strings.HasPrefix(function, "testing") &&
		!goroutine.IsRehearse(function) && s.framework.Owner(function) == ""
}

// withoutArguments leaves "(0x1c, ...)" out of the line of a frame.
func withoutArguments(function string) string {
	if i := strings.LastIndexByte(function, '('); i > 0 {
		return function[:i]
	}
	return function
}
