package trace

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ScheduleVersion is the newest version of the schedule format. Every version up to it stays readable; testdata keeps a
// file of each. EncodeSchedule writes the oldest that can say it, so that older readers can read what they can follow.
//
//	1 the first
//	2 steps of kind fault, and the bound on faults in the header
//	3 under mailbox every release is a step. Before, what handled a message also released the first send of its handler: a replay of
//	  such a schedule does so still (Schedule.Joined), and no user message passes a system message in it
//	4 steps of kind draw
//	5 draws of final checks in the header
//
// A schedule file is JSON lines: the header first, then one forced step a line, so that a diff shows which step
// changed. A change that an older reader may ignore adds a field (unknown fields are skipped); any other raises the
// version.
const ScheduleVersion = 5

// headerLine is the first line. The order of the fields is that of the file.
type headerLine struct {
	// a pointer, so that a file of something else is told from version 0
	Version   *int           `json:"rehearse_schedule"`
	Package   string         `json:"package,omitempty"`
	Test      string         `json:"test,omitempty"`
	Ordinal   int            `json:"ordinal,omitempty"`
	Model     string         `json:"model"`
	Timers    string         `json:"timers"`
	Faults    string         `json:"faults,omitempty"`
	Strategy  string         `json:"strategy,omitempty"`
	Seed      uint64         `json:"seed,omitempty"`
	Layer     int            `json:"layer,omitempty"`
	Choices   uint64         `json:"choices,omitempty"`
	Draws     int            `json:"draws,omitempty"`
	Preempt   int            `json:"preemptions,omitempty"`
	Ends      []ForcedEnd    `json:"ends,omitempty"`
	Go        string         `json:"go,omitempty"`
	Violation *violationLine `json:"violation,omitempty"`
	Tool      string         `json:"tool,omitempty"`
}

// violationLine leaves out the stack: it is full of addresses, and the replay prints it anew.
type violationLine struct {
	Kind        string     `json:"kind"`
	Actor       string     `json:"actor,omitempty"`
	ActorType   string     `json:"actor_type,omitempty"`
	MessageType string     `json:"message_type,omitempty"`
	Site        string     `json:"site,omitempty"`
	Waits       []waitLine `json:"waits,omitempty"`
	Text        string     `json:"text,omitempty"`
	Where       string     `json:"where,omitempty"`
	Event       int        `json:"event,omitempty"`
}

type waitLine struct {
	Actor  string `json:"actor"`
	Awaits string `json:"awaits"`
}

// stepLine is a forced step. What people read comes first.
type stepLine struct {
	Step     string `json:"step"`
	Fault    string `json:"fault,omitempty"`
	Message  string `json:"message,omitempty"`
	From     string `json:"from,omitempty"`
	Actor    string `json:"actor,omitempty"`
	To       string `json:"to,omitempty"`
	Value    int    `json:"value,omitempty"`
	Draw     string `json:"draw,omitempty"`
	ID       string `json:"id"`
	First    string `json:"first,omitempty"`
	Optional bool   `json:"optional,omitempty"`
}

// EncodeSchedule writes s, whatever s.Header.Version says. The stack of the violation is not kept.
func EncodeSchedule(w io.Writer, s *Schedule) error {
	h, err := encodeHeader(&s.Header, s.version())
	if err != nil {
		return fmt.Errorf("write schedule: %w", err)
	}
	enc := newLineEncoder(w)
	if err := enc.Encode(h); err != nil {
		return fmt.Errorf("write schedule: %w", err)
	}
	for i := range s.Steps {
		f := &s.Steps[i]
		if int(f.Kind) >= len(kindNames) || f.ID.IsZero() {
			return fmt.Errorf("write schedule: step %d has kind %d and identity %s: both must be set", i+1, f.Kind, f.ID)
		}
		line := stepLine{Step: f.Kind.String(), Message: f.Message, From: f.From, Actor: f.Actor, To: f.To,
			Value: f.Value, Draw: f.Draw,
			ID: f.ID.String(), Optional: f.Optional}
		if f.Kind == Fault {
			if f.Value <= int(NoFault) || f.Value > int(Restart) {
				return fmt.Errorf("write schedule: step %d is the fault of kind %d, which does not exist", i+1, f.Value)
			}
			line.Fault, line.Value = FaultKind(f.Value).String(), 0
		}
		if !f.First.IsZero() {
			line.First = f.First.String()
		}
		if err := enc.Encode(line); err != nil {
			return fmt.Errorf("write schedule: step %d: %w", i+1, err)
		}
	}
	return nil
}

