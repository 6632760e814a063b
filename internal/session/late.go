package session

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/rehearse-go/rehearse/trace"
)

// Late collects failures that were reported when their execution was over: by a goroutine that outlives it, or by way
// of a T that was kept. They belong to no schedule, and must not be lost.
type Late struct {
	mu    sync.Mutex
	texts []string
	tell  func(string) // takes what comes when the Check or Explore is over, too; nil: that goes on
}

// take is explore.Options.Afterward.
func (l *Late) take(in trace.Incident) {
	text := fmt.Sprintf("a failure was reported at %s after its execution had ended: %s: by a goroutine that "+
		"outlives the execution (end it in T.Cleanup, or wait for it in T.AtEnd), or by the T of another execution "+
		"(use the one that this execution got)",
		in.Where, in.Text)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.tell != nil {
		l.tell("rehearse: " + text)
	} else if len(l.texts) < 10 && !slices.Contains(l.texts, text) {
		l.texts = append(l.texts, text)
	}
}

// Close gives what was collected. What comes later goes to tell.
func (l *Late) Close(tell func(string)) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tell = tell
	var errs []error
	for _, text := range l.texts {
		errs = append(errs, errors.New(text))
	}
	return errors.Join(errs...)
}
