//go:build !unix

package gotest

import "time"

// ProcessorTime is the time since this process began: what it has used of that is not asked for here.
func ProcessorTime() time.Duration { return time.Since(began) }

// ProcessorTimeWithChildren is the same: what children have used is not known here.
func ProcessorTimeWithChildren() time.Duration { return ProcessorTime() }