// version is the oldest version of the format that can say what s says.
func (s *Schedule) version() int {
	if len(s.Header.Ends) > 0 {
		return 5
	}
	if s.Draws() {
		return 4
	}
	if s.Header.Model == Mailbox {
		if s.Joined() {
			return s.Header.Version
		}
		return 3
	}
	if s.Header.Faults.On() || s.Injects() {
		return 2
	}
	return 1
}

// newLineEncoder leaves <, > and & as they are: nothing of this is put into HTML, and "<nil>" should stay readable.
func newLineEncoder(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc
}

func encodeHeader(h *Header, version int) (*headerLine, error) {
	if int(h.Model) >= len(modelNames) || int(h.Timers) >= len(timerNames) {
		return nil, fmt.Errorf("delivery model %d or timer mode %d does not exist", h.Model, h.Timers)
	}
	line := &headerLine{Version: &version, Tool: h.Tool, Package: h.Package, Test: h.Test, Ordinal: h.Ordinal,
		Model: h.Model.String(), Timers: h.Timers.String(), Strategy: h.Strategy, Seed: h.Seed, Layer: h.Layer,
		Choices: h.Choices, Draws: h.Draws, Preempt: h.Preemptions, Ends: h.Ends, Go: h.Go}
	if h.Faults.On() {
		line.Faults = h.Faults.String()
	}
	if v := h.Violation; v != nil {
		if int(v.Kind) >= len(violationNames) {
			return nil, fmt.Errorf("kind of violation %d does not exist", v.Kind)
		}
		line.Violation = &violationLine{Kind: v.Kind.String(), ActorType: v.ActorType,
			MessageType: v.MessageType, Site: v.Site,
			Text: v.Text, Where: v.Where, Event: v.Event, Actor: v.Actor}
		for _, w := range v.Waits {
			line.Violation.Waits = append(line.Violation.Waits, waitLine(w))
		}
	}
	return line, nil
}

// DecodeSchedule reads a schedule of any version so far. name is that of the file, for errors.
func DecodeSchedule(r io.Reader, name string) (*Schedule, error) {
	in := bufio.NewReader(r)
	s := &Schedule{}
	header := false
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			if !header {
				header = true
				err = s.decodeHeader(text)
			} else {
				err = s.decodeStep(text)
			}
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, n, err)
			}
		} else if err == io.EOF {
			break
		}
	}
	if !header {
		return nil, fmt.Errorf("%s: the file is empty: want a schedule; delete it, or restore it from version control", name)
	}
	return s, nil
}

func (s *Schedule) decodeHeader(text []byte) error {
	var h headerLine
	// Look at the version alone first: the other fields may mean something else in a newer one.
	var version struct {
		Version *int `json:"rehearse_schedule"`
	}
	switch err := json.Unmarshal(text, &version); {
	case err != nil:
		return fmt.Errorf("this is no schedule: the first line is not the header (%w)", notJSON(err))
	case version.Version == nil:
		return errors.New(`this is no schedule: the first line has no "rehearse_schedule"`)
	case *version.Version > ScheduleVersion:
		return fmt.Errorf("written by a newer Rehearse (format %d, this one reads up to %d): update "+
			"github.com/rehearse-go/rehearse in go.mod",
			*version.Version, ScheduleVersion)
	case *version.Version < 1:
		return fmt.Errorf("format %d does not exist: the first is 1", *version.Version)
	}
	if err := json.Unmarshal(text, &h); err != nil {
		return fmt.Errorf("header: %w", err)
	}
	s.Header = Header{Version: *h.Version, Tool: h.Tool, Package: h.Package, Test: h.Test, Ordinal: h.Ordinal,
		Strategy: h.Strategy, Seed: h.Seed, Layer: h.Layer, Choices: h.Choices, Draws: h.Draws, Preemptions: h.Preempt,
		Ends: h.Ends, Go: h.Go}
	var err error
	if s.Header.Model, err = ParseModel(h.Model); err != nil {
		return fmt.Errorf("header: %w", err)
	}
	if s.Header.Timers, err = ParseTimerMode(h.Timers); err != nil {
		return fmt.Errorf("header: %w", err)
	}
	if s.Header.Faults, err = ParseFaults(h.Faults); err != nil {
		return fmt.Errorf("header: %w", err)
	}
	for i, e := range h.Ends {
		if e.Value < 0 || e.Value > maxEnd {
			return fmt.Errorf("header: value %d of draw %d in a final check: want 0 to %d", e.Value, i+1, maxEnd)
		}
	}
	if h.Violation != nil {
		s.Header.Violation, err = h.Violation.decode()
	}
	return err
}

