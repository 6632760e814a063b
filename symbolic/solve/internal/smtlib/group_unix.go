//go:build unix

package smtlib

import (
	"os/exec"
	"syscall"
)

// group puts a child into a process group of its own, so that what it started is ended with it: a solver may be a
// script around one.
func group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// kill ends the group. It may be gone already.
func kill(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
