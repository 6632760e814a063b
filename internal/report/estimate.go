package report

import (
	"fmt"
	"math"

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
