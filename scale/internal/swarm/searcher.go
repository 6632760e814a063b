package swarm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/rehearse-go/rehearse/internal/child"
	"github.com/rehearse-go/rehearse/internal/targets"
	"github.com/rehearse-go/rehearse/scale/internal/bundle"
	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// convicted is how often a process must die of the same target alone until nobody searches for that any more. One death
// may be the machine's fault.
const convicted = 2

// mostStillborn is how many processes may die in a row before they have read the program.
const mostStillborn = 3

// searcher is the hand of a job of targets: a process that has read the program, and searches for those of its tasks.
type searcher struct {
	notes
	stage *bundle.Stage
	temp  string // folder
	of    targetsOf
	names []string

	mu      sync.Mutex // of what is below
	p       *child.Process
	stopped bool
}

// perform searches for the targets of a task. Where the process dies, each of several is searched for alone, so that
// the deadly one is known.
func (s *searcher) perform(t *streams.Task) (*result, error) {
	numbers, err := decodeSearch(t.Data, s.of.Number)
	if err != nil {
		return &result{Error: "it is none: " + err.Error()}, nil
	}
	if t.Deliveries > 1 {
		answers, err := s.again(t.Name, numbers)
		if errors.Is(err, context.Canceled) {
			err = errStopped
		}
		return &result{Answers: answers}, err
	}
	answers, died, err := s.search(numbers)
	if err != nil || died == nil {
		return &result{Answers: answers}, err
	}
	answers = nil
	for _, n := range numbers {
		deaths := 0
		if len(numbers) == 1 {
			deaths = 1
		}
		one, err := s.alone(n, deaths, died)
		if err != nil {
			return nil, err
		}
		answers = append(answers, one)
	}
	return &result{Answers: answers}, nil
}

// noteOf names the notes about a target of a task.
func noteOf(task string, target int) string { return fmt.Sprintf("%s.%d", task, target) }

// again searches for the targets of a task that somebody had before, whose machine may have died of one of them. Each
// is searched for alone, and noted. Whether that can be done is asked of all of them before: else the first ones would
// be searched for again and again until it is clear about the others.
func (s *searcher) again(task string, numbers []int) (answers []json.RawMessage, err error) {
	sentences := make([]string, len(numbers))
	for i, n := range numbers {
		if sentences[i], err = s.convict(noteOf(task, n), "the search for it"); err != nil {
			return nil, err
		}
	}
	if _, err := s.ready(); err != nil { // to read the program is not to search
		return nil, err
	}
	for i, n := range numbers {
		if sentences[i] != "" {
			answers = append(answers, targets.Died(s.names[n], sentences[i]))
			continue
		}
		over, err := s.begin(noteOf(task, n))
		if err != nil {
			return nil, err
		}
		one, err := s.alone(n, 0, nil)
		over()
		if err != nil {
			return nil, err
		}
		answers = append(answers, one)
	}
	return answers, nil
}

// alone searches for one target, which the process has died of so often.
func (s *searcher) alone(n, deaths int, died *death) (json.RawMessage, error) {
	for ; deaths < convicted; deaths++ {
		answers, again, err := s.search([]int{n})
		if err != nil {
			return nil, err
		}
		if died = again; died == nil {
			return answers[0], nil
		}
	}
	return targets.Died(s.names[n], fmt.Sprintf("its search has ended the process %d times: %s", convicted, died)), nil
}

// death is how a process ended, and its last words.
type death struct{ how, words string }

func (d *death) String() string {
	return fmt.Sprintf("%s: %.500s", d.how, cmp.Or(strings.Join(strings.Fields(d.words), " "), "it has said nothing"))
}

// search has the process search. died: it did not survive that.
func (s *searcher) search(numbers []int) (answers []json.RawMessage, died *death, err error) {
	p, err := s.ready()
	if err != nil {
		return nil, nil, err
	}
	var did targets.Did
	if err := p.Send(targets.Do{Search: numbers}); err != nil {
		return nil, s.lose(p), s.unlessStopped(nil)
	}
	if err := p.Receive(&did); err != nil {
		return nil, s.lose(p), s.unlessStopped(nil)
	}
	if did.Error != "" {
		return nil, nil, s.unlessStopped(fmt.Errorf("%s", did.Error))
	}
	return did.Answers, nil, checkAnswers(did.Answers, len(numbers))
}

// ready gives the process when it has read the program, and found the targets that the job is about.
func (s *searcher) ready() (*child.Process, error) {
	for stillborn := 1; ; stillborn++ {
		s.mu.Lock()
		p := s.p
		s.mu.Unlock()
		if p != nil {
			return p, nil
		}
		p, err := s.start()
		if err != nil {
			return nil, err
		}
		var r targets.Ready
		if err := p.Receive(&r); err != nil {
			died := s.lose(p)
			if err := s.unlessStopped(nil); err != nil {
				return nil, err
			}
			if stillborn == mostStillborn {
				return nil, fmt.Errorf("the process that reads the program ends before it has done so: %s", died)
			}
			continue
		}
		if r.Digest() != s.of.List {
			return nil, fmt.Errorf("the program has %d targets here, and others than where the job began (%d): is something "+
				"that it is built of not among its sources?", len(r.Names), s.of.Number)
		}
		s.names = r.Names
		return p, nil
	}
}

func (s *searcher) start() (*child.Process, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return nil, errStopped
	}
	cmd := s.stage.Command(context.Background(), nil, []string{"TMPDIR=" + s.temp})
	p, err := child.Start(cmd, targets.Variable)
	s.p = p
	return p, err
}

// lose forgets the process, which is dead, or says what it should not.
func (s *searcher) lose(p *child.Process) *death {
	p.Kill()
	how := "it was stopped"
	if err := p.Wait(); err != nil {
		how = err.Error()
	}
	p.HangUp()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.p = nil
	return &death{how, p.Output()}
}

// unlessStopped is an error, or errStopped if the hand was stopped.
func (s *searcher) unlessStopped(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return errStopped
	}
	return err
}

// Divide does nothing: a task is small.
func (s *searcher) Divide(int) {}

// Stop ends the process. What it has begun is not done, and comes back.
func (s *searcher) Stop() {
	s.mu.Lock()
	s.stopped = true
	s.mu.Unlock()
	s.Kill()
}

// Abandon is Stop: a search is not ended early.
func (s *searcher) Abandon() { s.Stop() }

// Kill ends the process.
func (s *searcher) Kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.p != nil {
		s.p.Kill()
	}
}

// Close ends the process when nothing is performed.
func (s *searcher) Close() {
	s.mu.Lock()
	p := s.p
	s.mu.Unlock()
	if p != nil {
		s.lose(p)
	}
}
