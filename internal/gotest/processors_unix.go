//go:build unix

package gotest

import (
	"syscall"
	"time"
)

// ProcessorTime is what this process has used so far, the garbage collector included.
func ProcessorTime() time.Duration { return usedBy(syscall.RUSAGE_SELF) }

// ProcessorTimeWithChildren is that of this process and of its children that have ended.
func ProcessorTimeWithChildren() time.Duration {
	return ProcessorTime() + usedBy(syscall.RUSAGE_CHILDREN)
}

func usedBy(who int) time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(who, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
