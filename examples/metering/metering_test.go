package metering_test

import (
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/examples/internal/shows"
	"github.com/rehearse-go/rehearse/examples/metering"
)

// byHand is the length of this schedule: the ledger closes; only then the concentrator books the last reading.
const byHand = 2

// day has a town's meters send so many readings each.
func day(cfg metering.Config, readings int) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		cfg := cfg
		cfg.Desk = &metering.Desk{}
		var town *metering.Town
		t.SetUp(func() {
			var err error
			if town, err = metering.New(protoactor.NewActorSystem(), cfg); err != nil {
				t.Fatal(err)
			}
		})
		town.Day(readings)
		t.AtEnd(func() {
			if want := cfg.Meters * readings; len(cfg.Desk.Bills) != 1 || cfg.Desk.Bills[0].Used != want {
				t.Errorf("bills %v, want one of %d", cfg.Desk.Bills, want)
			}
		})
	})
}

// hamlet has two meters, with one reading each.
func hamlet(fixed bool) rehearse.System { return day(metering.Config{Meters: 2, Fixed: fixed}, 1) }

// city has 100 actors, which take 10,000 messages a day.
func city(fixed bool) rehearse.System {
	return day(metering.Config{Meters: 95, Districts: 3, Fixed: fixed}, 34)
}

var unbilled = rehearse.Config{Strategy: "random", Seed: 1, Expect: &rehearse.Expectation{Kind: rehearse.Assertion}}

func TestMetering(t *testing.T) { rehearse.Check(t, unbilled, hamlet(false)) }

func TestMeteringPicture(t *testing.T) { shows.Picture(t, "TestMetering") }

func TestMeteringSchedule(t *testing.T) { shows.Schedule(t, unbilled, hamlet(false), byHand) }

func TestMeteringFixed(t *testing.T) { rehearse.Check(t, rehearse.Config{}, hamlet(true)) }

func TestMeteringStrategies(t *testing.T) {
	shows.Strategies(t, unbilled, hamlet(false), hamlet(true))
}

// The same bug among 10,000 deliveries is one of the first that auto finds.
func TestMeteringCity(t *testing.T) { shows.Large(t, city(false), true, 100, 10_000) }

// What is explored for long takes no more memory than what is explored shortly.
func TestMeteringCityFixed(t *testing.T) { shows.Large(t, city(true), false, 100, 10_000) }
