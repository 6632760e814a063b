package concrete

import (
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/trace"
)

// input gives an input as a path sees it, nil if the path depends on what is neither of the actor nor of the message.
func (w *Player) input(path *exec.Path, c *call) *Input {
	for _, in := range path.Inputs {
		at := in.At
		for at.Up != nil {
			at = at.Up
		}
		if c.roots[at.Name] == nil && !strings.HasPrefix(at.Name, "answer") { // an answer that the run has not waited for
			return nil
		}
	}
	in := New(w.summary.Exec(), path, c.roots)
	in.self = c.Fn.Params[0].Name()
	for i, a := range c.created {
		for _, e := range path.Events {
			if e.Op == "spawn" && e.To.Name == fmt.Sprintf("spawn%d!ref", i+1) {
				in.Set(e.To, uint64(a)+1)
			}
		}
	}
	return in
}

// judge holds the paths of a handler to one run of it.
func (w *Player) judge(tr *trace.Trace, a int32, c *call) {
	s := w.of(c.Handler)
	var taken []*Input
	for _, path := range s.Paths {
		in := w.input(path, c)
		if in == nil {
			w.skip("a choice, a package variable, or what a library gives")
			return
		}
		if spawns(path) == len(c.created) && in.Holds() && !in.Broken { // else a variable of a created actor has no value
			taken = append(taken, in)
		}
	}
	name := tr.Actors[a].Type.Name + " on " + tr.Messages[c.message].Type.Name
	if len(taken) == 0 && !s.Complete() {
		w.Cut++
		return
	}
	if len(taken) != 1 {
		w.differs("%s: %d paths hold, want one", name, len(taken))
		return
	}
	in := taken[0]
	switch path := in.Path; {
	case path.Exit == exec.Cut:
		w.Cut++
		return
	case !path.Exact():
		w.skip("inexact")
		return
	case DependsOnCapacity(path):
		w.skip("the capacity of a slice")
		return
	}
	w.compare(tr, c, in, name)
}

func spawns(path *exec.Path) (n int) {
	for _, e := range path.Events {
		if e.Op == "spawn" {
			n++
		}
	}
	return n
}

func (w *Player) differs(format string, args ...any) {
	w.Different = append(w.Different, fmt.Sprintf(format, args...))
}

// compare holds the path that is taken to the run.
func (w *Player) compare(tr *trace.Trace, c *call, in *Input, name string) {
	d := NewDumper(in)
	d.Dump(in.Path.Args[0], c.Fn.Params[0].Type())
	if in.Broken {
		w.skip("a value that cannot be told")
		return
	}
	at := fmt.Sprintf("%s: path %v", name, in.Path.Decisions)
	if was := w.live.dumped(reflect.ValueOf(c.state)); d.String() != was {
		w.differs("%s tells the state\n%s\nthe execution\n%s", at, d, was)
	}
	told, was := w.messagesOfPath(in), w.sent(tr, c)
	if in.Broken {
		w.skip("a value that cannot be told")
		return
	}
	if !agree(told, was, c.dead) {
		w.differs("%s tells the messages\n%v\nthe execution\n%v\nand dead letters %v", at, told, was, c.dead)
	}
	if c.panicked != (in.Path.Exit == exec.Panic) {
		w.differs("%s ends by %v %s, the execution by a panic: %v", at, in.Path.Exit, in.Path.Why, c.panicked)
	}
	w.Judged++
	w.Handlers[name]++
}

// sending are the operations that send messages of users.
var sending = map[string]bool{"send": true, "request": true, "forward": true, "respond": true, "ask": true,
	"call": true}

// sent is a message, to an actor by its number.
type sent struct{ to, typ, text string }

// messagesOfPath lists the messages of a path, and sent those of a run.
func (w *Player) messagesOfPath(in *Input) (list []sent) {
	for _, e := range in.Path.Events {
		if sending[e.Op] && !e.Lost && e.To != nil {
			d := NewDumper(in)
			d.Dump(e.Msg, types.NewInterfaceType(nil, nil))
			to := int(in.Eval(e.To).Uint())
			if owner := w.live.owners[to]; owner != 0 {
				to = owner
			}
			typ, _, _ := strings.Cut(strings.TrimPrefix(d.String(), "("), ")")
			list = append(list, sent{fmt.Sprint(to), strings.TrimPrefix(typ, "*"), d.String()})
		}
	}
	return list
}

func (w *Player) sent(tr *trace.Trace, c *call) (list []sent) {
	for _, i := range c.sent {
		if m := &tr.Messages[i]; m.Kind == trace.User || m.Kind == trace.Answer {
			list = append(list, sent{fmt.Sprint(m.Receiver + 1), m.Type.Name, w.live.dumped(reflect.ValueOf(&m.Value).Elem())})
		}
	}
	return list
}

// agree reports whether a run has sent what a path tells. Of a dead letter the run tells no more than the type.
func agree(told, was []sent, dead []string) bool {
	for _, s := range told {
		if len(was) > 0 && s == was[0] {
			was = was[1:]
			continue
		}
		i := slices.Index(dead, s.typ)
		if i < 0 {
			return false
		}
		dead = slices.Delete(slices.Clone(dead), i, i+1)
	}
	return len(was) == 0
}

// DependsOnCapacity reports whether a path depends on how much memory append has reserved, which is the compiler's
// choice.
func DependsOnCapacity(p *exec.Path) bool {
	for _, m := range p.Marks {
		if m.Kind == exec.Env && strings.Contains(m.What, "capacity that append") {
			return true
		}
	}
	return false
}
