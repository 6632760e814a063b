package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/internal/render"
)

// This file shows how far a run is: on a terminal in one line that changes, elsewhere in a line a minute, or as often
// as -progress says. Checks tell it in lines of their output. Where they tell nothing for a while, it says since when:
// nothing looks hung.

// statusEvery is how often Checks are asked to tell, statusElsewhere how often a line is written where nobody looks.
const (
	statusEvery     = 3 * time.Second
	statusElsewhere = time.Minute
	statusStill     = 5 * time.Second // without news this is said
)

// status is the line of one run.
type status struct {
	w        io.Writer // stderr
	terminal bool
	now      func() time.Time
	every    time.Duration // between two lines where there is no terminal

	mu      sync.Mutex
	began   time.Time
	heard   time.Time // of the last line of a Check
	printed time.Time // zero: never
	told    running   // that told it
	running []running // tests that have begun and not ended
	line    string    // what it told, "" before the first
	shown   bool      // the line stands on the terminal
}

// running is a test of a package.
type running struct{ pkg, test string }

// newStatus begins to show, elsewhere than on a terminal each time so long, 0 meaning once a minute. On a terminal that
// can do nothing it is as if there were none.
func newStatus(w io.Writer, every time.Duration, now func() time.Time) *status {
	return &status{w: w, terminal: files.IsTerminal(w) && os.Getenv("TERM") != "dumb", now: now, began: now(),
		every: cmp.Or(every, statusElsewhere)}
}

// tell takes in the line of progress of a Check.
func (s *status) tell(pkg, test, line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.told, s.line, s.heard = running{pkg, test}, strings.TrimPrefix(strings.TrimSpace(line), "rehearse: "), s.now()
	s.show()
}

// event takes in that a test begins or ends. With its package end those that died.
func (s *status) event(e event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch e.Action {
	case "run":
		s.running = append(s.running, running{e.Package, e.Test})
	case "pass", "fail", "skip":
		over := func(r running) bool { return r.pkg == e.Package && (e.Test == "" || r.test == e.Test) }
		s.running = slices.DeleteFunc(s.running, over)
		if over(s.told) {
			s.line = ""
		}
	}
}

// tick is called every second.
func (s *status) tick() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.show()
}

// show shows what is known, if it is time to.
func (s *status) show() {
	now := s.now()
	switch {
	case s.terminal:
		if text := s.text(now); text != "" {
			fmt.Fprintf(s.w, "\r\x1b[K%s", render.Shorten(text, columnsOf(os.Getenv("COLUMNS"))-1))
			s.shown = true
		}
	case s.line != "" && s.printed.IsZero(), now.Sub(latest(s.printed, s.began)) >= s.every:
		fmt.Fprintln(s.w, s.text(now))
		s.printed = now
	}
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// text is the line; "" as long as there is nothing to say.
func (s *status) text(now time.Time) string {
	if s.line == "" {
		if wait := now.Sub(s.began); wait >= statusStill {
			what := "packages are built"
			if n := len(s.running); n > 0 {
				what = path.Base(s.running[n-1].pkg) + "." + s.running[n-1].test + " runs"
			}
			return fmt.Sprintf("rehearse: elapsed: %s: %s", wait.Round(time.Second), what)
		}
		return ""
	}
	text := "rehearse: " + s.told.test + ": " + s.line
	if still := now.Sub(s.heard); still >= statusStill && !strings.Contains(s.line, "last change") {
		text += fmt.Sprintf(", last change: %s ago", still.Round(time.Second))
	}
	return text
}

// clear takes the line from the terminal, for other output.
func (s *status) clear() {
	if s.shown {
		io.WriteString(s.w, "\r\x1b[K")
		s.shown = false
	}
}

// beside gives a writer for other output that may come to the same terminal.
func (s *status) beside(w io.Writer) io.Writer { return besideStatus{s, w} }

type besideStatus struct {
	s *status
	w io.Writer
}

func (b besideStatus) Write(p []byte) (int, error) {
	b.s.mu.Lock()
	defer b.s.mu.Unlock()
	b.s.clear()
	return b.w.Write(p)
}

// run shows the line until the function that it gives is called.
func (s *status) run() (end func()) {
	done, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		t := time.NewTicker(time.Second)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				s.tick()
			case <-done:
				return
			}
		}
	}()
	return func() {
		close(done)
		<-gone
		s.mu.Lock()
		defer s.mu.Unlock()
		s.clear()
	}
}

// columnsOf is the width of a terminal, as the variable COLUMNS says it.
func columnsOf(variable string) int {
	if n, err := strconv.Atoi(variable); err == nil && n > 0 {
		return n
	}
	return 80 // which the narrowest have
}
