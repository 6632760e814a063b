package session

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/explain"
	"github.com/rehearse-go/rehearse/internal/gotest"
	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/report"
	"github.com/rehearse-go/rehearse/trace"
)

// maxLog is the most that is shown of what the program printed, in bytes.
const maxLog = 16 << 10

// The longest executions that are explained, in steps. Looking for pairs takes more than quadratic time; in a livelock
// hardly any two deliveries can be swapped, so that it takes all of it.
const (
	maxExplained = 2000
	maxLivelock  = 300
)

// following executes the schedule of a story once more, or another execution under its conditions. change changes the
// options.
type following func(other *trace.Trace, change func(*explore.Options)) (*replay.Run, error)

// tell adds which order decides, states, logs and the diagram. run executes other schedules than that of the story.
func (s *stage) tell(f *Story, run replay.Runner, follow following) error {
	if n := len(f.run.Trace.Events); n > maxExplained || n > maxLivelock && f.Violation.Kind == trace.Livelock {
		f.Culprit = fmt.Sprintf("Not looked for: an execution of %s steps is too long to swap its deliveries.",
			render.Thousands(n))
	} else if n := len(f.run.Trace.Messages); n > maxExplained && f.Violation.Kind == trace.Livelock {
		f.Culprit = fmt.Sprintf("Not looked for: %s messages were sent, which are too many to swap deliveries.",
			render.Thousands(n))
	} else if x, err := explain.Culprit(run, f.run.Trace, f.Violation, s.Header.Test); err == nil {
		f.Culprit, f.pairs, f.draws, f.other = x.Text, x.Pairs, x.Draws, x.Flipped
		f.decided = !x.InVain
		if x.InVain {
			f.Culprit += s.unexploredChoices()
		}
	} else if errors.Is(err, replay.ErrTimeUp) {
		f.Culprit = "Not found before " + replay.ErrTimeUp.Error() + "."
	} else {
		return err
	}
	// The failing execution comes last: whoever counts what is executed looks at that.
	if err := s.flip(f, follow); err != nil {
		return err
	}
	if err := s.observe(f, follow); errors.Is(err, replay.ErrTimeUp) {
		f.Note = strings.TrimSpace(f.Note + "\nStates and logs are missing: " + replay.ErrTimeUp.Error() + ".")
	} else if err != nil {
		return err
	}
	s.draw(f)
	return nil
}

func (s *stage) draw(f *Story) {
	f.Picture = report.NewPicture(f.run.Trace, report.PictureOptions{Title: f.Violation.String(), Test: s.Header.Test,
		Pairs: f.pairs, Decides: f.decides(), Draws: f.draws, Violation: &f.Violation, Seen: f.seen})
	f.Diagram = f.Picture.Text(report.TextOptions{Width: s.Width})
}

// decides says which order decides, "" if none was found.
func (f *Story) decides() string {
	if !f.decided {
		return ""
	}
	return f.Culprit
}

// flip draws the execution in which what decides comes the other way round and nothing goes wrong. It is executed once
// more, to see the states of actors.
func (s *stage) flip(f *Story, follow following) error {
	if f.other == nil {
		return nil
	}
	w := s.witness(f.other)
	run, err := follow(f.other, func(o *explore.Options) { o.Check = w })
	if errors.Is(err, replay.ErrTimeUp) {
		f.Note = strings.TrimSpace(f.Note + "\n" + report.NotShown + replay.ErrTimeUp.Error() + ".")
		return nil
	} else if err != nil {
		return err
	}
	if len(run.Violations) > 0 {
		f.Note = strings.TrimSpace(f.Note + "\n" + report.NotShown + "executed once more, it did not pass.")
		return nil
	}
	var pairs []explain.Pair
	for _, p := range f.pairs {
		pairs = append(pairs, p.In(run.Trace))
	}
	f.Flipped = report.NewPicture(run.Trace, report.PictureOptions{Title: "the other way round: " + f.Violation.String(),
		Test: s.Header.Test, Pairs: pairs, Seen: w.seen})
	return nil
}

// witness makes a witness of an execution that is like tr.
func (s *stage) witness(tr *trace.Trace) *witness {
	return &witness{Checker: s.checker(), before: -1, list: s.stateList,
		seen: report.NewSeen(len(tr.Events), len(tr.Actors))}
}

// observe replays the schedule once more, looks at the actors and keeps what the program prints.
func (s *stage) observe(f *Story, follow following) error {
	w := s.witness(f.run.Trace)
	w.before, w.each = f.Violation.Event-1, s.States
	logs, err := gotest.StartCapture()
	if err != nil {
		return err
	}
	defer logs.Stop(0)
	run, err := follow(nil, func(o *explore.Options) {
		o.Check = w
		o.NewT = func() *explore.T {
			return explore.NewT(s.Header.Test, func(text string) { logs.Print(text) })
		}
	})
	f.Logs = logs.Stop(maxLog)
	if err != nil {
		return err
	}
	f.run, f.States, f.steps, f.seen = run, w.states, w.explored(), w.seen
	return nil
}

// witness is a Checker that writes down the states of actors.
type witness struct {
	*check.Checker
	seen   *report.Seen                   // after each event
	before int                            // the event after which the states are wanted
	list   func(explore.Execution) string // of states
	each   bool
	setUp  int // events of set-up
	states string
	steps  []seenStep
}

// seenStep is what a witness saw after an event.
type seenStep struct {
	number       int
	name, states string
}

// Step is explore.Checker.Step.
func (w *witness) Step(x explore.Execution, event int32) []trace.Violation {
	w.seen.Look(x.Trace(), event, func(a int32) (any, bool) { return x.State(a), x.Status(a).Stopped })
	if int(event) == w.before {
		w.states = w.list(x)
	}
	if w.each {
		tr := x.Trace()
		for len(w.steps) < int(event) {
			w.steps = append(w.steps, seenStep{}) // nobody was told of it
		}
		w.steps = append(w.steps, seenStep{tr.StepNumber(int(event)), tr.StepName(tr.Events[event].Step), w.list(x)})
		w.setUp = tr.Explored
	}
	return w.Checker.Step(x, event)
}

// explored prints the steps after set-up. Where set-up ends is only known once it is over.
func (w *witness) explored() string {
	var b strings.Builder
	for _, s := range w.steps[min(w.setUp, len(w.steps)):] {
		switch {
		case s.name == "":
		case s.number == 0:
			fmt.Fprintf(&b, "after %s:\n%s", s.name, s.states)
		default:
			fmt.Fprintf(&b, "after step %d, %s:\n%s", s.number, s.name, s.states)
		}
	}
	return b.String()
}

// stateList prints the actors that have not stopped, but for the driver. Where not all fit in, those come first that
// somebody has sent a message.
func (s *stage) stateList(x explore.Execution) string {
	tr := x.Trace()
	var list, idle []report.ActorState
	concerned := make([]bool, len(tr.Actors))
	for i := range tr.Messages {
		if m := &tr.Messages[i]; m.Kind == trace.User && m.Receiver >= 0 {
			concerned[m.Receiver] = true
		}
	}
	for a := 1; a < len(tr.Actors); a++ {
		if v := x.State(int32(a)); v != nil && !x.Status(int32(a)).Stopped {
			state := report.ActorState{Name: tr.ActorName(int32(a)), Value: render.Value(v, 0)}
			if len(tr.Actors) > report.MaxStates && !concerned[a] {
				idle = append(idle, state)
			} else {
				list = append(list, state)
			}
		}
	}
	return report.States(append(list, idle...), s.Width)
}
