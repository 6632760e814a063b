package replay

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// Steps have the numbers that reports and pictures give them: the release of a send is none.
func TestNumbers(t *testing.T) {
	id := func(n uint64) trace.ID { return trace.ID{}.With(n) }
	first := &trace.Trace{Actors: []trace.Actor{{}}, Events: []trace.Event{
		{Step: trace.Step{Kind: trace.Send, ID: id(1), Message: -1}},
		{Step: trace.Step{Kind: trace.Advance, ID: id(2), Message: -1}}}}
	shorter := &trace.Trace{Actors: first.Actors, Events: first.Events[:1]}
	for _, x := range []struct {
		first, second *trace.Trace
		event         int
	}{{first, first, 1}, {shorter, first, 1}, {first, shorter, 1}} {
		r := NewRepeat(x.first)
		r.report(x.second, x.event, "so", 0)
		if text := r.Divergence().Text; !strings.Contains(text, "and step 1 differed") {
			t.Errorf("%s", text)
		}
	}
	f := New(nil)
	if why := f.why(first, trace.Forced{ID: id(2)}); why != "it already happened as step 1" {
		t.Error(why)
	}
}
