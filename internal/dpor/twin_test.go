package dpor

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/toy"
	"github.com/rehearse-go/rehearse/trace"
)

func TestAgainstTwin(t *testing.T) {
	for _, tt := range []struct {
		name   string
		make   func() explore.Strategy
		demand toy.Demand
	}{
		{"source", func() explore.Strategy { return NewSource(nil) }, toy.Cover},
		{"optimal", func() explore.Strategy { return NewOptimal(nil) }, toy.Exact},
	} {
		for _, model := range toy.Models {
			t.Run(tt.name+" "+model.String(), func(t *testing.T) {
				c, err := toy.Compare(tt.make, toy.CompareOptions{Demand: tt.demand, Models: []trace.Model{model}, Features: features, Programs: 500, Limit: 1000})
				if err != nil {
					t.Error(err)
				}
				t.Log(c)
			})
		}
	}
}

var features = toy.Features{Senders: true}
