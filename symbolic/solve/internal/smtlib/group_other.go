//go:build !unix

package smtlib

import "os/exec"

// group does nothing: there are no process groups. What a child started is on its own.
func group(*exec.Cmd) {}

// kill ends the child. It may be gone already.
func kill(cmd *exec.Cmd) { cmd.Process.Kill() }
