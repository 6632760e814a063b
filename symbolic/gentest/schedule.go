package gentest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/cases"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/tasks"
)

// This file writes tests of cases of package tasks: of handlers that wait while others run. Such a test puts the queue,
// says in which order the tasks run, and expects what they all do.

// scheduled gives a case with what its actors do as events, those of package tasks and those of the path in one order.
func scheduled(c *cases.Case) *cases.Case {
	if c.Task == nil {
		return c
	}
	whole := *c
	whole.Events = c.Deeds()
	return &whole
}

// named names the actors of a case that are no inputs.
func (w *writer) named(t *tasks.Case) {
	w.peers.exact[t.Self] = "x.Self()"
	w.peers.exact[t.Sender] = "x.Sender()"
	if w.world.vars["sender!ref"] != nil {
		fail("who has sent the message is an input") // package tasks makes it itself
	}
}

// queued makes the messages in the queue in the beginning.
func (w *writer) queued() (list []*value) {
	if w.c.Task == nil {
		return nil
	}
	for i, t := range w.c.Task.Pending {
		list = append(list, w.messageOf(fmt.Sprintf("queued%d", i+1), t))
		w.senders = append(w.senders, w.senderOf(i+1))
	}
	return list
}

// schedule writes the queue and the order of a case.
func (w *writer) schedule(config cases.Config, queue []*value) {
	t := w.c.Task
	if t == nil {
		return
	}
	for i := 0; i < len(queue); {
		from, msgs := w.senders[i], ""
		for ; i < len(queue) && w.senders[i] == from; i++ {
			msgs += ", " + w.expr(queue[i], anyType)
		}
		w.add("x.Queue(%s%s)", from, msgs)
	}
	if config.Policy != "" && config.Policy != tasks.FIFO {
		if w.proto {
			w.add("// Hypothetical: the mailboxes of protoactor-go are fifo, with system messages first. This is the policy %s.",
				config.Policy)
		}
		w.add("x.AnyOrder()")
	}
	var list []string
	for _, m := range w.moves(t) {
		list = append(list, fmt.Sprintf("%q", m))
	}
	w.add("x.Order(%s)", strings.Join(list, ", "))
}

// senderOf writes who has sent a message of the queue. Handlers of native actors do not see it in package tasks.
func (w *writer) senderOf(n int) string {
	if !w.proto {
		return "x.Sender()"
	}
	ref := w.world.vars[fmt.Sprintf("sender%d!ref", n)]
	if ref == nil {
		return "x.Sender()"
	}
	if w.world.model.Eval(ref).Uint() == 0 {
		return "nil"
	}
	return w.actorOf(ref)
}

// moves writes the steps of a case, with the answers of peers where they come.
func (w *writer) moves(t *tasks.Case) (list []string) {
	spawned := w.numbers(t)
	arrived := map[string]bool{}
	for i, s := range t.Steps {
		list = append(list, arrivals(t, i, arrived)...)
		if text := w.move(s, spawned); text != "" {
			list = append(list, text)
		}
	}
	return list
}

// arrivals lists the answers of peers that come before a step, in the order of what goes on with them. Requests of one
// moment time out together.
func arrivals(t *tasks.Case, step int, arrived map[string]bool) (list []string) {
	told := slices.ContainsFunc(t.Steps, func(s tasks.Step) bool { return s.Time })
	for _, s := range t.Steps[step:] {
		if !s.Resumed || s.Came > step || s.Answer == "" || arrived[s.Answer] {
			continue
		}
		arrived[s.Answer] = true
		if n := given(t, s.Answer); n > 0 {
			list = append(list, fmt.Sprintf("answer %d", n))
		} else if strings.HasSuffix(s.Answer, tasks.Timeout) && !s.Blocked && !s.AtOnce && !told &&
			(len(list) == 0 || list[len(list)-1] != "time") {
			list = append(list, "time")
		}
	}
	return list
}

// numbers gives the numbers of created actors as tests have them. Package tasks does not number those of which it knows
// nothing.
func (w *writer) numbers(t *tasks.Case) map[int]int {
	n := map[int]int{}
	for _, d := range t.Deeds {
		if d.Op != "spawn" {
			continue
		}
		n[len(n)+1] = len(n) + 1
	}
	return n
}

