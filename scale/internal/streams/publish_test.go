package streams

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/rehearse-go/rehearse/scale/internal/broker"
)

// proxy stands between a client and a server. While it is deaf, what the server says is dropped.
type proxy struct {
	deaf  atomic.Bool
	heard chan bool // something was dropped
	mu    sync.Mutex
	conns []net.Conn
}

// listen gives the access of a server through the proxy.
func (p *proxy) listen(t *testing.T, a broker.Access) broker.Access {
	t.Helper()
	p.heard = make(chan bool, 1)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", strings.TrimPrefix(a.URL, "nats://"))
			if err != nil {
				client.Close()
				continue
			}
			p.mu.Lock()
			p.conns = append(p.conns, client, server)
			p.mu.Unlock()
			go func() { io.Copy(server, client); server.Close() }()
			go p.speak(client, server)
		}
	}()
	return broker.Access{URL: "nats://" + l.Addr().String(), Token: a.Token}
}

func (p *proxy) speak(client, server net.Conn) {
	defer client.Close()
	b := make([]byte, 1<<16)
	for {
		n, err := server.Read(b)
		if err != nil {
			return
		}
		if p.deaf.Load() {
			select {
			case p.heard <- true:
			default:
			}
			continue
		}
		if _, err := client.Write(b[:n]); err != nil {
			return
		}
	}
}

// cut ends all connections, and lets new ones hear.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.deaf.Store(false)
	for _, c := range p.conns {
		c.Close()
	}
	p.conns = nil
}

// The connection breaks after the server stored a message, and before its answer. Trying again finds the own message
// there, and that is a win. Where somebody else's is there, it is none.
func TestAnswerIsLost(t *testing.T) {
	t.Parallel()
	direct := newJob(t, Options{})
	p := &proxy{}
	ctx := within(t)
	j, err := Open(ctx, connect(t, p.listen(t, serverOf(t))), direct.Name(), direct.ID())
	must(t, err)
	for i, size := range []int{10, 2 << 20} {
		name := fmt.Sprint("r.", i)
		type answer struct {
			won bool
			err error
		}
		ours := make(chan answer)
		p.deaf.Store(true)
		go func() {
			won, err := j.PublishResult(ctx, name, bytes.Repeat([]byte("o"), size))
			ours <- answer{won, err}
		}()
		<-p.heard // the answer
		if size > maxInline {
			p.cut() // it was that to the question before the object is sent
		} else {
			for done := false; !done; {
				done, err = direct.Done(ctx, name)
				must(t, err)
			}
			won, err := direct.PublishResult(ctx, name, []byte("theirs"))
			if won || err != nil {
				t.Errorf("they won: %v, %v", won, err)
			}
			p.cut()
		}
		if got := <-ours; !got.won || got.err != nil {
			t.Errorf("%s: our result won: %v, %v", name, got.won, got.err)
		}
	}
	all := results(t, direct, 2)
	if string(all[0].Data) != "oooooooooo" || len(all[1].Data) != 2<<20 {
		t.Errorf("the results have %d and %d bytes", len(all[0].Data), len(all[1].Data))
	}
}

// A note that something is begun is stored, and whoever makes it hears nothing of that before all is stopped. It has
// begun nothing, so the note is taken back: else its machine would count as one that vanished.
func TestNoteOfNothingBegun(t *testing.T) {
	t.Parallel()
	direct := newJob(t, Options{})
	p := &proxy{}
	ctx, stop := context.WithCancel(within(t))
	j, err := Open(ctx, connect(t, p.listen(t, serverOf(t))), direct.Name(), direct.ID())
	must(t, err)
	p.deaf.Store(true)
	failed := make(chan error)
	go func() {
		_, err := j.Begin(ctx, "t1", "a")
		failed <- err
	}()
	begun := func() []string {
		names, err := direct.Begun(within(t), "t1")
		must(t, err)
		return names
	}
	for len(begun()) == 0 {
		time.Sleep(time.Millisecond)
	}
	stop()
	p.deaf.Store(false)
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("%v: want that it was stopped", err)
	}
	if names := begun(); len(names) > 0 {
		t.Errorf("the note of %v is there still", names)
	}
}

