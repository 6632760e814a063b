package export

import (
	"encoding/json"

	"github.com/rehearse-go/rehearse/internal/report"
)

// The trace event format is that of the document "Trace Event Format", which chrome://tracing and Perfetto name. An
// execution is a process, an actor a thread. A step takes stepTime of the picture's time, which is no time of the
// program: steps have none but their order.
const stepTime = 1000 // microseconds

type (
	chromeJSON struct {
		TraceEvents     []eventJSON `json:"traceEvents"`
		DisplayTimeUnit string      `json:"displayTimeUnit"`
	}
	eventJSON struct {
		Name     string         `json:"name"`
		Category string         `json:"cat,omitempty"`
		Phase    string         `json:"ph"`
		Time     int            `json:"ts"`
		Duration int            `json:"dur,omitempty"`
		Process  int            `json:"pid"`
		Thread   int            `json:"tid"`
		ID       int            `json:"id,omitempty"`
		Bind     string         `json:"bp,omitempty"`
		Scope    string         `json:"s,omitempty"`
		Args     map[string]any `json:"args,omitempty"`
	}
)

func writeChrome(es []Execution) ([]byte, error) {
	c := &chrome{events: []eventJSON{}}
	for i, e := range es {
		c.process = i + 1
		c.execution(e)
	}
	data, err := json.MarshalIndent(chromeJSON{c.events, "ms"}, "", " ")
	return append(data, '\n'), err
}

type chrome struct {
	process int
	flow    int
	events  []eventJSON
}

func (c *chrome) execution(e Execution) {
	p := e.Picture
	c.add(eventJSON{Name: "process_name", Phase: "M", Args: map[string]any{"name": line(e.Name)}})
	for h := range p.Lifelines {
		c.add(eventJSON{Name: "thread_name", Phase: "M", Thread: h + 1,
			Args: map[string]any{"name": line(p.Lifelines[h].Name)}})
		c.add(eventJSON{Name: "thread_sort_index", Phase: "M", Thread: h + 1, Args: map[string]any{"sort_index": h}})
	}
	for _, s := range p.Blocked {
		to := s.To
		if to < 0 {
			to = len(p.Rows)
		}
		c.add(eventJSON{Name: "waits", Category: "blocked", Phase: "X", Time: s.From * stepTime,
			Duration: (to - s.From) * stepTime, Thread: s.Lifeline + 1})
	}
	for i := range p.Rows {
		c.row(p, i)
	}
	for i := range p.Arrows {
		c.arrow(p, &p.Arrows[i])
	}
	for _, text := range closing(p) {
		c.add(eventJSON{Name: text, Category: "end", Phase: "i", Time: len(p.Rows) * stepTime, Thread: 1, Scope: "p"})
	}
}

func (c *chrome) add(e eventJSON) {
	e.Process = c.process
	c.events = append(c.events, e)
}

func (c *chrome) row(p *report.Picture, i int) {
	r := &p.Rows[i]
	if i == 0 {
		c.add(eventJSON{Name: r.Label, Category: "step", Phase: "X", Duration: stepTime / 2, Thread: 1})
		return
	}
	args := map[string]any{}
	if r.Step > 0 {
		args["step"] = r.Step
	}
	if r.From != "" {
		args["from"] = r.From
	}
	if r.Marks != "" {
		args["marks"] = r.Marks
	}
	for _, s := range r.States {
		args["state of "+p.Lifelines[s.Lifeline].Name] = s.Text
	}
	c.add(eventJSON{Name: r.Label, Category: "step", Phase: "X", Time: i * stepTime, Duration: stepTime / 2,
		Thread: r.Lifeline + 1, Args: args})
	for _, w := range r.Wrong {
		c.add(eventJSON{Name: w, Category: "wrong", Phase: "i", Time: i*stepTime + stepTime/4, Thread: r.Lifeline + 1,
			Scope: "g"})
	}
}

// arrow is a flow from a step to another. One that was not handled has no end: it is an instant where it was sent.
func (c *chrome) arrow(p *report.Picture, a *report.Arrow) {
	if a.Arrived < 0 {
		c.add(eventJSON{Name: a.Label + ": not handled", Category: "unhandled", Phase: "i",
			Time: a.Sent*stepTime + stepTime/4, Thread: a.From + 1, Scope: "t",
			Args: map[string]any{"kind": a.Kind, "marks": a.Marks, "to": line(p.Lifelines[a.To].Name)}})
		return
	}
	if a.Arrived == 0 || a.Arrived == a.Sent {
		return
	}
	c.flow++
	c.add(eventJSON{Name: a.Label, Category: a.Kind, Phase: "s", Time: a.Sent*stepTime + stepTime/4, Thread: a.From + 1,
		ID: c.flow})
	c.add(eventJSON{Name: a.Label, Category: a.Kind, Phase: "f", Time: a.Arrived*stepTime + stepTime/8, Thread: a.To + 1,
		ID: c.flow, Bind: "e"})
}
