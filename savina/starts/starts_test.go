// Package starts_test makes every program of Savina once in each of its versions, and starts it.
package starts_test

import "github.com/rehearse-go/rehearse"

// once is one execution, in the default order.
var once = rehearse.Config{
	Strategy: "default", Budget: "1x", Model: rehearse.Causal, MaxSteps: 200, Recheck: -1,
	Checks: rehearse.Levels{
		rehearse.DeadLetter: rehearse.Off, rehearse.Orphan: rehearse.Off, rehearse.OrphanDead: rehearse.Off,
		rehearse.Deadlock: rehearse.Off, rehearse.Livelock: rehearse.Off, rehearse.Isolation: rehearse.Off,
	},
}