// Messages that the server sent are lost on their way, and nothing else happens: a server of a cluster dies that the
// client is not connected to. Whoever waits notices that no heartbeats come, and asks again.
func TestMessagesAreLost(t *testing.T) {
	t.Parallel()
	direct := newJob(t, Options{AckWait: time.Second})
	p := &proxy{}
	ctx := within(t)
	j, err := Open(ctx, connect(t, p.listen(t, serverOf(t))), direct.Name(), direct.ID())
	must(t, err)
	j.heartbeat = 500 * time.Millisecond
	pulled, read := make(chan *Task), make(chan Result)
	go func() {
		task, err := j.PullTask(ctx)
		if err != nil {
			t.Error(err)
		}
		pulled <- task
	}()
	go j.FoldResults(ctx, 0, func(r Result) error { read <- r; return nil })
	must(t, direct.PublishTask(ctx, "warm", nil)) // the first pull is looked after in another way
	must(t, (<-pulled).Ack(ctx))
	for name := range []int{0, 1} {
		_, err := direct.PublishResult(ctx, fmt.Sprint(name), nil)
		must(t, err)
		if name == 0 {
			<-read
			go func() {
				task, err := j.PullTask(ctx)
				if err != nil {
					t.Error(err)
				}
				pulled <- task
			}()
			depth(t, direct, Depth{Waiting: 1})
			p.deaf.Store(true)
			must(t, direct.PublishTask(ctx, "lost", nil))
			<-p.heard
		}
	}
	time.Sleep(50 * time.Millisecond) // the result may still be on its way
	p.deaf.Store(false)
	if r := <-read; r.Name != "1" || r.Seq != 2 || r.Err != nil {
		t.Errorf("%+v: want the second result", r)
	}
	if task := <-pulled; task.Name != "lost" || task.Deliveries < 2 {
		t.Errorf("%s was delivered %d times", task.Name, task.Deliveries)
	}
}

// A question that never reached the server is asked again, and may lose to others.
func TestQuestionIsLost(t *testing.T) {
	t.Parallel()
	direct := newJob(t, Options{})
	p := &proxy{}
	ctx := within(t)
	j, err := Open(ctx, connect(t, p.listen(t, serverOf(t))), direct.Name(), direct.ID())
	must(t, err)
	won, err := direct.PublishResult(ctx, "a", []byte("theirs"))
	if !won || err != nil {
		t.Fatalf("they won: %v, %v", won, err)
	}
	p.deaf.Store(true)
	lost := make(chan error)
	go func() {
		won, err := j.PublishResult(ctx, "a", []byte("ours"))
		if won {
			err = errors.New("ours won")
		}
		lost <- err
	}()
	<-p.heard
	p.cut()
	must(t, <-lost)
	if all := results(t, direct, 1); string(all[0].Data) != "theirs" {
		t.Errorf("the result is %q", all[0].Data)
	}
}

// unanswered is a server that stores a message without an answer, and then has no space.
type unanswered struct {
	jetstream.JetStream
	attempts int
}

func (u *unanswered) PublishMsg(ctx context.Context, m *nats.Msg, o ...jetstream.PublishOpt) (*jetstream.PubAck,
	error) {
	if u.attempts++; u.attempts > 1 {
		return nil, &jetstream.APIError{Code: 503, ErrorCode: codeInsufficientResources}
	}
	if _, err := u.JetStream.PublishMsg(ctx, m, o...); err != nil {
		return nil, err
	}
	return nil, nats.ErrTimeout
}

// Large data stay where they are if it is not known whether the message that refers to them was stored.
func TestUnansweredLargeResult(t *testing.T) {
	t.Parallel()
	ctx, j := within(t), newJob(t, Options{})
	real := j.js
	j.js = &unanswered{JetStream: real}
	if _, err := j.PublishResult(ctx, "a", make([]byte, maxInline+1)); !errors.Is(err, ErrFull) {
		t.Errorf("%v: want that the store is full", err)
	}
	j.js = real
	if r := results(t, j, 1)[0]; r.Err != nil || len(r.Data) != maxInline+1 {
		t.Errorf("%d bytes, %v", len(r.Data), r.Err)
	}
}
