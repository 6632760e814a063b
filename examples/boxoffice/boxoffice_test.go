package boxoffice_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/examples/boxoffice"
	"github.com/rehearse-go/rehearse/examples/internal/shows"
)

// byHand is the length of this schedule: the second guest looks; then the first is sold the seat.
const byHand = 2

// buy makes a request of a guest for the seat 12a and gives the status of the answer. No network is needed: a handler
// is a function.
func buy(h http.Handler, guest string) int {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("POST", "/seats/12a?guest="+guest, nil))
	return w.Code
}

// serve makes a request of every guest. They come at the same time, so each is made by an actor of its own: the order
// of goroutines would be the Go scheduler's choice.
func serve(t *rehearse.T, guests ...string) func(http.Handler) error {
	return func(h http.Handler) error {
		browsers, sold := actor.NewActorSystem(), 0
		for _, guest := range guests {
			browser := func(ctx actor.Context) {
				if _, ok := ctx.Message().(*actor.Started); ok && buy(h, guest) == http.StatusCreated {
					sold++
				}
			}
			//rehearse:allow shared the count is what the test looks at when all is at rest
			browsers.Root.Spawn(actor.PropsFromFunc(browser))
		}
		t.AtEnd(func() {
			if sold != 1 {
				t.Errorf("one seat was sold to %d guests", sold)
			}
		})
		return nil
	}
}

// evening runs the application as main does, with guests in the place of the network.
func evening(fixed bool) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		if err := boxoffice.Run(boxoffice.Config{Fixed: fixed}, serve(t, "ann", "bob")); err != nil {
			t.Fatal(err)
		}
	})
}

var twice = rehearse.Config{Strategy: "random", Seed: 1, Expect: &rehearse.Expectation{Kind: rehearse.Assertion, Text: "sold to 2 guests"}}

func TestBoxOffice(t *testing.T) { rehearse.Check(t, twice, evening(false)) }

func TestBoxOfficePicture(t *testing.T) { shows.Picture(t, "TestBoxOffice") }

func TestBoxOfficeSchedule(t *testing.T) { shows.Schedule(t, twice, evening(false), byHand) }

func TestBoxOfficeFixed(t *testing.T) {
	rehearse.Check(t, rehearse.Config{Strategy: "optimal"}, evening(true))
}

func TestBoxOfficeStrategies(t *testing.T) { shows.Strategies(t, twice, evening(false), evening(true)) }

// Requests one after the other may be made in the test function itself.
func TestOneAfterTheOther(t *testing.T) {
	rehearse.Check(t, rehearse.Config{}, protoactor.System(func(t *rehearse.T) {
		err := boxoffice.Run(boxoffice.Config{}, func(h http.Handler) error {
			if ann, bob := buy(h, "ann"), buy(h, "bob"); ann != http.StatusCreated || bob != http.StatusConflict {
				t.Errorf("ann got %d, bob %d", ann, bob)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}))
}
