package rehearse

import (
	"flag"
	"fmt"
	"path/filepath"

	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/internal/record"
)

// This file writes what a Check has found as an HTML page next to the test, where that is wanted: go test -artifacts,
// from Go 1.26 on. The flag makes go test forget results that it would reuse, so it is for whom asks for it.

// artifacts is a tester that has a folder for what tests leave. Before Go 1.26 none has.
type artifacts interface{ ArtifactDir() string }

// wantsArtifacts reports whether what the test leaves is kept. Else its folder is removed when it is over.
func wantsArtifacts(t tester) bool {
	_, ok := t.(artifacts)
	f := flag.Lookup("test.artifacts")
	return ok && f != nil && f.Value.String() == "true"
}

// leavePage writes the page of a Check that has found something.
func (k *task) leavePage(t tester, r *Result) error {
	t.Helper()
	if len(r.Findings) == 0 || !wantsArtifacts(t) {
		return nil
	}
	name := "rehearse-report.html"
	if k.Header.Ordinal > 0 {
		name = fmt.Sprintf("rehearse-report-%d.html", k.Header.Ordinal+1)
	}
	path := filepath.Join(t.(artifacts).ArtifactDir(), name)
	data := record.HTML(&record.Document{Records: []record.Record{*k.recordOf(r)}})
	if err := files.WriteBytes(path, data); err != nil {
		return fmt.Errorf("-artifacts: %w", err)
	}
	t.Log("rehearse: the report is in " + path)
	return nil
}
