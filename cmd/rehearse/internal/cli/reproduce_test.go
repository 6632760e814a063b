package cli

import (
	"testing"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/reproduce"
	"github.com/rehearse-go/rehearse/published"
)

func TestReproduced(t *testing.T) {
	cell := func(status published.Status, theirs int, ours float64) reproduce.Cell {
		return reproduce.Cell{Cell: published.Cell{Column: "paths", Value: theirs, Status: status}, Ours: ours}
	}
	for _, c := range []struct {
		name   string
		result reproduce.Result
		want   int
	}{
		{"equal", reproduce.Result{Cells: []reproduce.Cell{cell(published.Exact, 5, 5)}}, ExitOK},
		{"an exact cell differs",
			reproduce.Result{Cells: []reproduce.Cell{cell(published.Exact, 5, 5), cell(published.Exact, 5, 6)}}, ExitFound},
		{"known to differ", reproduce.Result{Cells: []reproduce.Cell{cell(published.Differs, 5, 6)}}, ExitOK},
		{"of another machine", reproduce.Result{Cells: []reproduce.Cell{cell(published.Resource, 5, 0.1)}}, ExitOK},
		{"not run", reproduce.Result{Why: "it takes long", Cells: []reproduce.Cell{cell(published.Exact, 5, 0)}}, ExitOK},
	} {
		if got := reproduced([]reproduce.Result{{}, c.result}); got != c.want {
			t.Errorf("%s: exit code %d, want %d", c.name, got, c.want)
		}
	}
}
