package byhand

import (
	"reflect"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/trace"
)

// Bounds of what is told of one position.
const (
	mostActors  = 400
	mostFields  = 200 // of an actor
	mostWaiting = 400
	mostText    = 400 // runes of a message
	mostOptions = 1000
	mostSteps   = 20_000
)

// look takes down how everything stands. enabled is nil where nothing is chosen any more.
func (c *Chooser) look(enabled []trace.Step) *View {
	tr := c.x.Trace()
	v := &View{Position: c.taken.String(), Choices: slices.Clone(c.taken), Lost: c.lost, Before: c.before}
	if c.Steps == nil {
		v.Left = max(0, len(c.To)-len(c.taken))
	}
	if !c.Names {
		return v
	}
	if n := len(tr.Events); n > 0 {
		v.Time = trace.Moment(tr.Events[n-1].Time)
	}
	v.Actors, v.Hidden = c.actors(), max(0, len(tr.Actors)-1-mostActors)
	v.Waiting, v.More = c.waiting()
	if len(enabled) > 0 {
		v.ask(tr, enabled)
	}
	return v
}

// ask tells what is chosen.
func (v *View) ask(tr *trace.Trace, enabled []trace.Step) {
	v.Question = "step"
	if k := enabled[0].Kind; k.Chooses() {
		v.Question, v.Asker = k.String(), tr.ActorName(enabled[0].Actor)
	}
	order := make([]int, len(enabled))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if enabled[a].Before(&enabled[b]) {
			return -1
		}
		return 1
	})
	if v.Question != "step" && v.Question != "fault" {
		// Values are read in their order, whatever the default is.
		slices.SortFunc(order, func(a, b int) int { return int(enabled[a].Value - enabled[b].Value) })
	}
	for _, i := range order[:min(len(order), mostOptions)] {
		v.Enabled = append(v.Enabled, option(tr, enabled, i))
	}
	if n := len(order) - mostOptions; n > 0 {
		v.Limits = append(v.Limits, render.Count(n, "step that is possible is not listed",
			"steps that are possible are not listed"))
	}
}

func option(tr *trace.Trace, enabled []trace.Step, i int) Option {
	s := enabled[i]
	o := Option{Choice: choiceOf(enabled, i), Kind: s.Kind.String(), Name: line(tr.StepName(s)),
		Actor: line(tr.ActorName(s.Actor))}
	if s.Kind == trace.Fault && s.Fault() == trace.NoFault {
		o.Name = "nothing goes wrong"
	}
	if s.Message >= 0 {
		msg := &tr.Messages[s.Message]
		o.From, o.Content = line(tr.ActorName(msg.Sender)), content(tr, msg)
		if s.Kind == trace.Send {
			o.Actor = line(tr.ActorName(msg.Receiver))
		}
	}
	return o
}

// line is a text of the program as one bounded line.
func line(s string) string { return render.Shorten(s, mostText) }

// content is what a message holds.
func content(tr *trace.Trace, msg *trace.Message) string {
	return render.ValueNamed(msg.Value, mostText, tr.ActorName)
}

// actors tells how all stand, but for the test function.
func (c *Chooser) actors() []Actor {
	tr := c.x.Trace()
	waiting := map[int32]int{}
	c.x.Pending(func(m int32) { waiting[tr.Messages[m].Receiver]++ })
	list := []Actor{}
	for a := int32(1); a < int32(len(tr.Actors)) && len(list) < mostActors; a++ {
		list = append(list, c.actor(a, waiting[a]))
	}
	return list
}

func (c *Chooser) actor(a int32, waiting int) Actor {
	tr, st := c.x.Trace(), c.x.Status(a)
	is := Actor{ID: tr.Actors[a].ID.String(), Name: line(tr.ActorName(a)), Type: line(tr.Actors[a].Type.Name),
		Stopped: st.Stopped, Crashed: st.Crashed, Blocked: st.Blocked, Waiting: waiting}
	if st.Blocked {
		is.Awaits = line(trace.ShortType(st.Awaits))
	}
	value := c.x.State(a)
	if value != nil && !st.Stopped {
		is.Fields, is.More = render.Fields(value, mostFields, tr.ActorName)
	}
	is.Unseen = unseen(value, st)
	return is
}

// unseen says why the state of an actor is not all seen, "" if it is.
func unseen(value any, st explore.Status) string {
	switch {
	case st.Stopped:
		return "it has stopped"
	case value == nil:
		return "nobody knows its value"
	case reflect.TypeOf(value).Kind() == reflect.Func:
		return "it is a function: what that captures cannot be seen"
	case st.Blocked:
		return "it is in the middle of a step: the variables of its handler cannot be seen"
	}
	return ""
}

// waiting are the messages that were sent and not handled.
func (c *Chooser) waiting() (list []Message, more int) {
	tr := c.x.Trace()
	c.x.Pending(func(m int32) {
		msg := &tr.Messages[m]
		if len(list) == mostWaiting {
			more++
			return
		}
		list = append(list, Message{Name: line(tr.MessageName(m)), To: line(tr.ActorName(msg.Receiver)),
			Content: content(tr, msg), Kind: kindOf(msg.Kind)})
	})
	return list, more
}

func kindOf(k trace.MessageKind) string {
	names := []string{"message", "system", "reply", "timeout", "task", "future", "end", "hook"}
	return names[min(int(k), len(names)-1)]
}

// View is what was seen, with the steps of the whole record. Call it when the execution is over.
func (c *Chooser) View() *View {
	v, tr := c.view, c.Trace
	v.Steps, v.Stale = []Step{}, nil
	for _, s := range c.Stale() {
		v.Stale = append(v.Stale, line(s.String()))
	}
	if !c.Names {
		return v
	}
	v.Earlier = max(0, len(tr.Events)-tr.Explored-mostSteps)
	at := 0 // choices that were made before the event
	number := tr.StepNumber(tr.Explored + v.Earlier - 1)
	for e := tr.Explored + v.Earlier; e < len(tr.Events); e++ {
		for at < len(c.events) && at < len(c.taken) && c.events[at] <= e {
			at++
		}
		if tr.Counted(e) {
			number++
		}
		v.Steps = append(v.Steps, c.step(int32(e), number, at))
	}
	return v
}

func (c *Chooser) step(e int32, number, at int) Step {
	tr, ev := c.Trace, &c.Trace.Events[e]
	s := Step{Number: number, Choice: at, Auto: ev.Auto, Kind: ev.Step.Kind.String(),
		Name: line(tr.StepName(ev.Step)), ID: ev.Step.ID.String(), Actor: line(tr.ActorName(ev.Step.Actor))}
	s.Default = at == 0 || c.taken[at-1] == ""
	if m := ev.Step.Message; m >= 0 {
		s.Content = content(tr, &tr.Messages[m])
	}
	for i := range ev.Incidents {
		s.Wrong = append(s.Wrong, line(ev.Incidents[i].Kind.String()+": "+tr.IncidentText(int(e), &ev.Incidents[i])))
	}
	return s
}
