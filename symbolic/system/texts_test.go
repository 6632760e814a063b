package system

import (
	"strconv"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/trace"
)

// line is a text from outside, which till takes apart.
type line struct{ text string }

type till struct{ sum int }

func (c *till) Receive(_ *actor.Context, msg any) {
	m, ok := msg.(line)
	if !ok {
		return
	}
	if verb, amount, _ := strings.Cut(m.text, " "); verb == "pay" {
		if n, err := strconv.Atoi(amount); err == nil {
			c.sum += n
		}
	}
	if c.sum > 500 {
		panic("full")
	}
}

// twinTexts sends a line of which nothing comes.
func twinTexts(t *testing.T) {
	rehearse.Check(t, rehearse.Config{}, actor.New(func(_ *rehearse.T, ctx *actor.Context) { ctx.Send(ctx.Spawn(&till{}), line{"hello"}) }))
}

// TestTextsFromOutside: the text of a message is one of which the compiled handler makes what the way wants.
func TestTextsFromOutside(t *testing.T) {
	p := program(t, ".", ".", "github.com/rehearse-go/rehearse/subjects")
	s, err := p.Start(t.Context(), p.DriversOf(function(t, p, "twinTexts"))[0], Config{})
	if err != nil {
		t.Fatal(err)
	}
	found := p.Search(t.Context(), s, []Goal{{Panic: true}}, trace.Bag, Bounds{Steps: 2, Outside: 2})
	way := found.Ways[0]
	if way == nil {
		t.Fatalf("no way: %v", found.Cuts)
	}
	c := &till{}
	defer func() {
		if recover() == nil {
			t.Errorf("%d messages fill it with %d", len(way.Outside), c.sum)
		}
	}()
	for _, m := range way.Outside {
		c.Receive(nil, line{way.Model.Eval(m.Flat[0].Term).Text})
	}
}
