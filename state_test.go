package rehearse_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
)

type shelf struct {
	goods map[string]int
	last  actor.Ref
}

type take struct{ what string }
type taken struct{ left int }

func (s *shelf) Receive(ctx *actor.Context, msg any) {
	switch m := msg.(type) {
	case take:
		s.goods[m.what]--
		s.last = ctx.Sender()
		ctx.Reply(taken{s.goods[m.what]})
	case string:
		ctx.Stop()
	}
}

// What actors hold and receive is told as texts, at the end of each execution: of those that handlers create, too.
func TestStateTexts(t *testing.T) {
	var shelves, till, gone, answers []string
	end := func(s rehearse.State) error {
		shelves, till, gone = []string{s.Text("shelf"), s.Text("nobody"), s.Text("Driver")}, []string{s.Text("till")},
			[]string{s.Text("gone")}
		answers = s.Received("Driver")
		till = append(till, s.Received("till")...)
		return nil
	}
	for _, model := range []rehearse.Model{rehearse.FIFO, rehearse.Mailbox} {
		rehearse.Check(t, rehearse.Config{Strategy: "default", Model: model, Final: end},
			actor.New(func(_ *rehearse.T, ctx *actor.Context) {
				a := ctx.SpawnNamed("shelf", &shelf{goods: map[string]int{"tea": 3, "ink": 1}})
				ctx.Send(ctx.SpawnNamed("gone", &shelf{}), "stop")
				b := ctx.SpawnNamed("till", actor.Func(func(ctx *actor.Context, msg any) {
					if _, ok := msg.(taken); !ok {
						ctx.Send(a, take{"tea"})
					}
				}))
				ctx.Send(b, true)
				ctx.Ask(a, take{"ink"})
				if _, err := ctx.Call(a, take{"tea"}); err != nil {
					panic(err)
				}
			}))
		slices.Sort(answers)
		for _, x := range []struct{ got, want []string }{
			{shelves, []string{"&shelf{goods:map[\"ink\":0 \"tea\":1] last:till}", "", ""}},
			{till, []string{"func", "true from Driver", "taken{left:1} from shelf on take{what:\"tea\"}"}},
			{gone, []string{""}},
			{answers, []string{"taken{left:0} from shelf on take{what:\"ink\"}",
				"taken{left:2} from shelf on take{what:\"tea\"}"}},
		} {
			if !slices.Equal(x.got, x.want) {
				t.Errorf("%v: %q, want %q", model, x.got, x.want)
			}
		}
		if s := (rehearse.State{}); !s.Like(till[1], "<any> from Driver") || s.Like(till[2], "taken{left:<any>} from shelf") {
			t.Errorf("%q: what it is like", till)
		}
	}
}

// Of many actors the states of those are shown that have taken part.
func TestStatesOfManyActors(t *testing.T) {
	r, err := rehearse.Explore(rehearse.Config{}, actor.New(func(t *rehearse.T, ctx *actor.Context) {
		for range 30 {
			ctx.SpawnNamed("idle", &idler{})
		}
		ctx.Send(ctx.SpawnNamed("busy", &idler{}), "fail")
	}))
	if err != nil || len(r.Findings) != 1 {
		t.Fatal(r, err)
	}
	if states := r.Findings[0].States; !strings.HasPrefix(states, "  busy ") ||
		!strings.Contains(states, "11 more actors") {
		t.Errorf("states:\n%s", states)
	}
}

type idler struct{ n int }

func (i *idler) Receive(ctx *actor.Context, _ any) { ctx.T().Error("no") }
