package smtlib

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// Process is a solver that runs as a child. It is started when it is asked, and again after it was ended.
type Process struct {
	path  string
	args  []string
	asked int
	child *child
}

// NewProcess gives the solver that is that program. Nothing is started yet.
func NewProcess(path string, args ...string) *Process { return &Process{path: path, args: args} }

// child is one run of the program.
type child struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    chan string // lines
	quit   chan struct{}
	ended  chan struct{} // closed when the child was waited for
	err    error         // how it ended; read it after ended
	errors bytes.Buffer  // what it said about errors; read it after ended
}

// waitDelay is how long a child that ended may leave its output open, with children of its own.
const waitDelay = 100 * time.Millisecond

func (p *Process) start() error {
	c := &child{cmd: exec.Command(p.path, p.args...), out: make(chan string), quit: make(chan struct{}),
		ended: make(chan struct{})}
	group(c.cmd)
	in, err := c.cmd.StdinPipe()
	if err != nil {
		return err
	}
	reader, writer := io.Pipe()
	c.in, c.cmd.Stdout, c.cmd.Stderr, c.cmd.WaitDelay = in, writer, &c.errors, waitDelay
	if err := c.cmd.Start(); err != nil {
		return err
	}
	go func() {
		c.err = c.cmd.Wait()
		writer.Close()
		close(c.ended)
	}()
	go c.read(reader)
	p.child = c
	return nil
}

// read hands lines on, and after quit throws them away, so that the child's output never blocks.
func (c *child) read(r io.Reader) {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			select {
			case c.out <- strings.TrimRight(line, "\r\n"):
			case <-c.quit:
			}
		}
		if err != nil {
			close(c.out)
			return
		}
	}
}

// Ask sends commands and gives what the solver prints. If the context ends, or the solver does, the child is ended and
// waited for, and there is an error.
func (p *Process) Ask(ctx context.Context, commands string) (string, error) {
	if p.child == nil {
		if err := p.start(); err != nil {
			return "", fmt.Errorf("%s does not start: %w", p.path, err)
		}
	}
	c := p.child
	p.asked++
	mark := fmt.Sprintf("answer-%d", p.asked)
	go io.WriteString(c.in, commands+"(echo \""+mark+"\")\n") // ends with the child, if that does not read
	var answer strings.Builder
	for {
		select {
		case line, ok := <-c.out:
			if !ok {
				p.Close()
				return "", fmt.Errorf("%s ended in the middle of a question: %s", p.path, c.ending())
			}
			if strings.Trim(line, `"`) == mark {
				return answer.String(), nil
			}
			answer.WriteString(line + "\n")
		case <-ctx.Done():
			p.Close()
			return "", fmt.Errorf("%s was ended: %w", p.path, ctx.Err())
		}
	}
}

// ending tells how a child ended that was waited for.
func (c *child) ending() string {
	how := "exit status 0"
	if c.err != nil {
		how = c.err.Error()
	}
	if said := clip(c.errors.String()); said != "" {
		how += ": " + said
	}
	return how
}

// Close ends the child, if there is one, and waits for it.
func (p *Process) Close() error {
	c := p.child
	if c == nil {
		return nil
	}
	p.child = nil
	close(c.quit)
	c.in.Close()
	kill(c.cmd)
	<-c.ended
	return nil
}
