package toy

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// deliveryOrders gives the orders in which the actors of a program can handle their messages. Steps that handle none do
// not count.
func deliveryOrders(t *testing.T, p *Program, cond explore.Conditions, limit int) (orders map[string]bool, all bool) {
	t.Helper()
	s := NewSystem(p)
	orders = map[string]bool{}
	s.Ended = func(string) {
		k := keyed{tr: &s.x.tr, sequences: map[place][]entryKey{}}
		for e := range s.x.tr.Events {
			if st := s.x.tr.Events[e].Step; st.Kind.Handles() || st.Kind == trace.Choose {
				k.note(steps, st.Actor, st.ID)
			}
		}
		orders[k.String()] = true
	}
	out, err := explore.Run(s, search.NewNaive(),
		explore.Options{Conditions: cond, Budget: explore.Budget{Executions: limit}})
	if err != nil {
		t.Fatal(err)
	}
	return orders, out.Complete
}

// What can happen under one model can happen under the next weaker one, if no message is ever refused. Two things are
// left out: only in a mailbox does a timeout outlive its cancellation; and system messages come in the order of their
// arrival in every model, which is that of single sends under mailbox, and of whole handlers under the others.
func TestModelsNest(t *testing.T) {
	features := Full
	features.Constraints, features.Timers = false, false
	var programs []*Program
	for _, n := range Stories() {
		programs = append(programs, n.Program)
	}
	for seed := range uint64(Scale(t, 400)) {
		programs = append(programs, Random(seed, features))
	}
	strict := map[trace.Model]int{} // programs with more orders than under the model before
	for _, p := range programs {
		if !p.Has(Kill) && !p.Has(After) {
			nest(t, p, strict)
		}
	}
	t.Log(strict)
	for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox} {
		if strict[model] == 0 {
			t.Errorf("%s never allows more than the model before", model)
		}
	}
}

func nest(t *testing.T, p *Program, strict map[trace.Model]int) {
	t.Helper()
	var before trace.Model
	var stronger map[string]bool
	for _, model := range []trace.Model{trace.MailboxSerial, trace.Mailbox, trace.Causal, trace.FIFO, trace.Bag} {
		orders, all := deliveryOrders(t, p, explore.Conditions{Model: model}, 4000)
		if !all {
			return
		}
		for o := range stronger {
			if !orders[o] {
				t.Fatalf("an order of %s cannot happen under %s\n%s", before, model, p)
			}
		}
		if stronger != nil && len(orders) > len(stronger) {
			strict[model]++
		}
		before, stronger = model, orders
	}
}
