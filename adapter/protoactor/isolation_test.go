package protoactor_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
)

// cache is memory that actors share, or do not.
type cache struct {
	mu   sync.Mutex
	hits map[string]int
	last *ticket
}

// ticket is a message that leads to memory.
type ticket struct{ seats []int }

// usher keeps a ticket and writes into it, or into its cache, as it is told.
type usher struct {
	cache             *cache
	to                *actor.PID
	keeps, stamps     bool
	counts, remembers bool
	has               *ticket
}

func (u *usher) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case ping:
		if u.has != nil && u.stamps {
			u.has.seats[0]++
		}
		t := &ticket{[]int{m.n}}
		if u.keeps {
			u.has = t
		}
		if u.to != nil {
			ctx.Send(u.to, t)
		}
		if u.counts {
			u.cache.mu.Lock()
			u.cache.hits["ping"]++
			u.cache.mu.Unlock()
		}
	case *ticket:
		if u.keeps {
			u.has = m
		}
		if u.stamps {
			m.seats[0]++
		}
		if u.remembers {
			u.cache.last = m
		}
	}
}

// theatre has an usher that hands tickets on to another one. one: they have one cache.
func theatre(first, second usher, one bool) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		system := protoactor.NewActorSystem()
		a, b, shared := first, second, &cache{hits: map[string]int{}}
		a.cache, b.cache = shared, shared
		if !one {
			b.cache = &cache{hits: map[string]int{}}
		}
		var front *actor.PID
		t.SetUp(func() {
			back, _ := system.Root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return &b }), "back")
			a.to = back
			front, _ = system.Root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return &a }), "front")
		})
		system.Root.Send(front, ping{1})
		system.Root.Send(front, ping{2})
	})
}

// Actors of the framework that write memory that others reach are told of; those that have what they write for
// themselves are not, and those that share what nobody writes are not either.
func TestIsolation(t *testing.T) {
	for name, tt := range map[string]struct {
		first, second usher
		one           bool
		want          string // "": no breach
	}{
		"nothing":                            {usher{}, usher{}, true, ""},
		"a map behind a mutex":               {usher{counts: true}, usher{}, true, "front.cache.hits[...] and back.cache.hits are the same memory; front wrote it while handling ping"},
		"a map each":                         {usher{counts: true}, usher{counts: true}, false, ""},
		"a pointer":                          {usher{}, usher{remembers: true}, true, "back.cache.last and front.cache.last are the same memory; back wrote it while handling ticket"},
		"a message handed over":              {usher{}, usher{keeps: true, stamps: true}, true, ""},
		"a message that nobody writes":       {usher{keeps: true}, usher{keeps: true}, true, ""},
		"a message that its sender writes":   {usher{keeps: true, stamps: true}, usher{keeps: true}, true, "front wrote it while handling ping"},
		"a message on its way":               {usher{keeps: true, stamps: true}, usher{}, true, "seats of the message ticket from front to back"},
		"a message that its receiver writes": {usher{keeps: true}, usher{stamps: true}, true, "back wrote it while handling ticket"},
	} {
		for _, strategy := range []string{"naive", "auto", "optimal"} {
			r, err := rehearse.Explore(rehearse.Config{Strategy: strategy}, theatre(tt.first, tt.second, tt.one))
			var all []string
			for _, w := range r.Warnings {
				all = append(all, w.String())
			}
			text := strings.Join(all, "\n")
			if err != nil || (text != "") != (tt.want != "") || !strings.Contains(text, tt.want) || r.Complete != (tt.want == "" || strategy == "naive") {
				t.Errorf("%s, %s: error %v, %s\n%s\nwant %s", name, strategy, err, r, text, tt.want)
			}
		}
	}
}

// porter has what nobody can look into.
type porter struct {
	carts *sync.Pool
	shift *time.Timer
}

func (*porter) Receive(actor.Context) {}

// A pool, or a timer, that two actors reach is named with both places, and the results of reductions are not complete.
func TestSealedMemory(t *testing.T) {
	for _, tt := range []struct {
		shared porter
		want   string
	}{
		{porter{carts: &sync.Pool{}}, "b.carts and a.carts are the same sync.Pool, into which nobody can look"},
		{porter{shift: time.NewTimer(time.Hour)}, "b.shift and a.shift are the same time.Timer, into which nobody can look"},
		{porter{}, ""},
	} {
		for _, strategy := range []string{"naive", "auto", "optimal"} {
			r, err := rehearse.Explore(rehearse.Config{Strategy: strategy}, protoactor.System(func(t *rehearse.T) {
				system := protoactor.NewActorSystem()
				for _, name := range []string{"a", "b"} {
					system.Root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { p := tt.shared; return &p }), name)
				}
			}))
			if err != nil || r.Complete != (tt.want == "" || strategy == "naive") || !strings.Contains(r.Shared, tt.want) && !r.Complete {
				t.Errorf("%+v, %s: error %v, %s\nwant %s", &tt.shared, strategy, err, r, tt.want)
			}
		}
	}
}
