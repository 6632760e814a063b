package shows

import (
	"flag"
	"os"
	"testing"

	"github.com/rehearse-go/rehearse"
)

var update = flag.Bool("update", false, "write the pictures anew")

// Picture explores sys and compares the picture of its first finding with a file, which -update writes.
func Picture(t *testing.T, cfg rehearse.Config, sys rehearse.System, file string) {
	t.Helper()
	cfg.Budget = "100x"
	r, err := rehearse.Explore(cfg, sys)
	if err != nil || len(r.Findings) == 0 || r.Findings[0].Picture == nil {
		t.Fatalf("no finding with a picture: %v, %v", r, err)
	}
	got := r.Findings[0].Picture.SVG()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not what is drawn now; run with -update and look at it", file)
	}
}
