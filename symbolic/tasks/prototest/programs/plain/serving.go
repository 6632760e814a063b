package main

import (
	"bufio"
	"os"
	"os/signal"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// withTicks sends at each tick, until a signal comes.
func withTicks() {
	system := actor.NewActorSystem()
	clerk := system.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
		if m, ok := c.Message().(Sale); ok {
			c.Respond(m.Amount)
		}
	}))
	finish := make(chan os.Signal, 1)
	signal.Notify(finish, os.Interrupt)
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			system.Root.Send(clerk, Sale{1})
		case <-finish:
			return
		}
	}
}

// withLines sends for each line of its input, and once more behind the last.
func withLines() {
	system := actor.NewActorSystem()
	clerk := system.Root.Spawn(actor.PropsFromFunc(answer))
	in := bufio.NewReader(os.Stdin)
lines:
	for {
		line, err := in.ReadString('\n')
		switch {
		case err != nil:
			break lines
		case line != "":
			system.Root.Send(clerk, Sale{len(line)})
		}
	}
	system.Root.Send(clerk, Sale{-1})
}

// withClock sends at each tick, for ever.
func withClock() {
	system := actor.NewActorSystem()
	clerk := system.Root.Spawn(actor.PropsFromFunc(answer))
	for range time.Tick(time.Second) {
		system.Root.Send(clerk, Sale{1})
	}
}

// withTurn waits once, and what comes decides what it sends.
func withTurn() {
	system := actor.NewActorSystem()
	clerk := system.Root.Spawn(actor.PropsFromFunc(answer))
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	select {
	case <-stop:
		system.Root.Send(clerk, Sale{-1})
	case <-time.After(time.Second):
		system.Root.Send(clerk, Sale{1})
	}
}
