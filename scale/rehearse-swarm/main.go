// Command rehearse-swarm shares an exploration among machines. The command rehearse starts it.
package main

import (
	_ "github.com/nats-io/nats-server/v2/server"
	_ "github.com/nats-io/nats.go"
	_ "github.com/nats-io/nkeys"
	_ "github.com/rehearse-go/rehearse/explore"
)

func main() {}
