//go:build unix

package savina_test

import (
	"os"
	"syscall"
)

// mostMB is the most memory that a process had, 0 if that is not known.
func mostMB(p *os.ProcessState) int64 {
	if u, ok := p.SysUsage().(*syscall.Rusage); ok {
		return u.Maxrss >> 10
	}
	return 0
}
