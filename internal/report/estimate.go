package report

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/render"
)

// TooMany is a number of executions that says no more than "too many".
const TooMany = 1e15

// Estimate gives an estimate with its bar: 60,000 (41,000 to 93,000). It tells no more than is known: two digits, with
// the bar rounded away from the middle.
func Estimate(e explore.Estimate) string {
	return fmt.Sprintf("%s (%s to %s)",
		twoDigits(e.Total, math.Round), twoDigits(e.Low, math.Floor), twoDigits(min(e.High, TooMany), math.Ceil))
}

// twoDigits rounds to two digits, those of small numbers to a whole one.
func twoDigits(x float64, round func(float64) float64) string {
	unit := 1.0
	for x/unit >= 100 {
		unit *= 10
	}
	return render.Thousands(int(round(x/unit) * unit))
}

// Left says how long the rest takes if it goes on as it did: there are n executions, and all but so many before were
// made in the time elapsed. It is "" where nobody can tell.
func Left(e explore.Estimate, n, before int, elapsed time.Duration) string {
	if n <= before {
		return ""
	}
	span := func(total float64) string {
		s := max(0, total-float64(n)) / float64(n-before) * elapsed.Seconds()
		switch {
		case s > 1e9:
			return "years"
		case s < 10:
			return time.Duration(s * float64(time.Second)).Round(100 * time.Millisecond).String()
		case s > 600:
			return strings.TrimSuffix(time.Duration(s*float64(time.Second)).Round(time.Minute).String(), "0s")
		}
		return time.Duration(s * float64(time.Second)).Round(time.Second).String()
	}
	if e.Low == e.High {
		return ", left: " + span(e.Total)
	}
	return fmt.Sprintf(", left: %s (%s to %s)", span(e.Total), span(e.Low), span(e.High))
}
