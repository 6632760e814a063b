// Package ants stands for the pool of goroutines of that name: its signatures are those of v2.10.0.
package ants

type (
	Option func(opts *Options)

	Options struct{ Nonblocking bool }
)

type Pool struct{ tasks chan func() }

func NewPool(size int, options ...Option) (*Pool, error) { return &Pool{}, nil }

func (p *Pool) Submit(task func()) error { return nil }
