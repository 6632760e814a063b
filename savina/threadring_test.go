package savina_test

import (
	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	native "github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/savina/threadring"
)

func ring(name string, c threadring.Config, f finds) version {
	return version{
		name: name, size: "3 actors, 4 hops", naive: true, config: deadLettersEnd, finds: f,
		native:     onNative(func(ctx *native.Context) *threadring.NativeRing { return threadring.NewNative(ctx, c) }),
		protoactor: onProtoactor(func(s *actor.ActorSystem) *threadring.Ring { return threadring.New(s, c) }),
	}
}

// early is the bug: the ping comes to an actor before that knows its successor.
var early = rehearse.Expectation{Kind: rehearse.Panic, Message: "threadring.Ping"}

var threadRing = program{number: 5, name: "threadring", versions: []version{
	ring("as published", threadring.Small, everywhere(early, rehearse.Bag, rehearse.FIFO)),
	ring("repaired", threadring.Config{Actors: 3, Hops: 4, Repaired: true}, nil),
}}
