package cases

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Report is a suite for people and for programs: all of it is text and numbers, in a fixed order.
type Report struct {
	Target   string         `json:"target"`
	Kind     string         `json:"kind"`
	Where    string         `json:"where"` // file:line
	Bounded  bool           `json:"bounded"`
	Assume   []string       `json:"assume,omitempty"`
	Domain   []string       `json:"domain,omitempty"`
	Findings []CaseReport   `json:"findings"` // failures whose state can come about
	Cases    []CaseReport   `json:"cases"`    // what does not fail
	Assumed  []CaseReport   `json:"assumed"`  // failures of which that is not known
	Blocks   [2]int         `json:"blocks"`   // covered, and all
	Branches [2]int         `json:"branches"` // covered, and all
	Covered  []Place        `json:"covered,omitempty"`
	Left     []Left         `json:"left,omitempty"`
	Cuts     map[string]int `json:"cuts,omitempty"`
	Excluded map[string]int `json:"excluded,omitempty"`
	Dropped  int            `json:"dropped,omitempty"`
	Unknown  int            `json:"unknown,omitempty"`
	Notes    []string       `json:"notes,omitempty"`
	Defect   string         `json:"defect,omitempty"`
}

// CaseReport is a case.
type CaseReport struct {
	Name         string         `json:"name"`
	Verdict      string         `json:"verdict"`
	Why          string         `json:"why,omitempty"`
	Where        string         `json:"where,omitempty"`
	Conditions   []string       `json:"conditions"`
	Kept         []string       `json:"kept,omitempty"`     // conditions of fields that keep what constructors give them
	Accepted     []string       `json:"accepted,omitempty"` // the condition that the actor takes the message
	Inputs       []ValueReport  `json:"inputs,omitempty"`   // of the instance
	Initial      []ValueReport  `json:"initial,omitempty"`
	Final        []ValueReport  `json:"final,omitempty"`
	Result       []ValueReport  `json:"result,omitempty"`
	Does         []string       `json:"does,omitempty"`
	Queued       []string       `json:"queued,omitempty"`
	Priorities   []string       `json:"priorities,omitempty"`
	Order        []string       `json:"order,omitempty"`
	Waiting      []string       `json:"waiting,omitempty"`
	Answers      []string       `json:"answers,omitempty"`
	Stashed      []string       `json:"stashed,omitempty"`
	Marks        []string       `json:"marks,omitempty"`
	NoInstance   string         `json:"noInstance,omitempty"`
	Reached      *ReachedReport `json:"reached,omitempty"`
	StateAssumed string         `json:"stateAssumed,omitempty"`
	Confirmed    string         `json:"confirmed,omitempty"`
}

// ValueReport is a term under a name, and its value in the instance, "" if there is none.
type ValueReport struct {
	Name  string `json:"name"`
	Term  string `json:"term,omitempty"` // "" where it is the name
	Value string `json:"value,omitempty"`
}

// ReachedReport is how a state comes about.
type ReachedReport struct {
	Start  string        `json:"start,omitempty"` // the constructor, or where the actor is made
	Where  string        `json:"where,omitempty"`
	Before []string      `json:"before,omitempty"`
	Inputs []ValueReport `json:"inputs"`
}

// Finding reports whether a case is a failure that can happen, as far as is known: its state can come about, and no
// execution has contradicted.
func (c *Case) Finding() bool {
	return c.Verdict.Fails() && c.Reached != nil && c.Confirmed != Contradicted
}

// Report gives a suite as text and numbers.
func (p *Program) Report(s *Suite) *Report {
	r := &Report{Target: s.Target.Name, Kind: s.Target.Kind.String(), Where: p.load.Position(s.Target.Pos),
		Bounded: s.Bounded(), Assume: s.Config.Assume,
		Blocks:   [2]int{s.Coverage.BlocksCovered, s.Coverage.Blocks},
		Branches: [2]int{s.Coverage.BranchesCovered, s.Coverage.Branches},
		Cuts:     s.Cuts, Excluded: s.Excluded, Dropped: s.Dropped, Unknown: s.Unknown, Notes: s.Notes, Defect: s.Defect,
		Findings: []CaseReport{}, Cases: []CaseReport{}, Assumed: []CaseReport{}}
	if n := s.Config.Numbers; n != nil {
		r.Domain = append(r.Domain, fmt.Sprintf("integers from %d to %d", n.Least, n.Most))
	}
	if len(s.Config.Strings) > 0 {
		r.Domain = append(r.Domain, fmt.Sprintf("strings of %q", s.Config.Strings))
	}
	for _, c := range s.Cases {
		list := &r.Cases
		switch {
		case c.Finding():
			list = &r.Findings
		case c.Verdict.Fails():
			list = &r.Assumed
		}
		*list = append(*list, p.reported(c))
	}
	r.Covered, r.Left = s.Coverage.Covered, s.Coverage.Left
	return r
}

