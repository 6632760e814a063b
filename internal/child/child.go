// Package child starts processes of the program under test and talks with them: a JSON value a line, in each
// direction, over two pipes of their own. What the process prints is kept apart from that.
//
//	child.go    the side that starts; the line itself
//	connect.go  the side that was started
//	tail.go     the last words of a process
//
// internal/parallel has workers explore with it, and the explorer of the command has a test show positions.
package child

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"
)

// The file descriptors of the connection in the process that is started: what exec.Cmd makes of the first two
// ExtraFiles.
const (
	fdRead  = 3
	fdWrite = 4
)

// Line is one end of the connection between two processes: a JSON value a line in each direction. One goroutine at a
// time may send, and one receive.
type Line struct {
	r *bufio.Reader
	w io.Writer
}

// NewLine makes a line that reads from r and writes to w.
func NewLine(r io.Reader, w io.Writer) *Line { return &Line{bufio.NewReaderSize(r, 1<<16), w} }

// ErrEncode is that of a value that has no JSON, such as an infinite number. The other end is told nothing of it.
var ErrEncode = errors.New("a value has no JSON")

// Send writes a value. The error is that of the other end, which is gone mostly, or ErrEncode.
func (l *Line) Send(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrEncode, err)
	}
	_, err = l.w.Write(append(b, '\n'))
	return err
}

// Receive reads the next value into v. The error is io.EOF where the other end is gone.
func (l *Line) Receive(v any) error {
	b, err := l.r.ReadBytes('\n')
	if err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}

// Process is a process that was started.
type Process struct {
	*Line
	cmd      *exec.Cmd
	from, to *os.File
	tail     tail
}

// Start starts a command that is not yet started, with a line to it. variable tells the process of the line: Connect
// wants its value there. Wait ends what Start began. What the process prints is kept for Output, unless it goes
// elsewhere already.
func Start(cmd *exec.Cmd, variable string) (*Process, error) {
	ours, theirs, err := pipes()
	if err != nil {
		return nil, err
	}
	p := &Process{cmd: cmd, from: ours[0], to: ours[1]}
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = append(cmd.Env, variable+"="+value())
	cmd.ExtraFiles = theirs
	if cmd.Stdout == nil && cmd.Stderr == nil {
		cmd.Stdout, cmd.Stderr = &p.tail, &p.tail
	}
	cmd.WaitDelay = time.Second // a process that the program left behind may hold stdout
	err = cmd.Start()
	closeAll(theirs)
	if err != nil {
		closeAll(ours)
		return nil, err
	}
	p.Line = NewLine(ours[0], ours[1])
	return p, nil
}

// Wait waits until the process is over, and closes what is read from it. Receive must have ended.
func (p *Process) Wait() error {
	p.from.Close()
	return p.cmd.Wait()
}

// HangUp closes the side that is written to, so that the process knows that nobody needs it.
func (p *Process) HangUp() { p.to.Close() }

// Kill ends the process.
func (p *Process) Kill() { _ = p.cmd.Process.Kill() }

// End kills the process and closes both directions. Receive ends then, even while a process that it has started holds
// the other end of the pipe.
func (p *Process) End() {
	p.Kill()
	p.to.Close()
	p.from.Close()
}

// PID is the number of the process.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Output is the end of what the process has printed.
func (p *Process) Output() string { return p.tail.String() }

func value() string { return strconv.Itoa(fdRead) + "," + strconv.Itoa(fdWrite) }

// pipes gives our and their ends: to read and to write.
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
