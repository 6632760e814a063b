package rehearse_test

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

// What handlers declare to read and write saves executions, and what does not fit is an error.
func TestEffects(t *testing.T) {
	explore := func(strategy string, model rehearse.Model, effects trace.Effects) (rehearse.Result, error) {
		return rehearse.Explore(rehearse.Config{Strategy: strategy, Model: model, Budget: "unlimited", Effects: effects},
			subjects.Registry())
	}
	for _, tt := range []struct {
		strategy string
		model    rehearse.Model
		effects  trace.Effects
		want     int
	}{
		{"optimal", rehearse.Bag, nil, 6},
		{"optimal", rehearse.Bag, subjects.RegistryEffects(), 2},
		{"source", rehearse.FIFO, subjects.RegistryEffects(), 2},
		{"reverse", rehearse.Bag, subjects.RegistryEffects(), 2},
		{"reverse/iterative", rehearse.FIFO, subjects.RegistryEffects(), 2},
		{"reverse", rehearse.MailboxSerial, subjects.RegistryEffects(), 2},
		{"naive", rehearse.Bag, subjects.RegistryEffects(), 30},
	} {
		r, err := explore(tt.strategy, tt.model, tt.effects)
		if err != nil || r.Executions != tt.want || !r.Complete {
			t.Errorf("%s under %s with %d effects: %d executions, complete %t, error %v, want %d", tt.strategy, tt.model,
				len(tt.effects), r.Executions, r.Complete, err, tt.want)
		}
	}
	p := trace.Effect{Actor: "registry", Message: "taskP", Writes: []string{"g"}}
	for want, tt := range map[string]struct {
		strategy string
		effects  trace.Effects
	}{
		"Config.Effects: the handler of subjects.taskP by subjects.registry changed the field f and is not declared to; " +
			"add it to Writes": {"optimal", trace.Effects{p}},
		`Config.Effects: effect 1 (of "taskP" by "registry"): it was declared before`: {"optimal",
			trace.Effects{p, p}},
		`Config.Effects: effect 0 (of "" by "registry"): want the type of an actor and the type of a mes`: {"optimal",
			trace.Effects{{Actor: "registry"}}},
		`Config.Effects: effect 0 (of "x" by "y"): want names of fields`: {"optimal",
			trace.Effects{{Actor: "y", Message: "x", Reads: []string{""}}}},
	} {
		if _, err := explore(tt.strategy, rehearse.Bag, tt.effects); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
