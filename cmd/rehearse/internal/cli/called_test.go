package cli

import (
	"strings"
	"testing"
)

// What replays a finding is shown as people can type it.
func TestCalledAs(t *testing.T) {
	const path = "github.com/rehearse-go/rehearse/cmd/rehearse"
	cached := "/home/x/.cache/go-build/63/" + strings.Repeat("0a", 32) + "-d/rehearse"
	for _, tt := range []struct{ exe, args, parent, want string }{
		{"/usr/local/bin/rehearse", "test ./bank", "bash", "rehearse"},
		{"/home/x/go/bin/rehearse", "test ./bank", "go run ./cmd/rehearse test ./bank", "rehearse"},
		{"/tmp/go-build1253560716/b001/exe/rehearse", "test ./bank", "go run ./cmd/rehearse test ./bank",
			"go run ./cmd/rehearse"},
		{cached, "test ./bank", "/usr/bin/go run -race ./cmd/rehearse test ./bank", "go run -race ./cmd/rehearse"},
		{cached, "test ./bank", "", "go run " + path},
		{cached, "test ./bank", "go tool rehearse test ./bank", "go run " + path},
		{cached, "", "go run ./cmd/rehearse", "go run ./cmd/rehearse"},
	} {
		if got := calledAs(tt.exe, strings.Fields(tt.args), strings.Fields(tt.parent), path); got != tt.want {
			t.Errorf("%s %s, started by %q: %q, want %q", tt.exe, tt.args, tt.parent, got, tt.want)
		}
	}
}
