package saved

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// The file is an area of fixed size:
//
//	0      magic, state, number of steps, number of names (8 bytes each)
//	32     header, JSON, zero-terminated
//	4064   what Go chooses in the execution: seed, draws, preemptions, and 1 if these are set (8 bytes each)
//	4096   the values that draws in its final checks are forced to take: their number (8 bytes), and 4 bytes each
//	names  names of actors and types, each a length byte and the text
//	steps  records of recordSize bytes
//
// Names are written once each and referred to by number, so that a step costs no formatting. A number says less than a
// name when the table is full: 0 is "not known".
const (
	magic      = 0x3265737261656865 // "ehearse2"
	headerAt   = 32
	headerSize = 4032
	choicesAt  = headerAt + headerSize
	choices    = 32
	endsAt     = choicesAt + choices
	maxEnds    = explore.AllDraws
	endsSize   = 8 + 4*maxEnds
	namesAt    = endsAt + endsSize
	namesSize  = 1 << 16
	stepsAt    = namesAt + namesSize
	recordSize = 64
	maxSteps   = 1 << 15
	fileSize   = stepsAt + maxSteps*recordSize
)

// The states of a journal.
const (
	idle    = 1
	running = 2
)

// area is what the file offers: all of it in memory, or windows that are written out when they change.
type area interface {
	// window gives n bytes at off to be changed, flush makes them last.
	window(off, n int) []byte
	flush(off, n int)
}

var le = binary.LittleEndian

// writer fills the area.
type writer struct {
	a      area
	steps  int
	nNames int
	free   int // in the names' part
	names  map[string]uint16
	types  map[*trace.Type]uint16
	actors []uint16 // of the running execution: their names
	chosen [4]uint64
	ends   []uint32
}

func (w *writer) begin(a area, h trace.Header) error {
	w.a, w.names, w.types = a, map[string]uint16{"": 0}, map[*trace.Type]uint16{}
	if err := w.header(h); err != nil {
		return err
	}
	b := a.window(0, headerAt)
	le.PutUint64(b, magic)
	a.flush(0, headerAt)
	w.clear(idle)
	return nil
}

func (w *writer) header(h trace.Header) error {
	text, err := json.Marshal(h)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	if len(text) >= headerSize {
		return fmt.Errorf("journal: the header is %d bytes, more than %d", len(text), headerSize-1)
	}
	b := w.a.window(headerAt, headerSize)
	clear(b[copy(b, text):])
	w.a.flush(headerAt, headerSize)
	return nil
}

// under writes how Go chooses.
func (w *writer) under(seed uint64, draws, preemptions int, ends []uint32) {
	w.force(ends)
	c := [4]uint64{seed, uint64(draws), uint64(preemptions), 1}
	if c == w.chosen {
		return
	}
	w.chosen = c
	b := w.a.window(choicesAt, choices)
	for i, v := range c {
		le.PutUint64(b[8*i:], v)
	}
	w.a.flush(choicesAt, choices)
}

// force writes what is forced in final checks.
func (w *writer) force(ends []uint32) {
	if slices.Equal(ends, w.ends) {
		return
	}
	w.ends = append(w.ends[:0], ends...)
	n := min(len(ends), maxEnds) // no execution has more
	b := w.a.window(endsAt, 8+4*n)
	le.PutUint64(b, uint64(n))
	for i, v := range ends[:n] {
		le.PutUint32(b[8+4*i:], v)
	}
	w.a.flush(endsAt, 8+4*n)
}

// clear empties the schedule.
func (w *writer) clear(state uint64) {
	if state == running {
		w.steps, w.actors = 0, w.actors[:0]
	}
	w.put(state)
}

// back drops the steps after the first n; tr has the actors that are left.
func (w *writer) back(tr *trace.Trace, n int) {
	w.steps, w.actors = n, w.actors[:min(len(w.actors), len(tr.Actors))]
	w.put(running)
}

func (w *writer) put(state uint64) {
	b := w.a.window(8, 24)
	le.PutUint64(b, state)
	le.PutUint64(b[8:], uint64(w.steps))
	le.PutUint64(b[16:], uint64(w.nNames))
	w.a.flush(8, 24)
}

// step appends a record. Beyond the end of the area it only counts, so that the reader knows that steps are missing.
func (w *writer) step(tr *trace.Trace, c explore.Choice, s trace.Step) {
	if w.steps < maxSteps {
		off := stepsAt + w.steps*recordSize
		b := w.a.window(off, recordSize)
		putID(b, s.ID)
		putID(b[16:], c.First)
		le.PutUint32(b[32:], uint32(s.Kind))
		le.PutUint32(b[36:], uint32(s.Value))
		from, to, message := int32(-1), int32(-1), uint16(0)
		if s.Message >= 0 {
			m := &tr.Messages[s.Message]
			from, to, message = m.Sender, m.Receiver, w.typeName(m.Type)
		}
		putActor(b[40:], s.Actor, w.actorName(tr, s.Actor))
		putActor(b[46:], from, w.actorName(tr, from))
		putActor(b[52:], to, w.actorName(tr, to))
		le.PutUint16(b[58:], message)
		w.a.flush(off, recordSize)
	}
	w.steps++
	w.put(running)
}

func putID(b []byte, id trace.ID) {
	le.PutUint64(b, id.Hi)
	le.PutUint64(b[8:], id.Lo)
}

func putActor(b []byte, actor int32, name uint16) {
	le.PutUint32(b, uint32(actor))
	le.PutUint16(b[4:], name)
}

