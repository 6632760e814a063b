package quotes

import (
	"fmt"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// Config configures a Market.
type Config struct {
	Prices []int // in cents, of each supplier
	Fixed  bool  // each goroutine has a place of its own for its answer
}

// patience is how long the broker waits for a supplier.
const patience = 5 * time.Second

// Market is a broker and its suppliers.
type Market struct {
	root   *actor.RootContext
	broker *actor.PID
}

// Open starts a market in an actor system of its own. refused is called by a supplier that gets an order at another
// price than it has quoted.
func Open(cfg Config, refused func(supplier, cents int)) (*Market, error) {
	m := &Market{root: actor.NewActorSystem().Root}
	b := &broker{fixed: cfg.Fixed}
	for n, price := range cfg.Prices {
		pid, err := m.root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return &supplier{n, price, refused} }), fmt.Sprint("supplier", n))
		if err != nil {
			return nil, fmt.Errorf("quotes: start supplier: %w", err)
		}
		b.suppliers = append(b.suppliers, pid)
	}
	var err error
	m.broker, err = m.root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return b }), "broker")
	if err != nil {
		return nil, fmt.Errorf("quotes: start broker: %w", err)
	}
	return m, nil
}

// Buy has the broker buy an article.
func (m *Market) Buy(article string) { m.root.Send(m.broker, Want{article}) }

// broker asks all suppliers at once.
type broker struct {
	suppliers []*actor.PID
	fixed     bool
}

// Receive implements actor.Actor.
func (b *broker) Receive(ctx actor.Context) {
	if msg, ok := ctx.Message().(Want); ok {
		quotes := b.gather(ctx.ActorSystem().Root, msg.Article)
		cheapest := 0
		for i, cents := range quotes {
			if cents < quotes[cheapest] {
				cheapest = i
			}
		}
		ctx.Send(b.suppliers[cheapest], Order{quotes[cheapest]})
	}
}

// gather asks each supplier on a goroutine of its own. Quote i is to be that of supplier i.
func (b *broker) gather(root *actor.RootContext, article string) []int {
	var all sync.WaitGroup
	var mu sync.Mutex
	var arrived []int // in the order of the answers
	quotes := make([]int, len(b.suppliers))
	for i, pid := range b.suppliers {
		all.Go(func() { //rehearse:allow goroutine it is the bug that is shown
			answer, err := root.RequestFuture(pid, Ask{article}, patience).Result()
			if q, ok := answer.(Quote); ok && err == nil {
				mu.Lock() //rehearse:allow lock no other actor knows of it
				defer mu.Unlock()
				arrived = append(arrived, q.Cents)
				quotes[i] = q.Cents
			}
		})
	}
	all.Wait()
	if b.fixed {
		return quotes
	}
	return arrived
}
