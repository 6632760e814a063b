//go:build linux || darwin

package main

import (
	"fmt"
	"os"
	"syscall"
	"time"
)

// limited gives the arguments of a process that may be busy for so many seconds, and take 4 GB of memory. A mutant may
// ask for ever more memory, or never end.
func limited(busy time.Duration, args ...string) []string {
	limits := fmt.Sprintf(`ulimit -t %d; ulimit -v %d; exec "$@"`, int(busy.Seconds()), 4<<20)
	return append([]string{"sh", "-c", limits, "sh"}, args...)
}

// outOfTime reports whether a process was ended since it was busy for too long.
func outOfTime(p *os.ProcessState) bool {
	status, ok := p.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && (status.Signal() == syscall.SIGXCPU || status.Signal() == syscall.SIGKILL)
}
