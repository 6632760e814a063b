package session

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/byhand"
	"github.com/rehearse-go/rehearse/internal/child"
	"github.com/rehearse-go/rehearse/trace"
)

// An infinite estimate is left out: it has no JSON. A number that has none is told of, and is no reason to end.
func TestWatchedWithoutJSON(t *testing.T) {
	inf := math.Inf(1)
	for e, want := range map[explore.Estimate]bool{{Total: 2, Low: 1, High: 3}: true, {Total: 2, Low: 1, High: inf}: false,
		{Total: inf, Low: 1, High: inf}: false, {Total: 1, Low: math.NaN(), High: 1}: false} {
		if got := finite(e); got.Known() != want || want && got != e {
			t.Errorf("%v is told as %v", e, got)
		}
	}
	s := prepared(t, "naive", bank())
	var news []byhand.News
	w := &watch{s: s, send: func(n byhand.News) error {
		if news = append(news, n); len(news) == 1 {
			return fmt.Errorf("%w: +Inf", child.ErrEncode)
		}
		return nil
	}}
	w.tell()
	if len(news) != 2 || !strings.Contains(news[1].Error, "+Inf") {
		t.Errorf("told was %+v", news)
	}
}

// A violation that is not made small is told with the reason: it does not repeat, or there are too many.
func TestWatchedNotMadeSmall(t *testing.T) {
	executed := 0
	s := prepared(t, "naive", begins(func(*actor.Context, handler) {
		if executed == 1 {
			panic("once")
		}
	}, &executed))
	var told []byhand.Found
	if err := s.exploreTelling(func(n byhand.News) error { told = append(told, n.Found...); return nil }); err != nil {
		t.Fatal(err)
	}
	last := map[string]byhand.Found{}
	for _, f := range told {
		last[f.Kind] = f
	}
	f := last[trace.Panic.String()]
	if f.Minimal || !strings.Contains(f.Note, "something else") || !strings.Contains(f.Note, "no schedule to save") {
		t.Errorf("what does not repeat is told as %+v", f)
	}
	for len(s.Raws) <= mostStudied {
		s.Raws = append(s.Raws, s.Raws[0])
	}
	if f := s.watch.studied(mostStudied); f.Minimal || !strings.Contains(f.Note, "only the first 20") {
		t.Errorf("number %d is told as %+v", mostStudied+1, f)
	}
}
