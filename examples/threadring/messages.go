package threadring

import "github.com/asynkron/protoactor-go/actor"

// Start asks the coordinator to wire the ring and to let the token go.
type Start struct{ Hops int }

// Next tells a node its successor.
type Next struct{ Node *actor.PID }

// Token goes round the ring.
type Token struct{ Hops int } // left to make
