package system

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// stopsSystem is a program beside the twins.
const stopsSystem = `
// Stopping ends its system, which runs each PostStop.
func Stopping() rehearse.System {
	return goakt.System(func(t *explore.T) {
		s := system(t)
		spawn(t, s, "a", &mortal{})
		_ = s.Stop(background)
	})
}
`

// The end of a system is not followed, and so is a reason not to call anything infeasible. With REHEARSE_TOY, as the
// twins of GoAkt.
func TestGoAktStops(t *testing.T) {
	if os.Getenv("REHEARSE_TOY") == "" {
		return
	}
	dir, err := filepath.Abs("../../adapter/goakt")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("testdata/goakt/twins.go")
	if err != nil {
		t.Fatal(err)
	}
	p := loadedTwins(t, dir, append(source, stopsSystem...))
	s, err := p.Start(t.Context(), p.DriversOf(function(t, p, "Stopping"))[0], Config{})
	if err != nil || !strings.Contains(strings.Join(s.Inexact, "\n"), "the end of the actor system") {
		t.Errorf("%v, %+v", err, s)
	}
}