// reported gives a case as text.
func (p *Program) reported(c *Case) CaseReport {
	r := CaseReport{Name: c.Name, Verdict: c.Verdict.String(), Why: c.Why, Conditions: []string{}, Queued: c.Queued,
		Priorities: c.Priorities, Waiting: c.Waiting, Stashed: c.Stashed,
		NoInstance: c.NoInstance, StateAssumed: c.StateAssumed, Confirmed: string(c.Confirmed)}
	if c.Verdict.Fails() {
		r.Where = p.load.Position(c.Pos)
	}
	if c.Note != "" {
		r.Confirmed += ": " + c.Note
	}
	for _, t := range c.Kept {
		r.Kept = append(r.Kept, p.Text(c, t))
	}
	for _, t := range c.Accepted {
		r.Accepted = append(r.Accepted, p.Text(c, t))
	}
	for _, t := range c.Constraints {
		r.Conditions = append(r.Conditions, p.Text(c, t))
	}
	r.Inputs = p.inputs(c.Inputs, c.Model)
	r.Initial, r.Final, r.Result = p.values(c, c.Initial), p.values(c, c.Final), p.values(c, c.Result)
	for _, e := range c.Events {
		r.Does = append(r.Does, p.event(c, e))
	}
	for _, s := range c.Sent {
		r.Does = append(r.Does, p.does(c, "send", s.Message, s.To, false, s.Fields))
	}
	for _, s := range c.Steps {
		r.Order = append(r.Order, s.String())
	}
	for _, a := range c.Answers {
		r.Answers = append(r.Answers, a.String())
	}
	for _, m := range c.Marks {
		r.Marks = append(r.Marks, fmt.Sprintf("%v: %s (%s)", m.Kind, m.What, p.load.Position(m.Pos)))
	}
	if w := c.Reached; w != nil {
		r.Reached = &ReachedReport{Inputs: p.inputs(w.Inputs, w.Model)}
		if w.Start != nil {
			r.Reached.Start, r.Reached.Where = w.Start.Fn.RelString(packageOf(w.Start.Fn).Pkg), p.load.Position(w.Start.Pos)
		}
		for _, t := range w.Before {
			r.Reached.Before = append(r.Reached.Before, t.Name)
		}
	}
	return r
}

// inputs lists the values of inputs, by name.
func (p *Program) inputs(list []exec.Input, m *term.Model) (values []ValueReport) {
	if m == nil {
		return nil
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, exec.CompareInputs)
	for _, in := range list {
		if in.At.Up == nil && in.Aspect == "!ref" && m.Eval(in.Var).Uint() != 0 {
			continue // the actor itself
		}
		values = append(values, ValueReport{Name: in.Var.Name, Value: p.valueText(in, m.Eval(in.Var))})
	}
	return values
}

// valueText writes the value of an input as the program has it.
func (p *Program) valueText(in exec.Input, v term.Value) string {
	switch {
	case in.Aspect == "!type" && v.Uint() == 0, in.Aspect == "!ref" && v.Uint() == 0:
		return "nil"
	case in.Aspect == "!type":
		if t := p.Exec().Type(v.Uint()); t != nil {
			return typeText(t)
		}
		return "a type that the program does not ask for"
	case in.Aspect == "!ref":
		return "#" + strconv.FormatUint(v.Uint(), 10)
	}
	return numberText(v, in.Unsigned())
}

// numberText writes a value, words without their sort.
func numberText(v term.Value, unsigned bool) string {
	switch {
	case v.Sort.Kind == term.WordKind && unsigned:
		return strconv.FormatUint(v.Uint(), 10)
	case v.Sort.Kind == term.WordKind:
		return strconv.FormatInt(v.Int(), 10)
	}
	return v.String()
}

