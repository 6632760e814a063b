package goakt_test

import (
	"fmt"
	"testing"

	"github.com/rehearse-go/rehearse/adapter/goakt"
	"github.com/rehearse-go/rehearse/internal/tests/features"
	"github.com/rehearse-go/rehearse/trace"
)

// All strategies come to the same ends of every feature's program, by the same classes, under every delivery model; a
// class comes to one end only, and the optimal strategies execute it once.
func TestStrategiesAgree(t *testing.T) {
	models := []trace.Model{trace.Mailbox, trace.MailboxSerial, trace.Bag, trace.FIFO, trace.Causal}
	if features.Scale(t) == 0 { // two models have all that the adapter does
		models = []trace.Model{trace.Mailbox, trace.FIFO}
	}
	for _, list := range [][]feature{basics, endings} {
		for _, f := range list {
			if f.Omitted != "" || f.Cut || f.Alone {
				continue // never complete
			}
			for _, model := range models {
				t.Run(fmt.Sprintf("%s/%s", f.Name, model), func(t *testing.T) {
					for _, s := range f.Agree(t, goakt.System, model, "") {
						if s.Strategy == "optimal" && !s.Complete && !features.OneSeed(&s.Outcome) {
							t.Errorf("optimal is not complete: %s%s", s.PassedOver, s.Doubt)
						}
					}
				})
			}
		}
	}
}
