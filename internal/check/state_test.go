package check

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// answering is a world in which the driver's request m was answered by actor by without a message.
type answering struct {
	*world
	m, by int32
}

func (a answering) Answered(asker int32, f func(request, by int32, answer any)) {
	if asker == 0 {
		f(a.m, a.by, true)
	}
}

// TestStateActors: the driver and stopped actors are left out.
func TestStateActors(t *testing.T) {
	w := newWorld()
	w.status[2] = explore.Status{Stopped: true}
	var all []string
	s := State{w}
	s.Actors(func(name, typ string, value any) bool {
		all = append(all, fmt.Sprint(name, typ, value))
		return true
	})
	if want := []string{"abank.Amap[a:1]", "cbank.Cmap[c:3]"}; !slices.Equal(all, want) {
		t.Errorf("actors %q, want %q", all, want)
	}
	n := 0
	s.Actors(func(string, string, any) bool { n++; return false })
	if n != 1 {
		t.Errorf("%d actors after the first one was enough", n)
	}
	for name, want := range map[string]string{"a": `map["a":1]`, "b": "", "Driver": "", "nobody": ""} {
		if got := s.Text(name); got != want {
			t.Errorf("text of %s: %q, want %q", name, got, want)
		}
	}
	if !s.Like(s.Text("a"), `map["a":<any>]`) || s.Like(s.Text("a"), `map["b":<any>]`) {
		t.Error("a pattern with <any> is not told from another")
	}
}

// TestStateReceived: messages of users and answers come with their sender, and with what it handled when it sent them.
func TestStateReceived(t *testing.T) {
	w := newWorld()
	first := w.send(trace.User, 0, 1, 7)
	w.handle(first)
	w.send(trace.User, 1, 2, "go")
	answer := w.send(trace.Answer, 1, 2, 1.5)
	w.send(trace.System, 1, 2, 'x')
	w.send(trace.Timeout, 1, 2, 'x')
	w.send(trace.Resolution, 2, 2, 8)
	w.send(trace.User, 1, 3, "other")
	w.handle(answer)
	w.send(trace.User, 2, 3, "after an answer")
	for name, want := range map[string][]string{
		"a":      {"7 from Driver"},
		"b":      {`"go" from a on 7`, "1.5 from a on 7", "8 on 7"},
		"c":      {`"other" from a on 7`, `"after an answer" from b`},
		"Driver": {"true from b on 7"},
		"nobody": nil,
	} {
		s := State{answering{w, first, 2}}
		if got := s.Received(name); !slices.Equal(got, want) {
			t.Errorf("%s received %q, want %q", name, got, want)
		}
	}
	if got := (State{plain{w}}).Received("Driver"); got != nil {
		t.Errorf("Driver received %q of an execution without such answers", got)
	}
	for _, event := range []int32{-1, int32(len(w.tr.Events))} {
		if m := (State{w}).handled(event); m != -1 {
			t.Errorf("event %d of %d handles message %d", event, len(w.tr.Events), m)
		}
	}
}