func (w *writer) actorName(tr *trace.Trace, actor int32) uint16 {
	if actor < 0 {
		return 0
	}
	for int(actor) >= len(w.actors) {
		a := &tr.Actors[len(w.actors)]
		if a.Name != "" {
			w.actors = append(w.actors, w.name(a.Name))
		} else {
			w.actors = append(w.actors, w.typeName(a.Type))
		}
	}
	return w.actors[actor]
}

func (w *writer) typeName(ty *trace.Type) uint16 {
	n, ok := w.types[ty]
	if !ok {
		n = w.name(ty.Name)
		// A system that makes new types for every execution must not make this map grow for ever.
		if len(w.types) >= 1<<12 {
			clear(w.types)
		}
		w.types[ty] = n
	}
	return n
}

// name gives the number of a name, 0 if there is no room for it.
func (w *writer) name(s string) uint16 {
	s = s[:min(len(s), 255)]
	if n, ok := w.names[s]; ok {
		return n
	}
	if w.free+1+len(s) > namesSize || w.nNames >= 1<<16-2 {
		return 0
	}
	b := w.a.window(namesAt+w.free, 1+len(s))
	b[0] = byte(len(s))
	copy(b[1:], s)
	w.a.flush(namesAt+w.free, 1+len(s))
	w.free += 1 + len(s)
	w.nNames++
	n := uint16(w.nNames)
	w.names[s] = n
	return n
}

// Died is an execution that a process did not survive.
type Died struct {
	Header trace.Header
	Steps  []trace.Forced
	Lost   int // steps beyond the journal's end
}

// read gives the execution that was running when the area was last written, nil if none was or the content makes no
// sense.
func read(b []byte) *Died {
	if len(b) < fileSize || le.Uint64(b) != magic || le.Uint64(b[8:]) != running {
		return nil
	}
	d := &Died{}
	text, _, _ := bytes.Cut(b[headerAt:headerAt+headerSize], []byte{0})
	if json.Unmarshal(text, &d.Header) != nil {
		return nil
	}
	if c := b[choicesAt:]; le.Uint64(c[24:]) == 1 {
		d.Header.Choices = le.Uint64(c)
		if d.Header.Layer > 1 {
			d.Header.Draws, d.Header.Preemptions = int(le.Uint64(c[8:])), int(le.Uint64(c[16:]))
			d.Header.Ends = readEnds(b[endsAt:namesAt])
		}
	}
	names := readNames(b[namesAt:namesAt+namesSize], le.Uint64(b[24:]))
	n := le.Uint64(b[16:])
	kept := min(n, maxSteps)
	d.Lost = int(n - kept)
	for i := range int(kept) {
		f, ok := readStep(b[stepsAt+i*recordSize:], names)
		if !ok {
			return nil
		}
		d.Steps = append(d.Steps, f)
	}
	tellApart(d.Steps, b)
	d.Steps = slices.DeleteFunc(d.Steps,
		func(f trace.Forced) bool { return f.Kind == trace.Fault && f.Value == int(trace.NoFault) })
	return d
}

func readEnds(b []byte) (ends []trace.ForcedEnd) {
	for i := range int(min(le.Uint64(b), maxEnds)) {
		ends = append(ends, trace.ForcedEnd{Value: int(le.Uint32(b[8+4*i:]))})
	}
	return ends
}

func readNames(b []byte, n uint64) []string {
	names := []string{""}
	for range min(n, 1<<16) {
		if len(b) == 0 || len(b) < 1+int(b[0]) {
			break
		}
		names = append(names, string(b[1:1+b[0]]))
		b = b[1+b[0]:]
	}
	return names
}

func readStep(b []byte, names []string) (trace.Forced, bool) {
	name := func(off int) string {
		if n := int(le.Uint16(b[off:])); n < len(names) {
			return names[n]
		}
		return ""
	}
	kind := trace.Kind(le.Uint32(b[32:]))
	f := trace.Forced{ID: getID(b), First: getID(b[16:]), Kind: kind, Value: int(int32(le.Uint32(b[36:]))),
		Actor: trace.ShortType(name(44)), Message: name(58), From: trace.ShortType(name(50)), To: trace.ShortType(name(56))}
	return f, !f.ID.IsZero() && kind <= trace.Draw
}

func getID(b []byte) trace.ID { return trace.ID{Hi: le.Uint64(b), Lo: le.Uint64(b[8:])} }

// tellApart adds an ordinal to the names that several actors of the schedule share, as trace.ActorName does.
func tellApart(steps []trace.Forced, b []byte) {
	holders := map[string][]uint32{} // actors of a name, in order of index
	each := func(i int, f func(name *string, actor uint32)) {
		r := b[stepsAt+i*recordSize:]
		f(&steps[i].Actor, le.Uint32(r[40:]))
		f(&steps[i].From, le.Uint32(r[46:]))
		f(&steps[i].To, le.Uint32(r[52:]))
	}
	for i := range steps {
		each(i, func(name *string, actor uint32) {
			if at, known := slices.BinarySearch(holders[*name], actor); !known {
				holders[*name] = slices.Insert(holders[*name], at, actor)
			}
		})
	}
	for i := range steps {
		each(i, func(name *string, actor uint32) {
			if same := holders[*name]; *name != "" && len(same) > 1 {
				at, _ := slices.BinarySearch(same, actor)
				*name = fmt.Sprintf("%s#%d", *name, at+1)
			}
		})
		if steps[i].To == steps[i].Actor {
			steps[i].To = ""
		}
	}
}
