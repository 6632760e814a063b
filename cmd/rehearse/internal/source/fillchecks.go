package source

import (
	"path"
	"path/filepath"
	"slices"

	"github.com/rehearse-go/rehearse/symbolic/reachtest"
	"github.com/rehearse-go/rehearse/symbolic/target"
)

// This file has the invariants and final checks of drivers as targets of fill: that they fail.

// checksLeft lists the checks that no generated test has fail. The tests pass, so no other execution of theirs does. A
// check that has moved since its test was written is known by the text of its line.
func (f *fillRun) checksLeft() []*target.Listed {
	list := slices.DeleteFunc(f.lister.Checks(), func(t *target.Listed) bool { return t.Check == nil })
	shown := reachtest.ShownChecks(f.loaded)
	for _, known := range []func(reachtest.Shown, *target.Listed) bool{f.shownThere, f.shownMoved} {
		list = slices.DeleteFunc(list, func(t *target.Listed) bool {
			at := slices.IndexFunc(shown, func(s reachtest.Shown) bool { return known(s, t) })
			if at >= 0 { // one test is of one check
				shown = slices.Delete(shown, at, at+1)
			}
			return at >= 0
		})
	}
	return list
}

// shownThere reports whether a test is of a check at the place where that is.
func (f *fillRun) shownThere(s reachtest.Shown, t *target.Listed) bool {
	return s.At == path.Base(f.loaded.Position(posOf(t))) && f.shownMoved(s, t)
}

// shownMoved reports whether a test is of a check of the same file whose line says the same.
func (f *fillRun) shownMoved(s reachtest.Shown, t *target.Listed) bool {
	at := f.loaded.Position(posOf(t))
	was, _, _ := reachtest.ParseLine(s.At)
	is, _, _ := reachtest.ParseLine(path.Base(at))
	return was == is && s.Text == f.textOf(at)
}

// textOf gives the text of a line that is named as file.go:line, "" if it cannot be read.
func (r *targetRun) textOf(name string) string {
	file, line, err := reachtest.ParseLine(name)
	if err != nil {
		return ""
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(r.loaded.Dir, file)
	}
	return reachtest.TextOf(file, line)
}
