package protoactor_test

import (
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/trace"
)

// BenchmarkBubble is what an execution costs before anything happens in it.
func BenchmarkBubble(b *testing.B) {
	sys := protoactor.System(func(*explore.T) {})
	if _, err := explore.Run(sys, sample.NewRandom(1), explore.Options{
		Conditions: explore.Conditions{Model: trace.Mailbox, Blocked: time.Second}, Budget: explore.Budget{Executions: b.N}}); err != nil {
		b.Fatal(err)
	}
}
