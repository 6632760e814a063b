// Command plain uses protoactor-go as public examples do: main makes the system, sends, and waits for a signal.
package main

import (
	"flag"
	"log"
	"os"
	"os/signal"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// Sale puts money into the till.
type Sale struct{ Amount int }

func main() {
	flag.Parse()
	system := actor.NewActorSystem()
	defer system.Shutdown()
	total := 0
	till := system.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
		if m, ok := c.Message().(Sale); ok {
			if total += m.Amount; total < 0 {
				panic("the till is short of money")
			}
		}
	}))
	for i := range 3 {
		system.Root.Send(till, Sale{i})
		time.Sleep(time.Second)
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	log.Println("press ^C to close")
	sig := <-stop
	log.Println("closed by", sig)
	system.Root.Stop(till)
}

func withFlag() {
	size := flag.Int("size", 1, "of the till")
	actor.NewActorSystem().Root.Send(actor.NewPID("", "till"), Sale{*size})
}

func withKey() {
	system, key := actor.NewActorSystem(), make(chan Sale)
	sale := <-key
	system.Root.Send(actor.NewPID("", "till"), sale)
}

func withResult() *actor.ActorSystem { return actor.NewActorSystem() }

func withParameter(n int) { actor.NewActorSystem().Root.Send(actor.NewPID("", "till"), Sale{n}) }

func withAnswer() {
	system := actor.NewActorSystem()
	clerk := system.Root.Spawn(actor.PropsFromFunc(answer))
	total, err := system.Root.RequestFuture(clerk, Sale{1}, time.Second).Result()
	if err != nil {
		log.Fatal(err)
	}
	log.Println("the total is", total)
}

func withDecision() {
	system := actor.NewActorSystem()
	clerk := system.Root.Spawn(actor.PropsFromFunc(answer))
	if total, _ := system.Root.RequestFuture(clerk, Sale{1}, time.Second).Result(); total == 1 {
		system.Root.Send(clerk, Sale{2})
	}
	more, _ := system.Root.RequestFuture(clerk, Sale{1}, time.Second).Result()
	system.Root.Send(clerk, more)
}

func answer(c actor.Context) {
	if m, ok := c.Message().(Sale); ok {
		c.Respond(m.Amount)
	}
}

func withServer() {
	system := actor.NewActorSystem()
	clerk := system.Root.Spawn(actor.PropsFromFunc(answer))
	system.Root.Send(clerk, Sale{1})
	log.Println("it ends:", serve())
}

func serve() error {
	select {}
}
