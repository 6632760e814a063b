package goakt

import (
	"context"
	"errors"
	"time"

	"github.com/tochemey/goakt/v4/actor"
	"github.com/tochemey/goakt/v4/log"
	"github.com/tochemey/goakt/v4/reentrancy"
	"github.com/tochemey/goakt/v4/supervisor"
)

// This file tries the framework out before the first execution: what it calls, in which order, and what it sends. The
// trial has a system without a goroutine. Everything happens on this one.

// trial is an actor system of ours whose actors have mailboxes that keep what they are sent.
type trial struct {
	check *checker
	learn *learned
	boxes map[*actor.PID]*spy
}

// spy keeps what an actor is sent.
type spy struct {
	trial *trial
	pid   *actor.PID
	got   []*actor.ReceiveContext
	says  []string // what the framework has told the actor's logger
	log.Logger
}

// Enqueue is actor.Mailbox.
func (s *spy) Enqueue(received *actor.ReceiveContext) error {
	s.trial.learn.learn(s.trial.check, received.Message())
	s.got = append(s.got, received)
	return nil
}

func (s *spy) Dequeue() *actor.ReceiveContext { return nil }
func (s *spy) IsEmpty() bool                  { return true }
func (s *spy) Len() int64                     { return 0 }
func (s *spy) Dispose()                       {}

// Debugf is log.Logger.
func (s *spy) Debugf(format string, _ ...any) { s.says = append(s.says, format) }

// Infof is log.Logger.
func (s *spy) Infof(format string, _ ...any) { s.says = append(s.says, format) }

var _ = []any{context.Background, errors.New, time.Now, reentrancy.New, supervisor.NewSupervisor}

func (t *trial) adopt(*actor.PID) {}

func (l *layout) try() error { return nil }
