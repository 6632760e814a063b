package session

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/startstate"
	"github.com/rehearse-go/rehearse/trace"
)

// TellStart writes what is there when the test function has returned or waits, for analyses of the source. Nothing is explored.
func (s *stage) TellStart(path string) error {
	restore, err := s.mute()
	if err != nil {
		return err
	}
	defer restore()
	state, err := startstate.Of(s.sys, s.ordinary(s.Model, s.Timers, trace.Faults{}), func() *explore.T { return explore.NewT(s.Header.Test, nil) })
	if err != nil {
		state = &startstate.State{Test: s.Header.Test, Made: startstate.PlacesOf(s.sys), Err: err.Error()}
	}
	return state.Append(path)
}
