//go:build unix

package cli

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// What is interrupted may still tell what it has: the command waits for it, and has its exit code.
func TestRunToItsEnd(t *testing.T) {
	cmd := exec.Command("sh", "-c", `trap 'echo told; exit 3' TERM; echo ready; while :; do sleep 0.01; done`)
	out, to := io.Pipe()
	cmd.Stdout = to
	ended := make(chan error)
	go func() { ended <- runToItsEnd(cmd) }()
	lines := bufio.NewScanner(out)
	lines.Scan() // ready
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	lines.Scan()
	var exit *exec.ExitError
	if err := <-ended; lines.Text() != "told" || !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Errorf("it said %q and ended with %v", lines.Text(), err)
	}
}
