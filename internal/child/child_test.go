package child_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/child"
)

const variable = "REHEARSE_TEST_CHILD"

// TestMain is the other side too: it prints what it is told and says it back, until it is told to go.
func TestMain(m *testing.M) {
	told := os.Getenv(variable)
	if told == "" {
		os.Exit(m.Run())
	}
	line, err := child.Connect(variable, told)
	if err != nil {
		fmt.Println(err)
		os.Exit(3)
	}
	for {
		var word string
		if err := line.Receive(&word); err != nil {
			os.Exit(0)
		}
		if word == "dump" {
			go dumpWaiting(line)
			continue
		}
		fmt.Println("heard", word)
		if word == "leak" { // does a process of this one hold the line?
			read := exec.Command("sh", "-c", ": <&3").Run() == nil
			write := exec.Command("sh", "-c", ": >&4").Run() == nil
			word = fmt.Sprint(read, write)
		}
		if word == "go" {
			os.Exit(4)
		}
		if err := line.Send(word); err != nil {
			os.Exit(5)
		}
	}
}

// dumpWaiting sends the stack of the goroutine that receives, once it waits.
func dumpWaiting(line *child.Line) {
	for {
		stacks := make([]byte, 1<<16)
		for _, g := range strings.Split(string(stacks[:runtime.Stack(stacks, true)]), "\n\n") {
			if strings.Contains(g, "child.(*Line).Receive(") && !strings.Contains(g, " [runn") {
				_ = line.Send(g)
				return
			}
		}
		runtime.Gosched()
	}
}

// TestParked: who waits for a word keeps no P, which a process may have only one of.
func TestParked(t *testing.T) {
	p := start(t)
	defer p.Wait()
	defer p.HangUp()
	var stack string
	if err := errors.Join(p.Send("dump"), p.Receive(&stack)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(stack, "[IO wait") {
		t.Errorf("the goroutine that receives does not wait for the poller:\n%s", stack)
	}
}

func start(t *testing.T) *child.Process {
	t.Helper()
	p, err := child.Start(exec.Command(os.Args[0]), variable)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestLine: what is sent comes back, however long, and what is printed does not mix with it.
func TestLine(t *testing.T) {
	p := start(t)
	for _, word := range []string{"a", "<\n\x00>", strings.Repeat("long ", 1<<16)} {
		if err := p.Send(word); err != nil {
			t.Fatal(err)
		}
		var back string
		if err := p.Receive(&back); err != nil || back != word {
			t.Fatalf("%d bytes came back, want %d; %v", len(back), len(word), err)
		}
	}
	p.HangUp()
	var word string
	if err := p.Receive(&word); err != io.EOF {
		t.Errorf("after the end: %v, want EOF", err)
	}
	if err := p.Wait(); err != nil {
		t.Error(err)
	}
	if out := p.Output(); !strings.HasSuffix(out, "long \n") {
		t.Errorf("printed: %.100q", out)
	}
}

// TestDeath: of a process that ends, the error and the last words are known.
func TestDeath(t *testing.T) {
	p := start(t)
	if err := p.Send("go"); err != nil {
		t.Fatal(err)
	}
	var word string
	if err := p.Receive(&word); err != io.EOF {
		t.Errorf("received %q, %v", word, err)
	}
	if err := p.Wait(); err == nil || err.Error() != "exit status 4" {
		t.Errorf("ended with %v, want status 4", err)
	}
	if p.Output() != "heard go\n" {
		t.Errorf("printed %q", p.Output())
	}
	if _, err := child.Connect(variable, "7,8"); err == nil || !strings.Contains(err.Error(), "unset it") {
		t.Errorf("a value that nobody set: %v", err)
	}
}

// TestNotHandedOn: what the process starts does not hold the line, or its end would be heard late.
func TestNotHandedOn(t *testing.T) {
	p := start(t)
	var back string
	if err := p.Send("leak"); err != nil {
		t.Fatal(err)
	}
	if err := p.Receive(&back); err != nil || back != "false false" {
		t.Errorf("held for reading and writing: %s, %v", back, err)
	}
	p.HangUp()
	_ = p.Receive(&back)
	_ = p.Wait()
}

// TestEnd: an end is heard although another process holds the line.
func TestEnd(t *testing.T) {
	p, err := child.Start(exec.Command("sh", "-c", "sleep 5 >/dev/null 2>&1 & wait"), variable)
	if err != nil {
		t.Fatal(err)
	}
	p.End()
	var word string
	if err := p.Receive(&word); !errors.Is(err, os.ErrClosed) {
		t.Errorf("received %q, %v; want that the line is closed", word, err)
	}
	_ = p.Wait()
}

// TestNoJSON: a value that cannot be sent is told from an end that is gone.
func TestNoJSON(t *testing.T) {
	var b strings.Builder
	if err := child.NewLine(strings.NewReader(""), &b).Send(math.Inf(1)); !errors.Is(err, child.ErrEncode) ||
		b.Len() > 0 {
		t.Errorf("sent %q, %v", &b, err)
	}
}
