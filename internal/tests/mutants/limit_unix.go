//go:build linux || darwin

package main

import (
	"os"
	"syscall"
	"time"
)

// limit bounds the memory and the processor time of the processes that are started from now on. A mutant may ask for
// ever more memory, or never end.
func limit(busy time.Duration) {
	memory, seconds := uint64(4<<30), uint64(busy.Seconds())
	_ = syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: memory, Max: memory})
	_ = syscall.Setrlimit(syscall.RLIMIT_CPU, &syscall.Rlimit{Cur: seconds, Max: seconds})
}

// outOfTime reports whether a process was ended since it was busy for too long.
func outOfTime(p *os.ProcessState) bool {
	status, ok := p.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && (status.Signal() == syscall.SIGXCPU || status.Signal() == syscall.SIGKILL)
}
