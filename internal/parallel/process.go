package parallel

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/internal/child"
)

// Command says how to start a worker.
type Command struct {
	Path  string
	Args  []string // without the path
	Env   []string // of the coordinator's environment and this, the last one of a name counts
	Alone bool     // Env is the whole environment
	Dir   string   // "": that of the coordinator
	Hello json.RawMessage
}

// process is a worker as the coordinator sees it.
type process struct {
	*child.Process
	number int
	since  time.Time // when the lease began
	lease  *Lease    // nil: it is idle
	ready  bool
	at     int    // the item that it executes, if the lease is careful; else one that it has begun; 0: none
	asked  bool   // to yield
	more   []Part // new items of the report that comes
}

// event is a word from a worker, or its death.
type event struct {
	from *process
	word word
	died error // not nil: there are no more words
}

// start starts a worker whose words arrive in events.
func start(number int, c *Command, events chan<- event) (*process, error) {
	cmd := exec.Command(c.Path, c.Args...)
	cmd.Dir, cmd.Env = c.Dir, slices.Clone(c.Env)
	if !c.Alone {
		cmd.Env = append(os.Environ(), c.Env...)
	}
	started, err := child.Start(cmd, Variable)
	if err != nil {
		return nil, err
	}
	p := &process{Process: started, number: number}
	go p.listen(events)
	// A worker that died is noticed by listen.
	_ = p.Send(c.Hello)
	return p, nil
}

func (p *process) listen(events chan<- event) {
	for {
		var w word
		if err := p.Receive(&w); err != nil {
			err := p.Wait()
			if err == nil {
				err = errExited
			}
			events <- event{from: p, died: err}
			return
		}
		events <- event{from: p, word: w}
	}
}

// note takes note of a word. It gives the report that is whole with it, nil if none is.
func (p *process) note(w *word) (*Report, error) {
	switch {
	case w.Error != "":
		p.ready, p.lease = false, nil
		return nil, errors.New(w.Error)
	case w.Ready:
		p.ready = true
	case w.At > 0:
		p.at = w.At
	case w.More != nil:
		p.more = append(p.more, w.More...)
	case w.Report != nil:
		r := w.Report
		if !r.Void {
			r.New = append(p.more, r.New...)
		}
		p.more = nil
		return r, nil
	}
	return nil, nil
}

// give sends a lease. That the worker is dead will be heard.
func (p *process) give(l *Lease, now time.Time) {
	p.lease, p.since, p.at, p.asked = l, now, 0, false
	_ = p.Send(l)
}

// stop is yield for good.
func (p *process) stop() {
	p.asked = true
	_ = p.Send(Lease{Yield: true, Stop: true})
}

func (p *process) yield() {
	if !p.asked {
		p.asked = true
		_ = p.Send(Lease{Yield: true})
	}
}
