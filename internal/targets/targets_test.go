package targets

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/child"
)

// TestMain is also a process that shares three targets. The search for the last one ends when nobody wants it any more.
func TestMain(m *testing.M) {
	value := os.Getenv(Variable)
	if value == "" {
		os.Exit(m.Run())
	}
	s, err := Connect(value)
	if err == nil {
		err = s.Serve(context.Background(), []string{"a", "b", "c"}, search, func(t *Tell) error {
			fmt.Println(len(t.Answers), t.Why)
			return nil
		})
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(3)
	}
	os.Exit(0)
}

func search(ctx context.Context, numbers []int) (answers []json.RawMessage, err error) {
	for _, n := range numbers {
		switch n {
		case 1:
			return nil, errors.New("no room")
		case 2:
			fmt.Println("searching")
			<-ctx.Done()
		}
		answers = append(answers, fmt.Appendf(nil, "%d", n))
	}
	return answers, nil
}

func start(t *testing.T) (*child.Process, Ready) {
	t.Helper()
	p, err := child.Start(exec.Command(os.Args[0]), Variable)
	if err != nil {
		t.Fatal(err)
	}
	var r Ready
	if err := p.Receive(&r); err != nil {
		t.Fatalf("%v: %s", err, p.Output())
	}
	return p, r
}

func TestServe(t *testing.T) {
	p, r := start(t)
	if strings.Join(r.Names, "") != "abc" {
		t.Errorf("targets %q", r.Names)
	}
	for _, c := range []struct {
		numbers []int
		want    string
	}{{[]int{0}, `[0] ""`}, {[]int{0, 1}, `[] "no room"`}, {[]int{0}, `[0] ""`}} {
		var did Did
		if err := p.Send(Do{Search: c.numbers}); err != nil {
			t.Fatal(err)
		}
		if err := p.Receive(&did); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%s %q", did.Answers, did.Error); got != c.want {
			t.Errorf("%v: %s, want %s", c.numbers, got, c.want)
		}
	}
	if err := p.Send(Do{Tell: &Tell{Answers: make([]json.RawMessage, 3), Why: "enough"}}); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err != nil || p.Output() != "3 enough\n" {
		t.Errorf("%v: %q", err, p.Output())
	}
}

// A process whose starter is gone ends, and answers nothing that it has not searched for to the end. So does one that
// is told what is none.
func TestServeEnds(t *testing.T) {
	for _, c := range []struct {
		do   Do
		want string
	}{
		{Do{Search: []int{2}}, "the process that shares the targets has ended"},
		{Do{Search: []int{3}}, "want ascending numbers from 0 to 2"},
		{Do{Search: []int{1, 0}}, "want ascending numbers"},
		{Do{}, "no target is asked for"},
		{Do{Tell: &Tell{}}, "0 answers for 3 targets"},
	} {
		p, _ := start(t)
		if err := p.Send(c.do); err != nil {
			t.Fatal(err)
		}
		p.HangUp()
		var did Did
		if err := p.Receive(&did); err == nil {
			t.Errorf("%+v is answered: %+v", c.do, did)
		}
		if err := p.Wait(); err == nil || !strings.Contains(p.Output(), c.want) {
			t.Errorf("%+v: %v, %s, want %s", c.do, err, p.Output(), c.want)
		}
	}
}

// Lists have the same digest only if they are the same.
func TestDigest(t *testing.T) {
	seen := map[string]string{}
	for _, names := range [][]string{nil, {""}, {"a", "b"}, {"b", "a"}, {"ab"}, {"a\nb"}, {"a\"\n\"b"}} {
		text := fmt.Sprintf("%q", names)
		d := (&Ready{Names: names}).Digest()
		if other, ok := seen[d]; ok {
			t.Errorf("%s has the digest of %s", text, other)
		}
		seen[d] = text
	}
}
