package main

import (
	"log"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// withGuests has goroutines ask, and waits for them.
func withGuests() {
	system := actor.NewActorSystem()
	clerk := system.Root.Spawn(actor.PropsFromFunc(answer))
	var guests sync.WaitGroup
	for amount := range 2 {
		guests.Add(1)
		go func() {
			defer guests.Done()
			ask(system, clerk, amount)
		}()
	}
	go func() { log.Println(system.Root.Spawn(actor.PropsFromFunc(answer))) }()
	guests.Wait()
}

func ask(system *actor.ActorSystem, clerk *actor.PID, amount int) {
	if total, err := system.Root.RequestFuture(clerk, Sale{amount}, time.Second).Result(); err == nil {
		log.Println("the total is", total)
	}
}
