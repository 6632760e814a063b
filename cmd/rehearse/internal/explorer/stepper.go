package explorer

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/rehearse-go/rehearse/internal/byhand"
	"github.com/rehearse-go/rehearse/internal/child"
	"github.com/rehearse-go/rehearse/trace"
)

// How long a process may take until it is given up. A handler that hangs is told by the process itself, after the time
// that its test gives (Config.Blocked). This is for what it does not notice, such as a loop without end.
const (
	startWithin  = 2 * time.Minute // to its Check: what the test does before may be long
	answerWithin = 20 * time.Second
)

// Died tells that the process of the program has ended, or was ended. The next request starts it again.
type Died struct {
	Hung   bool // it did not answer, and was killed
	Status string
	Output string // the end of what it printed
}

func (d *Died) Error() string {
	if d.Hung {
		return "the program did not answer, and was ended: it hangs, or one execution takes too long"
	}
	return "the process of the program died: " + d.Status
}

// process is one process of the program.
type process struct {
	*child.Process
	words chan word
	died  error // why words is closed
}

// word is a JSON value that the process has said.
type word struct {
	answer byhand.Answer
	news   byhand.News
}

// launch starts a process and hears until it is ready. news says that it explores, and tells news after that.
func launch(p *Program, temp string, news bool, running *running) (*process, *byhand.About, error) {
	c, err := child.Start(p.command(temp), byhand.Variable)
	if err != nil {
		return nil, nil, err
	}
	running.set(c)
	k := &process{Process: c, words: make(chan word)}
	go k.listen(news)
	_ = k.Send(p.hello(news)) // that it is dead is heard
	a, err := k.hear(startWithin)
	if err != nil {
		var died *Died
		if errors.As(err, &died) && !died.Hung && died.Status == exitedWell {
			err = fmt.Errorf("%s ran no Check number %d: is the name right, and does it call rehearse.Check? It "+
				"printed:\n%s",
				p.Test, p.Ordinal+1, died.Output)
		}
		return nil, nil, err
	}
	switch {
	case a.answer.Error != "":
		k.end()
		return nil, nil, errors.New(a.answer.Error)
	case a.answer.Ready == nil:
		k.end()
		return nil, nil, fmt.Errorf("the process of %s says something else than that it is ready: a bug of Rehearse", p.Test)
	}
	return k, a.answer.Ready, nil
}

// errClosed says that the server has ended.
var errClosed = errors.New("rehearse explore has ended")

// running is the process that was started last. Others may end it while somebody waits for what it says.
type running struct {
	mu     sync.Mutex
	c      *child.Process
	closed bool // every process is to end
}

func (r *running) set(c *child.Process) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.c = c; r.closed {
		c.End()
	}
}

// close ends the process, and those that are started from now on.
func (r *running) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed = true; r.c != nil {
		r.c.End()
	}
}

func (r *running) now() *child.Process {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.c
}

func (r *running) isClosed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.closed
}

const exitedWell = "it exited"

// listen takes what the process says. The first word is always an answer.
func (k *process) listen(news bool) {
	defer close(k.words)
	for first := true; ; first = false {
		var w word
		var err error
		if news && !first {
			err = k.Receive(&w.news)
		} else {
			err = k.Receive(&w.answer)
		}
		if err == nil {
			k.words <- w
			continue
		}
		if !errors.Is(err, io.EOF) {
			k.Kill()
		}
		status := exitedWell
		if err := k.Wait(); err != nil {
			status = err.Error()
		}
		k.died = &Died{Status: status, Output: trace.Visible(strings.ToValidUTF8(k.Output(), "\ufffd"))}
		return
	}
}

// hear is the next word.
func (k *process) hear(within time.Duration) (word, error) {
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case w, ok := <-k.words:
		if !ok {
			return w, k.died
		}
		return w, nil
	case <-timer.C:
		k.end()
		output := ""
		if d, ok := k.died.(*Died); ok {
			output = d.Output
		}
		return word{}, &Died{Hung: true, Output: output}
	}
}

// end ends the process, and waits for that.
func (k *process) end() {
	k.End()
	for range k.words {
		// What it still says is not wanted.
	}
}

// stepper goes to positions of one program, one at a time.
type stepper struct {
	temp    string
	within  time.Duration // for an answer
	mu      sync.Mutex
	program *Program
	process *process // nil: it is not running
	about   *byhand.About
	running running
}

// use has the stepper go on with another program.
func (s *stepper) use(p *Program) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop()
	s.program, s.about = p, nil
}

func (s *stepper) stop() {
	if s.process != nil {
		s.process.end()
		s.process = nil
	}
}

// close ends the process, also while somebody waits for an answer of it, and starts none any more.
func (s *stepper) close() {
	s.running.close()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop()
}

// know says what the program is about. It starts the process if it is not running.
func (s *stepper) know() (*byhand.About, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.start(); err != nil {
		return nil, err
	}
	return s.about, nil
}

func (s *stepper) start() (err error) {
	if s.running.isClosed() {
		return errClosed
	}
	if s.process == nil {
		s.process, s.about, err = launch(s.program, s.temp, false, &s.running)
	}
	return err
}

// ask asks for a position. A *Died error says that the program has not survived it, or hangs.
// digest is that of the program that answered.
func (s *stepper) ask(r *byhand.Request) (a *byhand.Answer, digest string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.start(); err != nil {
		return nil, "", err
	}
	_ = s.process.Send(r) // that it is dead is heard
	within := max(s.within, time.Duration(s.about.Blocked)+s.within)
	w, err := s.process.hear(within)
	if err != nil {
		s.process = nil
		return nil, "", err
	}
	if w.answer.Dead {
		s.stop()
	}
	if w.answer.Ready != nil {
		s.about = w.answer.Ready
	}
	if w.answer.Error != "" {
		return nil, "", errors.New(w.answer.Error)
	}
	return &w.answer, s.program.digest(s.about), nil
}
