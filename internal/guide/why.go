package guide

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/trace"
)

// errLost is told of a program that makes choices of its own.
var errLost = errors.New("the order was followed to its end once, and when the same steps were executed again they " +
	"led elsewhere: the program makes a choice of its own")

// attempt is a try that did not follow the order to its end.
type attempt struct {
	at       int    // entries that happened
	why      string // the next one did not
	violated bool   // the execution ended with a violation
}

// note keeps the try if none came further.
func (g *Strategy) note(why string, violated bool) {
	if g.best == nil || g.at > g.best.at || g.at == g.best.at && violated && !g.best.violated {
		g.best = &attempt{g.at, why, violated}
	}
}

// Best is how many entries the execution that came furthest has followed, and of how many.
func (g *Strategy) Best() (followed, of int) {
	if g.best == nil {
		return 0, len(g.order)
	}
	return g.best.at, len(g.order)
}

// Violated reports whether no execution came further than the last one, which a violation ended.
func (g *Strategy) Violated() bool { return g.best != nil && g.best.violated }

// Err is nil if the order was followed to its end; else it says which entry was not, and why. limited says what ended
// the search, "" if nothing is left to try.
func (g *Strategy) Err(limited string) error {
	switch {
	case g.err != nil:
		return g.err
	case g.mode == modeDone:
		return nil
	case g.plan != nil:
		return fmt.Errorf("it can be followed, and nothing was left of the budget to do so (%s)", limited)
	case g.best == nil:
		return fmt.Errorf("nothing was tried (%s)", limited)
	}
	e := g.order[g.best.at]
	how := fmt.Sprintf("no execution follows it: %s, with all that may be filled in", count(g.tries, "try", "tries"))
	if !g.tree.over {
		how = fmt.Sprintf("no execution that follows it was found in %s (%s); there may be one: raise Config.Budget",
			count(g.tries, "try", "tries"), limited)
	}
	return fmt.Errorf("entry %d of %d could not be followed, %s: %s\n(%s)", g.best.at+1, len(g.order), e, g.best.why, how)
}