// maxEnd is the largest value of a draw that a schedule may have: more than Go chooses among.
const maxEnd = 1 << 20

func (v *violationLine) decode() (*Violation, error) {
	kind, err := parseViolationKind(v.Kind)
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	out := &Violation{Kind: kind, ActorType: v.ActorType, MessageType: v.MessageType, Site: v.Site, Text: v.Text,
		Where: v.Where, Event: v.Event, Actor: v.Actor}
	for _, w := range v.Waits {
		out.Waits = append(out.Waits, Wait(w))
	}
	return out, nil
}

func (s *Schedule) decodeStep(text []byte) error {
	number := len(s.Steps) + 1
	var l stepLine
	if err := json.Unmarshal(text, &l); err != nil {
		return fmt.Errorf("step %d: %w", number, notJSON(err))
	}
	if l.ID == "" || l.Step == "" {
		return fmt.Errorf(`step %d is truncated: want at least "step" and "id"`, number)
	}
	f := Forced{Actor: l.Actor, Message: l.Message, From: l.From, To: l.To, Value: l.Value, Draw: l.Draw,
		Optional: l.Optional}
	var err error
	if f.Kind, err = parseKind(l.Step); err != nil {
		return fmt.Errorf("step %d: %w", number, err)
	}
	if f.Kind == Fault {
		k, err := ParseFaultKind(l.Fault)
		if err != nil || k == NoFault {
			return fmt.Errorf(`step %d: "fault" is %q: want one of %s`, number, l.Fault, strings.Join(faultNames[1:], ", "))
		}
		f.Value = int(k)
	}
	if f.ID, err = ParseID(l.ID); err != nil {
		return fmt.Errorf("step %d: %w", number, err)
	}
	if f.ID.IsZero() {
		return fmt.Errorf("step %d: identity %s belongs to nothing", number, f.ID)
	}
	if l.First != "" {
		if f.First, err = ParseID(l.First); err != nil {
			return fmt.Errorf("step %d: first: %w", number, err)
		}
	}
	s.Steps = append(s.Steps, f)
	return nil
}

// notJSON says where a line stops being JSON, in the words of somebody who looks at the file.
func notJSON(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("not JSON at column %d: %w; restore the file from version control, or delete it", syntax.Offset,
			err)
	}
	return err
}

// Hash names a schedule by 12 hexadecimal digits. They depend on the delivery model, the timer mode, what decides in
// the steps and, from the second Check of a test on, the ordinal. They do not depend on names, versions or how it was
// found. Two schedules of one test with equal hashes replay the same.
func (s *Schedule) Hash() string { return s.ID().String()[:12] }

// ID is the whole of what Hash shortens.
func (s *Schedule) ID() ID {
	id := ID{1, 1}.With(uint64(s.Header.Model)).With(uint64(s.Header.Timers)).With(uint64(len(s.Steps)))
	for i := range s.Steps {
		id = id.WithID(s.Steps[i].ID).WithID(s.Steps[i].First)
	}
	for _, e := range s.Header.Ends {
		id = id.With(1<<50 + uint64(e.Value))
	}
	if c := s.Header.Choices; c > 0 {
		id = id.WithID(ID{c, 1})
	}
	if n := s.Header.Ordinal; n > 0 {
		id = id.With(uint64(n)) // the programs of two Checks may fail by the same steps, or by none
	}
	return id
}
