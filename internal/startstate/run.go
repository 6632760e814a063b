package startstate

import (
	"reflect"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Of executes a system once, to the place where its test function has returned or waits outside of set-up, and tells
// what is there. Where actors are to be started then, a second execution goes on until all have been. The T is one that
// test makes.
func Of(sys explore.System, c explore.Conditions, test func() *explore.T) (*State, error) {
	d := &teller{t: test()}
	if err := d.execute(sys, c); err != nil {
		return nil, err
	}
	if s := d.state; d.starts && s.Err == "" {
		on := &teller{t: test(), goesOn: true}
		if err := on.execute(sys, c); err != nil {
			s.Begun = &State{Err: err.Error()}
		} else {
			s.Begun = on.state
		}
	}
	return d.state, nil
}

// execute executes a system once.
func (d *teller) execute(sys explore.System, c explore.Conditions) error {
	if p, ok := sys.(explore.Prober); ok {
		p.Probing(func() {}, func(*trace.Trace, explore.Choice, trace.Step) {})
	}
	if p, ok := sys.(explore.Preparer); ok {
		release, err := p.Prepare(c)
		if err != nil {
			return err
		}
		defer release()
	}
	d.state = &State{Test: d.t.Name(), Made: PlacesOf(sys)}
	if err := sys.Execute(c, d); err != nil {
		return err
	}
	d.uncontrolled(sys)
	return nil
}

// uncontrolled notes what happens beside the actors, such as goroutines that the test function has started.
func (d *teller) uncontrolled(sys explore.System) {
	list := []string{d.x.Trace().Uncontrolled}
	if a, ok := sys.(explore.Accountable); ok {
		list = append(list, a.Account().Uncontrolled)
	}
	for _, what := range list {
		if what != "" && !slices.Contains(d.state.Unread, what) {
			d.state.Unread = append(d.state.Unread, what)
		}
	}
}

// teller is the explore.Driver of the one execution.
type teller struct {
	t     *explore.T
	x     explore.Execution
	state *State
	told  bool

	goesOn bool // until all actors are started
	steps  int  // for that
	starts bool // something is left to be started
}

// Begin is explore.Driver.Begin.
func (d *teller) Begin(x explore.Execution) *explore.T {
	d.x = x
	return d.t
}

// Choose is explore.Driver.Choose: the first step of an actor is not taken.
func (d *teller) Choose(enabled []trace.Step) (explore.Choice, bool) {
	if !d.told && len(enabled) > 0 && enabled[0].Kind.Chooses() {
		d.state.Chose = true
		return explore.Choice{}, true
	}
	if i := slices.IndexFunc(enabled, d.begins); i >= 0 && !d.told {
		d.starts = true
		if d.steps++; d.goesOn && d.steps <= mostSteps {
			return explore.Choice{Index: i}, true
		}
	}
	d.tell()
	return explore.Choice{Index: -1}, false
}

// mostSteps bounds the steps until all actors are started: each may create others.
const mostSteps = 2000

// begins reports whether a step is one by which actors are started: what starts one, what watches one, and releases,
// since what is released earlier may be before it.
func (d *teller) begins(s trace.Step) bool {
	switch {
	case s.Kind == trace.Send:
		return true
	case s.Kind != trace.Deliver || s.Message < 0:
		return false
	}
	m := &d.x.Trace().Messages[s.Message]
	return m.Starts || m.Kind == trace.System && (m.Type.Name == "actor.Watch" || m.Type.Name == "actor.Unwatch")
}

// Observe is explore.Driver.Observe.
func (d *teller) Observe(int32) bool { return true }

// Finish is explore.Driver.Finish.
func (d *teller) Finish() {
	d.tell()
	d.t.RunCleanups()
}

// tell tells what is there.
func (d *teller) tell() {
	if d.told {
		return
	}
	d.told = true
	s := d.state
	in, ok := d.x.(explore.Inspector)
	if !ok {
		s.Err = "this kind of system does not tell what values of its actors mean"
		return
	}
	if st := d.x.Status(0); st.Blocked {
		s.Waits = st.Awaits
		if s.Waits == "" {
			s.Waits = "somebody"
		}
	}
	r := &reader{in: in}
	tr := d.x.Trace()
	s.SetUp = tr.Explored > 0
	if what := open(in); what != "" {
		s.Unread = append(s.Unread, what)
	}
	s.Actors = make([]Actor, len(tr.Actors)-1)
	for i := range s.Actors {
		r.actor(d.x, int32(i)+1, &s.Actors[i])
	}
	var on []int32
	d.x.Pending(func(m int32) { on = append(on, m) })
	slices.Sort(on)
	s.Messages = make([]Message, len(on))
	for i, m := range on {
		r.message(tr, m, &s.Messages[i])
	}
	r.encode(s)
}

// open says what there is beside actors and messages, "" if nothing.
func open(in explore.Inspector) string {
	if x, ok := in.(interface{ Open() string }); ok {
		return x.Open()
	}
	switch how, why := in.Disclosed(); how {
	case explore.Hidden:
		return why
	case explore.ByHistory:
		return "timers are set, or there are futures"
	}
	return ""
}

// framed is an Execution of actors that a framework runs.
type framed interface {
	Identity(actor int32) string // the name by which the framework finds it
	Beside(actor int32) string   // what else decides what it does
}

// actor reads an actor. What its values hold is filled in by encode.
func (r *reader) actor(x explore.Execution, i int32, a *Actor) {
	tr := x.Trace()
	*a = Actor{Name: tr.Actors[i].Name, Type: tr.Actors[i].Type.Name, Early: int(tr.Actors[i].Creator) < tr.Explored,
		Parent: int(tr.Actors[i].Parent) - 1, Stopped: x.Status(i).Stopped}
	if id, ok := x.(framed); ok {
		a.ID, a.Unread = id.Identity(i), id.Beside(i)
	}
	if a.Stopped {
		return
	}
	if !r.in.Settled(i) {
		a.Unread = "what it is in the middle of, or has put aside"
	}
	present := x.State(i)
	if k := reflect.ValueOf(r.in.Kept(i)); k.IsValid() && k.Kind() == reflect.Struct {
		r.readContext(a, k, &present)
	}
	r.want(&a.Behaves, present)
}

// readContext reads what a framework holds beside an actor.
func (r *reader) readContext(a *Actor, k reflect.Value, present *any) {
	k = reflect.ValueOf(boxed(k).Interface()).Elem()
	for i := range k.NumField() {
		f := opened(k.Field(i))
		switch name := k.Type().Field(i).Name; {
		case name == "children" || name == "state" || f.IsZero() || vacant(f):
		case name == "present":
			*present = f.Interface()
		case name == "previous":
			a.Before = make([]Value, f.Len())
			for j := range f.Len() {
				r.want(&a.Before[j], f.Index(j).Interface())
			}
		case name == "watchers":
			for j := range f.Len() {
				if who, _ := r.in.ActorOf(f.Index(j).Interface()); who >= 0 {
					a.Watched = append(a.Watched, int(who)-1)
				} else {
					a.Unread = "who watches it"
				}
			}
		case name == "dropped": // what nothing goes back to
		default:
			a.Unread = "its " + name
		}
	}
}

// vacant reports whether a value leads to nothing but room: a framework makes some for an actor's extensions, though it
// has none.
func vacant(v reflect.Value) bool {
	for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return true
		}
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return false
	}
	for i := range v.NumField() {
		f := v.Field(i)
		if f.IsZero() {
			continue
		}
		if f.Kind() != reflect.Slice {
			return false
		}
		for k := range f.Len() {
			if !f.Index(k).IsZero() {
				return false
			}
		}
	}
	return true
}

