package parallel

import (
	"encoding/json"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"time"
)

// Command says how to start a worker.
type Command struct {
	Path  string
	Args  []string // without the path
	Env   []string // of the coordinator's environment and this, the last one of a name counts
	Hello json.RawMessage
}

// process is a worker as the coordinator sees it.
type process struct {
	number int
	cmd    *exec.Cmd
	line   *line
	to     *os.File
	tail   tail
	since  time.Time // when the lease began
	lease  *Lease    // nil: it is idle
	ready  bool
	at     int    // the item that it executes, 0 if none
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
	ours, theirs, err := pipes()
	if err != nil {
		return nil, err
	}
	p := &process{number: number, to: ours[1]}
	p.cmd = exec.Command(c.Path, c.Args...)
	p.cmd.Env = append(append(os.Environ(), c.Env...), Variable+"="+strconv.Itoa(fdRead)+","+strconv.Itoa(fdWrite))
	p.cmd.ExtraFiles = theirs
	p.cmd.Stdout, p.cmd.Stderr = &p.tail, &p.tail
	p.cmd.WaitDelay = time.Second // a process that the program left behind may hold stdout
	err = p.cmd.Start()
	closeAll(theirs)
	if err != nil {
		closeAll(ours)
		return nil, err
	}
	p.line = newLine(ours[0], ours[1])
	go p.listen(ours[0], events)
	// A worker that died is noticed by listen.
	_ = p.line.send(c.Hello)
	return p, nil
}

// pipes gives the coordinator's and the worker's ends: to read and to write.
func pipes() (ours, theirs []*os.File, err error) {
	r1, w1, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	r2, w2, err := os.Pipe()
	if err != nil {
		closeAll([]*os.File{r1, w1})
		return nil, nil, err
	}
	return []*os.File{r2, w1}, []*os.File{r1, w2}, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}

func (p *process) listen(from *os.File, events chan<- event) {
	for {
		var w word
		if err := p.line.receive(&w); err != nil {
			from.Close()
			err := p.cmd.Wait()
			if err == nil {
				err = errExited
			}
			events <- event{from: p, died: err}
			return
		}
		events <- event{from: p, word: w}
	}
}

// give sends a lease. That the worker is dead will be heard.
func (p *process) give(l *Lease, now time.Time) {
	p.lease, p.since, p.at, p.asked = l, now, 0, false
	_ = p.line.send(l)
}

// stop is yield for good.
func (p *process) stop() {
	p.asked = true
	_ = p.line.send(Lease{Yield: true, Stop: true})
}

func (p *process) yield() {
	if !p.asked {
		p.asked = true
		_ = p.line.send(Lease{Yield: true})
	}
}

// tail keeps the end of what a worker prints.
type tail struct {
	mu sync.Mutex
	b  []byte
}

const tailSize = 4 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, b...)
	if len(t.b) > 4*tailSize {
		t.b = append(t.b[:0], t.b[len(t.b)-tailSize:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.b[max(0, len(t.b)-tailSize):])
}