func count(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// stuck takes in that the next entry cannot happen, and that nothing more may be filled in.
func (g *Strategy) stuck(tr *trace.Trace, enabled []trace.Step) {
	g.dead = "stuck"
	p := g.match.patterns[g.at]
	why := g.unknownName(tr, p)
	if why == "" && p.isReceive() {
		why = g.unreceived(tr, p)
	} else if why == "" {
		why = g.unasked(p)
	}
	g.note(why+g.barred(tr, enabled), false)
}

// barred lists what could have gone on, and is named by entries still to come.
func (g *Strategy) barred(tr *trace.Trace, enabled []trace.Step) string {
	var parts []string
	for i := range enabled {
		if e := g.named(&enabled[i]); e >= 0 {
			parts = append(parts, fmt.Sprintf("%s, which entry %d names", tr.StepName(enabled[i]), e+1))
		}
	}
	if len(parts) == 0 {
		return "; nothing else can happen"
	}
	slices.Sort(parts)
	if n := len(parts) - 3; n > 0 {
		parts = append(parts[:3], fmt.Sprintf("%d more", n))
	}
	return "; all that can happen is of later entries: " + strings.Join(parts, "; ")
}

// unknownName says that there is nobody of a name, "" if there is.
func (g *Strategy) unknownName(tr *trace.Trace, p *pattern) string {
	for _, n := range []*name{p.actor, p.from} {
		if n != nil && len(n.means()) == 0 {
			var all []string
			for a := range tr.Actors {
				all = append(all, tr.ActorName(int32(a)))
			}
			return fmt.Sprintf("there is no actor %s; there are %s", n.text, list(all))
		}
	}
	return ""
}

// list shows the first of many names.
func list(all []string) string {
	const most = 12
	if n := len(all) - most; n > 0 {
		all = append(all[:most:most], fmt.Sprintf("%d more", n))
	}
	return strings.Join(all, ", ")
}

// unreceived says why no such message was received, and learns from it.
func (g *Strategy) unreceived(tr *trace.Trace, p *pattern) string {
	var sent []int32
	for i := range tr.Messages {
		if g.match.receives(p, int32(i)) {
			sent = append(sent, int32(i))
		}
	}
	waiting := slices.DeleteFunc(slices.Clone(sent), func(m int32) bool {
		return g.match.isTaken(m) || p.Sent > 0 && g.match.sent(p, m) != p.Sent
	})
	switch {
	case len(waiting) > 0:
		return g.waits(tr, p, waiting[0])
	case len(sent) > 0 && p.Nth > 0:
		return fmt.Sprintf("%s received %s", p.Actor, count(p.count, "such message", "such messages"))
	case len(sent) > 0:
		return "those that were sent were received before: " + tr.MessageName(sent[0])
	}
	return g.neverSent(tr, p)
}

// neverSent says what was sent instead.
func (g *Strategy) neverSent(tr *trace.Trace, p *pattern) string {
	to := p.actor.means()[0]
	var senders, types []string
	add := func(list *[]string, s string) {
		if !slices.Contains(*list, s) {
			*list = append(*list, s)
		}
	}
	for i := range tr.Messages {
		msg := &tr.Messages[i]
		if msg.Receiver != to {
			continue
		}
		star := ""
		if isPointer(msg) {
			star = "*"
		}
		add(&types, star+msg.Type.Name)
		if p.typ != "" && g.match.hasType(p, msg) {
			add(&senders, tr.ActorName(msg.Sender))
		}
	}
	slices.Sort(senders)
	slices.Sort(types)
	what := p.typ
	if p.Timeout {
		what = "a timeout of a call"
	}
	switch {
	case len(senders) > 0 && p.Timer != "":
		return fmt.Sprintf("no timer of %s sent %s", p.Actor, what)
	case len(senders) > 0:
		return fmt.Sprintf("%s never sent %s to %s; %s did", p.From, what, p.Actor, list(senders))
	case len(types) > 0:
		return fmt.Sprintf("%s was never sent to %s, to which these were: %s", what, p.Actor, list(types))
	}
	return fmt.Sprintf("%s was never sent to %s, and nothing else was", what, p.Actor)
}

// waits says what keeps a message that was sent from being received.
func (g *Strategy) waits(tr *trace.Trace, p *pattern, m int32) string {
	msg := &tr.Messages[m]
	name, to := tr.MessageName(m), tr.ActorName(msg.Receiver)
	if e := g.stopOf(tr, msg.Receiver); e >= 0 {
		g.known.tooEarly(tr, tr.StepOf(e), g.at+1)
		return fmt.Sprintf("%s has stopped, in %s, before it received %s", to,
			tr.StepName(tr.Events[tr.StepOf(e)].Step), name)
	}
	if e, ok := g.match.gone[m]; ok {
		g.known.tooEarly(tr, tr.StepOf(e), g.at+1)
		g.known.early[tr.FiringOf(m).ID] = true
		return fmt.Sprintf("the timer of %s was cancelled, in %s", name, tr.StepName(tr.Events[tr.StepOf(e)].Step))
	}
	box := g.match.boxes[msg.Receiver]
	if i := slices.Index(box, m); i > 0 {
		for _, o := range box[:i] {
			if g.isNamed(o) {
				g.known.tooEarly(tr, tr.StepOf(g.arrival(tr, o)), g.at+1)
			}
		}
		return fmt.Sprintf("%s was sent, but it is behind %s at %s", name, tr.MessageName(box[0]), to)
	}
	if st := g.x.Status(msg.Receiver); st.Blocked && st.Awaits != "" {
		return fmt.Sprintf("%s was sent, but %s waits for %s", name, to, trace.ShortType(st.Awaits))
	}
	return fmt.Sprintf("%s was sent, but %s does not take it", name, to)
}

// stopOf is the event in which an actor stopped, -1 if it has not.
func (g *Strategy) stopOf(tr *trace.Trace, actor int32) int32 {
	for e := range tr.Events {
		if slices.Contains(tr.Events[e].Stopped, actor) {
			return int32(e)
		}
	}
	return -1
}

// arrival is the event by which a message reached its receiver.
func (g *Strategy) arrival(tr *trace.Trace, m int32) int32 {
	for e := range tr.Events {
		ev := &tr.Events[e]
		if ev.Released == m || ev.Step.Kind == trace.Timer && ev.Step.Message == m {
			return int32(e)
		}
	}
	return tr.Messages[m].SentBy
}

// unasked says that a choice did not come.
func (g *Strategy) unasked(p *pattern) string {
	if p.Choose == "" {
		return fmt.Sprintf("there was no place left where %s may strike", p.Fault)
	}
	if n := g.seen.chosen[p.actor]; n > 0 {
		return fmt.Sprintf("%s did not choose from more than %d values", p.Actor, n)
	}
	return p.Actor + " chose nothing"
}

// sightings are what was met in all tries.
type sightings struct {
	chosen map[*name]int // by actor: the most values that there were to choose from
}

func newSightings() sightings { return sightings{map[*name]int{}} }

func (s *sightings) note(m *matcher, enabled []trace.Step) {
	if enabled[0].Kind != trace.Choose {
		return
	}
	for _, p := range m.patterns {
		if p.Choose != "" && p.actor.has(enabled[0].Actor) {
			s.chosen[p.actor] = max(s.chosen[p.actor], len(enabled))
		}
	}
}

// ambiguity is nil if the entry can mean nothing else than the step: else it says what to add.
func (g *Strategy) ambiguity(tr *trace.Trace, s *trace.Step, enabled []trace.Step) error {
	p := g.match.patterns[g.at]
	refuse := func(names []string, remedy string) error {
		g.note("it is ambiguous", false)
		return fmt.Errorf("entry %d, %s, is ambiguous: it may be %s; %s", g.at+1, g.order[g.at], list(counted(names)), remedy)
	}
	if actors := p.actor.means(); len(actors) > 1 {
		var names []string
		for _, a := range actors {
			names = append(names, tr.ActorName(a))
		}
		return refuse(names, "name one of them")
	}
	if s.Message < 0 {
		return nil
	}
	names, remedy := []string{g.describe(tr, s.Message)}, ""
	for _, m := range g.candidates(p, s, enabled) {
		if r := g.differ(tr, p, s.Message, m); r != "" {
			names, remedy = append(names, g.describe(tr, m)), r
		}
	}
	if remedy == "" {
		return nil
	}
	return refuse(names, remedy)
}

// counted sorts names and says how often they occur.
func counted(names []string) (all []string) {
	slices.Sort(names)
	for i := 0; i < len(names); {
		n := i
		for n < len(names) && names[n] == names[i] {
			n++
		}
		if n-i > 1 {
			all = append(all, fmt.Sprintf("%d of %s", n-i, names[i]))
		} else {
			all = append(all, names[i])
		}
		i = n
	}
	return all
}

// describe names a message and its kind.
func (g *Strategy) describe(tr *trace.Trace, m int32) string {
	msg := &tr.Messages[m]
	star := ""
	if isPointer(msg) {
		star = "*"
	}
	return fmt.Sprintf("%s%s from %s", star, msg.Type.Name, tr.ActorName(msg.Sender))
}

// candidates are the messages that the entry may mean beside that of step s. They are those that could be received now,
// too. Where mailboxes say what is next, they are those that wait: in another order of arrival another one would be
// next.
func (g *Strategy) candidates(p *pattern, s *trace.Step, enabled []trace.Step) (list []int32) {
	if p.fault != trace.NoFault || !g.conds.Model.Queues() {
		for i := range enabled {
			if o := &enabled[i]; o.Message >= 0 && o.Message != s.Message && g.match.matches(p, o) {
				list = append(list, o.Message)
			}
		}
		return list
	}
	g.x.Pending(func(m int32) {
		if m != s.Message && !g.match.isTaken(m) && g.match.receives(p, m) && (p.Sent == 0 || g.match.sent(p, m) == p.Sent) {
			list = append(list, m)
		}
	})
	return list
}

// differ says what to add to the entry to tell two messages apart, "" if it makes no difference which one is meant.
func (g *Strategy) differ(tr *trace.Trace, p *pattern, m, n int32) string {
	a, b := &tr.Messages[m], &tr.Messages[n]
	switch {
	case a.Kind != b.Kind:
		return "" // an answer comes when it is due, and a system message before others
	case a.Type != b.Type:
		return "add the package to the type"
	case isPointer(a) != isPointer(b):
		return "write *T for the pointer, or T{} for the value, T being the type"
	case p.Timer != "" || p.Timeout:
		return "" // the one that was set first
	case a.Sender != b.Sender:
		return "add From"
	case g.conds.Model == trace.Bag && !reflect.DeepEqual(a.Value, b.Value):
		return "add Sent, which of them in the order of sending"
	}
	return ""
}
