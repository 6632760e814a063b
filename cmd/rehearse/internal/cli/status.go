package cli

import (
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

// This file shows how far a run is: on a terminal in one line that changes, elsewhere in a line a minute. Checks tell
// it in lines of their output. Where they tell nothing for a while, it says since when: nothing looks hung.

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

	mu      sync.Mutex
	began   time.Time
	heard   time.Time // of the last line of a Check
	printed time.Time // zero: never
	test    string    // that told it
	running []string  // tests that have begun and not ended
	line    string    // what it told, "" before the first
	shown   bool      // the line stands on the terminal
}

// newStatus begins to show. On a terminal that can do nothing it is as if there were none.
func newStatus(w io.Writer, now func() time.Time) *status {
	return &status{w: w, terminal: files.IsTerminal(w) && os.Getenv("TERM") != "dumb", now: now, began: now()}
}

// tell takes in the line of progress of a Check.
func (s *status) tell(test, line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.test, s.line, s.heard = test, strings.TrimPrefix(strings.TrimSpace(line), "rehearse: "), s.now()
	s.show()
}

// event takes in that a test begins or ends.
func (s *status) event(e event) {
	if e.Test == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name := path.Base(e.Package) + "." + e.Test
	switch e.Action {
	case "run":
		s.running = append(s.running, name)
	case "pass", "fail", "skip":
		s.running = slices.DeleteFunc(s.running, func(r string) bool { return r == name })
		if e.Test == s.test {
			s.line = "" // it is over
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
	case s.line != "" && s.printed.IsZero(), now.Sub(latest(s.printed, s.began)) >= statusElsewhere:
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
				what = s.running[n-1] + " runs"
			}
			return fmt.Sprintf("rehearse: elapsed: %s: %s", wait.Round(time.Second), what)
		}
		return ""
	}
	text := "rehearse: " + s.test + ": " + s.line
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