// values lists terms under names, with their values.
func (p *Program) values(c *Case, list []exec.Named) (values []ValueReport) {
	for _, n := range list {
		if n.Name == c.Target.self() {
			continue
		}
		v := ValueReport{Name: n.Name}
		if text := p.Text(c, n.Term); n.Term.Op != term.OpVar || n.Term.Name != n.Name {
			v.Term = text
		}
		if c.Model != nil {
			i := slices.IndexFunc(c.Inputs, func(in exec.Input) bool { return in.Var == n.Term })
			if i >= 0 {
				v.Value = p.valueText(c.Inputs[i], c.Model.Eval(n.Term))
			} else {
				v.Value = numberText(c.Model.Eval(n.Term), false)
			}
		}
		values = append(values, v)
	}
	return values
}

func (p *Program) event(c *Case, e exec.Event) string {
	name := ""
	if e.Type != nil {
		name = model.MessageName(e.Type)
	}
	return p.does(c, e.Op, name, e.To, e.Lost, e.Flat)
}

// does writes something that is done to actors.
func (p *Program) does(c *Case, op, message string, to *term.Term, lost bool, fields []exec.Named) string {
	text := op
	if message != "" {
		text += " " + message
	}
	switch {
	case lost:
		text += " to nobody"
	case to != nil:
		text += " to " + p.Text(c, to)
	}
	for i, f := range fields {
		sep := ", "
		if i == 0 {
			sep = " with "
		}
		text += sep + f.Name + " = " + p.Text(c, f.Term)
	}
	return text
}

// WriteJSON writes reports as one JSON array.
func WriteJSON(w io.Writer, list []*Report) error {
	if list == nil {
		list = []*Report{}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(list)
}

// Print writes a report for people: findings, cases, failures whose state is assumed, and what is not covered.
func (r *Report) Print(w io.Writer) {
	bounded := "complete"
	if r.Bounded {
		bounded = "bounded"
	}
	fmt.Fprintf(w, "%s (%s), a %s: %s, %s, %s; %s; blocks %d of %d, branches %d of %d\n", r.Target, r.Where, r.Kind,
		counted(len(r.Findings), "finding"),
		counted(len(r.Cases), "case"), counted(len(r.Assumed), "failure from an assumed state"), bounded, r.Blocks[0],
		r.Blocks[1], r.Branches[0], r.Branches[1])
	for _, a := range r.Assume {
		fmt.Fprintf(w, "  assuming %s\n", a)
	}
	for _, d := range r.Domain {
		fmt.Fprintf(w, "  for %s\n", d)
	}
	for _, g := range []struct {
		what string
		list []CaseReport
	}{{"finding", r.Findings}, {"case", r.Cases}, {"state assumed", r.Assumed}} {
		for _, c := range g.list {
			c.print(w, g.what, r.Assume)
		}
	}
	r.printCovered(w)
	for _, l := range r.Left {
		fmt.Fprintf(w, "  not covered: %s: %s\n", l.Place, l.Why)
	}
	for _, m := range []struct {
		what string
		of   map[string]int
	}{{"not followed", r.Cuts}, {"without inputs", r.Excluded}} {
		for _, why := range slices.Sorted(maps.Keys(m.of)) {
			fmt.Fprintf(w, "  %s: %s (%d)\n", m.what, why, m.of[why])
		}
	}
	if r.Dropped > 0 {
		fmt.Fprintf(w, "  left out: %s, since the others cover the same\n", counted(r.Dropped, "case"))
	}
	if r.Unknown > 0 {
		fmt.Fprintf(w, "  the solver gave up %s\n", counted(r.Unknown, "time"))
	}
	for _, n := range r.Notes {
		fmt.Fprintf(w, "  note: %s\n", n)
	}
	if r.Defect != "" {
		fmt.Fprintf(w, "  defect of rehearse: %s\n", r.Defect)
	}
}

// printCovered writes the lines of blocks that are covered, and the branches.
func (r *Report) printCovered(w io.Writer) {
	lines := map[string][]string{}
	for _, c := range r.Covered {
		if file, line, _ := strings.Cut(c.Where, ":"); c.Branch == "" && !slices.Contains(lines[file], line) {
			lines[file] = append(lines[file], line)
		}
	}
	for _, file := range slices.Sorted(maps.Keys(lines)) {
		fmt.Fprintf(w, "  covered: blocks of %s:%s\n", file, strings.Join(lines[file], ","))
	}
	for _, c := range r.Covered {
		if c.Branch != "" {
			fmt.Fprintf(w, "  covered: %s\n", c)
		}
	}
}

// counted writes a number of things.
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if first, rest, ok := strings.Cut(what, " "); ok {
		return fmt.Sprintf("%d %ss %s", n, first, rest)
	}
	return fmt.Sprintf("%d %ss", n, what)
}