// classes names the classes of messages.
var classes = map[trace.MessageKind]string{trace.User: "user", trace.System: "system", trace.Answer: "answer",
	trace.Timeout: "timeout", trace.Task: "task", trace.Resolution: "resolution", trace.End: "end", trace.Hook: "hook"}

// message reads a message.
func (r *reader) message(tr *trace.Trace, i int32, out *Message) {
	m := &tr.Messages[i]
	*out = Message{From: int(m.Sender) - 1, To: int(m.Receiver) - 1, Class: classes[m.Kind], Type: m.Type.Name,
		Early: int(m.SentBy) < tr.Explored}
	if m.Kind == trace.User {
		r.want(&out.Value, m.Value)
		r.attached(out, r.in.Attached(i))
	}
}

// attached reads what goes with a message: that an answer is wanted, and by whom.
func (r *reader) attached(out *Message, with any) {
	switch v := reflect.ValueOf(with); {
	case !v.IsValid():
	case v.Kind() == reflect.Struct:
		v = reflect.ValueOf(boxed(v).Interface()).Elem()
		for i := range v.NumField() {
			f := opened(v.Field(i))
			switch {
			case f.IsZero():
			case v.Type().Field(i).Name == "sender":
				if who, _ := r.in.ActorOf(f.Interface()); who >= 0 {
					out.Reply = Value{Kind: Actor_, Index: int(who) - 1}
				} else {
					out.Call = true
				}
			default:
				out.Reply = Value{Kind: Unread, Text: "a message has a " + v.Type().Field(i).Name}
			}
		}
	default:
		out.Call = true
	}
}