// move writes a step, "" where it is a part of another one: time that passes wakes who waits in the middle of a
// handler.
func (w *writer) move(s tasks.Step, spawned map[int]int) string {
	switch {
	case s.Lost:
		return ""
	case s.Time:
		return "time"
	case s.Blocked && strings.HasSuffix(s.Answer, tasks.Timeout):
		if s.Number == 0 {
			return ""
		}
		return "time"
	}
	text := ""
	if s.Number > 0 {
		text = fmt.Sprintf("#%d ", spawned[s.Number])
	}
	switch {
	case s.Resumed && (s.Blocked || !w.proto):
		text += "await "
	case s.Resumed:
		text += "reenter "
	}
	text += w.messageName(s.Message)
	if s.Overtakes {
		text += fmt.Sprintf("#%d", s.Nth)
	}
	return text
}

// messageName writes a type of messages, without the package that the test is in.
func (w *writer) messageName(name string) string {
	star := strings.HasPrefix(name, "*")
	short := strings.TrimPrefix(strings.TrimPrefix(name, "*"), w.names.pkg.Name()+".")
	if star {
		return "*" + short
	}
	return short
}

// given gives the number of an answer among those that peers give, 0 if they do not give it.
func given(t *tasks.Case, answer string) int {
	name, _, _ := strings.Cut(answer, ": ")
	n := 0
	for _, a := range t.Answers {
		if a.How != tasks.Reply && a.How != tasks.DeadLetter {
			continue
		}
		if n++; a.Name == name {
			return n
		}
	}
	return 0
}

// deeds makes the values of what the actors of a case do, and gives what writes the expectations.
func (w *writer) deeds() (list []func()) {
	a := &answers{w: w, of: map[string][]string{}}
	chosen, asked := 0, 0
	for _, m := range w.c.Task.Marks {
		if strings.HasPrefix(m.What, "a second answer") {
			fail("%s", m.What)
		}
	}
	for _, e := range w.c.Events {
		if e.To != nil {
			e.Lost = w.world.eval.value(e.To).Uint() == 0 && w.peers.exact[e.To] == ""
		}
		switch e.Op {
		case "send", "request", "forward", "respond", "ask", "call":
			if !e.Lost {
				asked += a.open(e, w.c.Task.Answers, asked)
			}
		case "choose":
			chosen++
			w.choice(chosen)
		case "pipe":
			fail("the framework hands an answer on to others")
		case "spawn":
			if e.Msg == nil && w.proto {
				fail("what an actor that it creates does is not known")
			}
		}
		if f := w.effect(e); f != nil {
			list = append(list, f)
		}
	}
	a.write()
	return append(list, w.ending(), w.idle())
}

// open notes a message to a peer, with what the peer answers if it is a request. It gives the number of answers that it
// has used.
func (a *answers) open(e exec.Event, given []*tasks.Answer, asked int) int {
	who := a.w.actorOf(e.To)
	if strings.HasPrefix(who, "x.") && who != "x.Sender()" {
		return 0 // an actor of the case answers by itself
	}
	if a.of[who] == nil {
		a.peers = append(a.peers, who)
	}
	text := ""
	defer func() { a.of[who] = append(a.of[who], text) }()
	if e.Op != "ask" || asked == len(given) {
		return 0
	}
	switch q := given[asked]; q.How {
	case tasks.Reply:
		text = a.w.expr(a.w.world.input(q.Name, anyType), anyType)
	case tasks.DeadLetter:
		text = "steptest.DeadLetter{}"
	}
	return 1
}

// failure writes what a peer does in place of an answer, so that who waits for it gets an error.
func (w *writer) failure(err *value) string {
	switch timeout := err.kind == variableKind && strings.HasSuffix(err.lit, "ErrTimeout"); {
	case timeout, w.framework == model.Hollywood: // a request has no other error
		return ""
	case w.proto:
		return "steptest.DeadLetter{}"
	}
	return "steptest.Broken{}"
}

// isWait reports whether a handler goes on later.
func isWait(e exec.Event) bool { return slices.Contains([]string{"await", "call", "reenter"}, e.Op) }
