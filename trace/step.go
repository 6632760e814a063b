package trace

// Kind is the kind of a step.
type Kind uint8

// The kinds of steps.
const (
	Start   Kind = iota // the driver runs (set-up or test part)
	Deliver             // a message is handled
	Reply               // a reply reaches the actor blocked in the call, which goes on
	Resume              // a suspended task goes on
	Timer               // a timer fires: its timeout is appended to the owner's mailbox
	Advance             // the clock moves to the next deadline
	Fault               // an injected fault
	Send                // under Mailbox: a captured send reaches its receiver's mailbox
	Choose              // a value is picked for Choose(n)
	Draw                // what Go chooses by itself is decided: a map's order, a ready case, which goroutine goes on
)

var kindNames = []string{"start", "deliver", "reply", "resume", "timer", "advance", "fault", "send", "choose", "draw"}

func (k Kind) String() string { return kindNames[k] }

// parseKind reads a kind's name.
func parseKind(s string) (Kind, error) { return parseName[Kind]("kind of step", kindNames, s) }

// Handles reports whether steps of this kind run handler code: these are counted as deliveries.
func (k Kind) Handles() bool { return k == Deliver || k == Reply || k == Resume }

// Chooses reports whether steps of this kind are choices in the middle of another step.
func (k Kind) Chooses() bool { return k == Choose || k == Draw || k == Fault }

// LastDepth is the depth of steps that the default order takes only when there is no other.
const LastDepth = 1 << 30

// Step is something that may happen next: the unit of choice.
type Step struct {
	ID      ID
	Kind    Kind
	Actor   int32 // who runs: index into Trace.Actors
	Message int32 // index into Trace.Messages, -1 if none
	Depth   int32 // number of steps that lead to it by sending
	Value   int32 // of a Choose or a Draw: the value; of a Fault: the FaultKind
}

// Set makes s what o is, field by field: a copy of the whole waits for the narrow writes that made o, if those were
// just before.
func (s *Step) Set(o *Step) {
	s.ID, s.Kind, s.Actor, s.Message, s.Depth, s.Value = o.ID, o.Kind, o.Actor, o.Message, o.Depth, o.Value
}

// Before is the default order: least depth first, then least identity.
func (s *Step) Before(t *Step) bool {
	return s.Depth < t.Depth || s.Depth == t.Depth && s.ID.Less(t.ID)
}

// First gives the index of the first step in the default order, -1 if there is none.
func First(steps []Step) int {
	best := -1
	for i := range steps {
		if best < 0 || steps[i].Before(&steps[best]) {
			best = i
		}
	}
	return best
}

// Find gives the index of the step with this identity, -1 if it is not among steps.
func Find(steps []Step, id ID) int {
	for i := range steps {
		if steps[i].ID == id {
			return i
		}
	}
	return -1
}
