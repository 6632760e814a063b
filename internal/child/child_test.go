package child_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
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
		fmt.Println("heard", word)
		if word == "go" {
			os.Exit(4)
		}
		if err := line.Send(word); err != nil {
			os.Exit(5)
		}
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
