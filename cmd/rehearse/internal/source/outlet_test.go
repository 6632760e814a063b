package source

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
)

// full takes so many bytes, and no more.
type full struct{ room int }

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errors.New("no space left on device")
	}
	return len(p), nil
}

// TestFullOutput: a command whose output is lost has not run.
func TestFullOutput(t *testing.T) {
	t.Chdir("../../../../subjects/apet")
	for _, tt := range []struct{ room, want int }{{0, cli.ExitError}, {40, cli.ExitError}, {1 << 20, cli.ExitOK}} {
		var problems bytes.Buffer
		code := Main([]string{"summary", "-short", "."}, cli.Streams{Out: &full{tt.room}, Err: &problems})
		if lost := strings.Contains(problems.String(),
			"rehearse summary: a part of the output is lost: no space left on device"); code != tt.want ||
			lost != (tt.want == cli.ExitError) {
			t.Errorf("room for %d bytes: exit code %d, want %d: %s", tt.room, code, tt.want, problems.String())
		}
	}
}
