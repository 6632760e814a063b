package tap

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file: requests whose answers somebody waits for, as with native Call, and RequestFuture and Result of
// protoactor-go.

// AnswerExisting is v = await(f): a request for the message that somebody who is there sends to f, which is open like
// that of a handler's entry.
//
// Differs: the paper has no futures. Each has a reference of its own, to which the question is to be answered; with
// protoactor-go it is the sender of the question, too. The actor does nothing else until it comes. That no answer
// comes, or an error instead, is not modelled.
type AnswerExisting struct{}

func (AnswerExisting) Name() string { return "Answer-Existing Actor" }

func (r AnswerExisting) transitions(e *Engine, c *configuration, i int) []transition {
	in := c.actors[i].previous()
	if !awaits(in) {
		return nil
	}
	list := statement(r, c, i, func(d *configuration, _ *actor) {
		d.unmodelled("an answer that does not come, or is an error" + e.where(in))
	})
	if e.among(c, e.program.answerers()) {
		list = append(list, e.answer(r, c, i, nil)...)
	}
	return list
}

// AnswerNew is the same where the one who answers is not there yet.
type AnswerNew struct{}

func (AnswerNew) Name() string { return "Answer-New Actor" }

func (r AnswerNew) transitions(e *Engine, c *configuration, i int) (list []transition) {
	if !awaits(c.actors[i].previous()) {
		return nil
	}
	for _, class := range e.program.answerers() {
		if class != c.actors[i].class && e.exists(c, class) && !e.full(c) {
			list = append(list, e.answer(r, c, i, class)...)
		}
	}
	return list
}

// answer has an actor wait for an answer, of an actor of a class that is introduced if it is set.
func (e *Engine) answer(r Rule, c *configuration, i int, class *Class) []transition {
	list := statement(r, c, i, func(d *configuration, a *actor) {
		in := a.at.block.Instrs[a.at.index]
		if e.awaiting(d, a); releases(in) {
			d.release(a)
		}
		if class != nil {
			e.introduce(d, class)
		}
	})
	list[0].class = class
	return list
}

// awaits reports whether an instruction waits for an answer.
func awaits(in ssa.Instruction) bool {
	if in == nil {
		return false
	}
	row, _, ok := operation(in)
	return ok && (row.Op == model.AwaitBlocking || row.Op == model.Call) || releases(in)
}

// awaiting opens the request for an answer. a is before the instruction that waits.
func (e *Engine) awaiting(d *configuration, a *actor) {
	f := a.at.frame
	in := a.at.block.Instrs[a.at.index].(*ssa.Call)
	row, args, _ := operation(in)
	d.count++
	q := &request{actor: a.id, msg: d.fresh("m"), time: a.time, nth: d.count, answer: true}
	a.time = d.order.before(a.time)
	a.open = append(slices.Clip(a.open), q)
	result := e.pair(e.variable(q.msg), e.zero)
	if in.Call.Signature().Results().Len() == 1 { // Wait
		result = e.zero
	}
	e.change(d, e.reason(in), assign(f.register(in), result))
	if q.to = e.operand(f, args[row.From]); row.Op == model.Call {
		q.to = single(e.asks(d, a, in))
	}
	q.at = d.changes
}

// asks adds the event of a question whose answer is awaited at once, and gives the future.
func (e *Engine) asks(d *configuration, a *actor, in *ssa.Call) *term.Term {
	row, args, _ := operation(in)
	f, ref := a.at.frame, e.future(d)
	ev := &event{actor: a.id, kind: "send", sender: e.variable(a.name + "self"), reply: single(ref), start: -1,
		to: e.operand(f, args[row.To]), msg: e.operand(f, args[row.Msg])}
	e.happen(d, a, ev)
	ev.at = d.changes
	d.pending, d.sent = append(slices.Clip(d.pending), ev), append(slices.Clip(d.sent), ev)
	return ref
}

// waiting has an idle actor handle a message, from where its handler waits. What it handles then is the last, unless
// the handler has released it.
func (e *Engine) waiting(r Rule, c *configuration, i int) (list []transition) {
	a := c.actors[i]
	last := len(a.runs) == 0 && a.id != 1
	for _, class := range e.program.candidates(a) {
		for _, in := range e.program.waits(class) {
			b := in.Block()
			if !last && !releases(in) {
				continue
			}
			list = append(list, transition{rule: r, actor: a.id, to: b, meets: meeting{actor: a.id, wait: in},
				apply: func() *configuration {
					d, a := c.with(i)
					e.loop(d, a, class, b)
					a.at = &point{a.at.frame, b, slices.Index(b.Instrs, ssa.Instruction(in)), 0}
					if row, _, _ := operation(in); row.Op == model.Call {
						e.asks(d, a, in)
					}
					return d
				}})
		}
	}
	return list
}

// waits lists the calls that wait for an answer in what the handler of a class calls, in the order of the source.
func (p *Program) waits(c *Class) []*ssa.Call {
	if c.waits == nil {
		c.waits = []*ssa.Call{}
		for fn := range p.reach(c.Fn) {
			for _, b := range fn.Blocks {
				for _, in := range b.Instrs {
					if awaits(in) {
						c.waits = append(c.waits, in.(*ssa.Call))
					}
				}
			}
		}
		slices.SortStableFunc(c.waits, func(x, y *ssa.Call) int { return int(x.Pos()) - int(y.Pos()) })
	}
	return c.waits
}

// future is a reference of its own.
func (e *Engine) future(d *configuration) *term.Term {
	d.count++
	return e.store.Uint(wordSort, uint64(firstRef+d.count))
}

// answerers lists the classes that may answer: all whose handlers answer somebody, or look who the sender is.
func (p *Program) answerers() []*Class {
	if p.answering == nil {
		p.answering = []*Class{}
		for _, c := range p.classes {
			if p.does(c, model.Respond, model.Sender) {
				p.answering = append(p.answering, c)
			}
		}
	}
	return p.answering
}

// does reports whether actors of a class do one of some operations.
func (p *Program) does(c *Class, ops ...model.Op) bool {
	return slices.ContainsFunc(p.behavioursOf(c), func(b *Class) bool {
		for fn := range p.reach(b.Fn) {
			for _, b := range fn.Blocks {
				if slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
					row, _, ok := operation(in)
					return ok && slices.Contains(ops, row.Op)
				}) {
					return true
				}
			}
		}
		return false
	})
}

// sendersOf gives the classes that may send the message of a request.
func (e *Engine) sendersOf(a *actor, q *request) []*Class {
	if q.answer {
		return e.program.answerers()
	}
	return e.program.senders(a.class, q.t)
}

// mayBeOutside reports whether the message of a request may come from outside.
func (e *Engine) mayBeOutside(a *actor, q *request) bool { return !q.answer && e.outside(a.class, q.t) }
