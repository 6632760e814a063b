//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package rehearse

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/internal/facts"
	"github.com/rehearse-go/rehearse/internal/saved"
	"github.com/rehearse-go/rehearse/internal/session"
)

// A pipe lies wherever Check looks for a file of some name. Opening one waits for ever; what is there is to be named
// instead.
func TestPipesInsteadOfFiles(t *testing.T) {
	resume := session.ID{Package: "example.com/bank", Test: "TestX", Call: "Check 1 of TestX"}
	for what, c := range map[string]struct {
		path   string
		cfg    Config
		e      env
		passes bool
	}{
		"saved schedule": {path: "testdata/rehearse/TestX/x.schedule"},
		"of the corpus":  {path: "testdata/rehearse/TestX/corpus/x.schedule"},
		"facts":          {path: facts.Place, cfg: Config{Strategy: "optimal"}},
		"coverage":       {path: "c.out", cfg: Config{CoverProfile: "c.out"}},
		"resume": {path: filepath.Join("kept", resume.FileName()),
			cfg: Config{Strategy: "optimal", Budget: "unlimited"}, e: env{"REHEARSE_RESUME": "kept"}},
		"its lock": {path: filepath.Join("kept", resume.FileName()+".lock"),
			cfg: Config{Strategy: "optimal", Budget: "unlimited"}, e: env{"REHEARSE_RESUME": "kept"}},
		"replay":  {path: "x.schedule", e: env{"REHEARSE_REPLAY": "x.schedule"}},
		"report":  {path: "r.jsonl", e: env{"REHEARSE_REPORT": "r.jsonl"}},
		"journal": {passes: true},
	} {
		t.Run(what, func(t *testing.T) {
			folder(t)
			path := c.path
			if path == "" { // the journal's name is made from the folder
				path = filepath.Join(saved.JournalDir(), saved.JournalKey("TestX", 0)+"-0")
			}
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Mkfifo(path, 0o644); err != nil {
				t.Fatal(err)
			}
			f := newFake(t, fake{})
			done := make(chan bool)
			go func() {
				defer close(done)
				f.check(c.cfg, bank(true), c.e)
			}()
			select {
			case <-done:
			case <-time.After(time.Minute):
				t.Fatal("Check waits for the pipe")
			}
			if f.failed == c.passes {
				t.Errorf("failed: %v, want %v", f.failed, !c.passes)
			}
			contains(t, f.text()+f.log(), filepath.ToSlash(path)+": it is a pipe, and a file is wanted")
		})
	}
}
