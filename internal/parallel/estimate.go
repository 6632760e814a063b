package parallel

import (
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
)

// This file: how many executions there are in all (search.Survey), which is a part of the tally.
//
//	invariants: I1 what is wrong about the estimate ends the estimate, and nothing else
//	            I2 it is what the reports say: a file, and a stream of results, tell all of it

// Why there is no estimate.
const (
	unestimatedJoiner = "parts of the search wait for each other"
	unestimatedBefore = "what was explored before does not say where its parts lie"
	unestimatedReport = "an execution diverged, and where parts of the search lie is not known"
)

// beginSurvey has the search estimated, if it can be.
func (t *Tally) beginSurvey(s explore.Divisible) {
	if w, ok := s.(search.Walker); ok {
		t.survey = search.NewSurvey(w.Walk().Uneven)
	} else if t.tree != nil {
		t.unestimated = unestimatedJoiner
	}
}

// surveyReport takes note of a report, whose items are numbered and were open.
func (t *Tally) surveyReport(r *Report) {
	if t.survey == nil {
		return
	}
	outlines, err := search.DecodeOutlines(r.Outlines)
	var grown search.Growth
	if err == nil {
		grown, err = search.DecodeGrowth(r.Growth)
	}
	done := r.Done
	if !t.surveyed {
		done = []int{0} // the first report says what is open
	}
	var fresh []search.NewItem
	for i := range r.New {
		if r.New[i].Spot.Many == 0 {
			if t.survey, t.unestimated = nil, unestimatedReport; !t.surveyed {
				t.unestimated = unestimatedBefore
			}
			return
		}
		fresh = append(fresh, search.NewItem{Item: r.New[i].ID, Spot: r.New[i].Spot})
	}
	if err == nil {
		err = t.survey.Fold(done, outlines, fresh)
	}
	if err != nil {
		t.survey, t.unestimated = nil, fmt.Sprintf("a report does not fit: %v", err)
		return
	}
	t.survey.Growth.Add(&grown)
	t.surveyed = true
}

// keepSurvey adds the survey to a snapshot.
func (t *Tally) keepSurvey(r *Report) {
	if t.survey == nil {
		return
	}
	outline, spots := t.survey.Snapshot()
	r.Outlines = search.AppendOutline(nil, 0, outline)
	r.Growth = t.survey.Growth.Encode()
	for i := range r.New {
		r.New[i].Spot = spots[r.New[i].ID]
	}
}

// estimate is the Estimator of the tally.
func (t *Tally) estimate() (e explore.Estimate, why string) {
	if t.survey == nil {
		return e, t.unestimated
	}
	e = t.survey.Total()
	n := float64(t.Sum.Executions + t.Sum.Blocked)
	if t.exhausted() {
		return explore.Estimate{Total: n, Low: n, High: n}, ""
	}
	if e.Known() { // what was given up counts, though it is executed again
		n++
		e = explore.Estimate{Total: max(e.Total, n), Low: max(e.Low, n), High: max(e.High, n)}
	}
	return e, ""
}

// outline adds to the report what its search says of an item that is done, and of the items that it has left.
func (r *Report) outline(item int, s explore.Divisible, left []Part) {
	w, ok := s.(search.Walker)
	if !ok {
		return
	}
	walk := w.Walk()
	o, spots, ok := walk.Outline()
	if !ok || len(spots) != len(left) {
		return
	}
	for i := range left {
		left[i].Spot = spots[i]
		left[i].Spot.Of = item
	}
	r.Outlines = search.AppendOutline(r.Outlines, item, o)
	r.grown.Add(&walk.Growth)
}

// checkEstimate says what is wrong with what a report that came from elsewhere says of the tree.
func (r *Report) checkEstimate() error {
	if _, err := search.DecodeOutlines(r.Outlines); err != nil {
		return err
	}
	_, err := search.DecodeGrowth(r.Growth)
	return err
}
