package freerun

import (
	"cmp"
	"hash/fnv"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"unsafe"

	"github.com/asynkron/protoactor-go/actor"
)

// This file runs the plain framework, with its own mailboxes, one move at a time: a goroutine waits at a gate before
// each deed, before a mailbox that was idle is emptied, after each message that a mailbox has handed over, and before
// the framework tells of a stop. After a message the gate is before the mailbox looks for a system message, or after it
// has found none and before it takes a user message. Whatever comes of it is possible in production: gates only make
// goroutines slow.

// gate is where a goroutine waits.
type gate struct {
	name string // of the letter that may be sent, else of the actor whose mailbox goes on
	deed string // goOn and take for mailboxes
	open chan struct{}
}

// What mailboxes wait for.
const (
	goOn = "mailbox" // they look for a system message then
	take = "take"    // they have found none, and take a user message
)

func (g gate) ofMailbox() bool { return g.deed == goOn || g.deed == take }

// gates holds the goroutines of one execution.
type gates struct {
	mu      sync.Mutex
	waiting []gate
	closed  bool // whoever comes has to wait
	yields  bool // whoever comes lets others run, and no more
}

func (g *gates) pass(deed, name string) {
	if g.yields {
		runtime.Gosched()
		return
	}
	g.mu.Lock()
	if !g.closed {
		g.mu.Unlock()
		return
	}
	open := make(chan struct{})
	g.waiting = append(g.waiting, gate{name, deed, open})
	g.mu.Unlock()
	<-open
}

// set opens or closes all gates. Opened, nobody waits any more.
func (g *gates) set(closed bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed = closed; !closed {
		for _, w := range g.waiting {
			close(w.open)
		}
		g.waiting = nil
	}
}

// drive opens one gate after the other until nobody waits, or choose gives a negative number.
func (g *gates) drive(choose func([]gate) int) {
	defer g.set(false)
	for {
		synctest.Wait()
		g.mu.Lock()
		slices.SortFunc(g.waiting, func(a, b gate) int {
			return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.deed, b.deed))
		})
		all := slices.Clone(g.waiting)
		g.mu.Unlock()
		if len(all) == 0 {
			return
		}
		i := choose(all)
		if i < 0 {
			return
		}
		g.mu.Lock()
		g.waiting = slices.Delete(g.waiting, i, i+1)
		g.mu.Unlock()
		close(all[i].open)
	}
}

// door is the gate of one actor's mailbox: a dispatcher and a mailbox middleware of the framework.
type door struct {
	gates   *gates
	path    string
	late    func() bool // whether the mailbox, which has handed a message over, looks for a system message before it waits
	between bool        // it does
}

// options are those of an actor whose mailbox waits at this gate. It is the stock mailbox, but for the queue of its
// user messages.
func (d *door) options() []actor.PropsOption {
	return []actor.PropsOption{actor.WithDispatcher(d), actor.WithMailbox(func() actor.Mailbox {
		box := actor.Unbounded(d)()
		field := reflect.ValueOf(box).Elem().FieldByName("userMailbox")
		users := reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
		users.Set(reflect.ValueOf(&userQueue{users.Interface().(queue), d}))
		return box
	})}
}

// queue is the framework's interface of queues.
type queue interface {
	Push(any)
	Pop() any
}

// userQueue is the queue of user messages of a stock mailbox, which pops it when it has found no system message.
type userQueue struct {
	queue
	door *door
}

// Pop gives the oldest message. The mailbox may have to wait here.
func (q *userQueue) Pop() any {
	if d := q.door; d.between {
		d.between = false
		d.gates.pass(take, d.path)
	}
	return q.queue.Pop()
}

// Schedule is called when something was posted to the mailbox while it was idle. actor.Dispatcher.
func (d *door) Schedule(empty func()) {
	go func() {
		d.gates.pass(goOn, d.path)
		empty()
	}()
}

// Throughput is the stock dispatcher's.
func (d *door) Throughput() int { return 300 }

// MessagePosted is called before a message is in the mailbox. What deeds post has passed a gate.
// actor.MailboxMiddleware.
func (d *door) MessagePosted(message any) {
	switch message.(type) {
	case *actor.Terminated, *actor.Stop:
		d.gates.pass("tell", d.path)
	}
}

// MessageReceived is called when a message was handled.
func (d *door) MessageReceived(any) {
	if d.between = d.late(); !d.between {
		d.gates.pass(goOn, d.path)
	}
}

// MailboxStarted does nothing.
func (d *door) MailboxStarted() {}

// MailboxEmpty does nothing.
func (d *door) MailboxEmpty() {}

// steer tries to bring the plain framework to an end, by opening gates, so many times at most.
func steer(t *testing.T, p *program, to logs, tries int) bool {
	for try := range tries {
		r := rand.New(rand.NewPCG(p.seed, uint64(try)))
		late := r.Uint64()
		c, g := newCast(p), &gates{}
		c.options = func(path string) []actor.PropsOption {
			own := rand.New(rand.NewPCG(late, hash(path)))
			return (&door{gates: g, path: path, late: func() bool { return own.IntN(2) == 0 }}).options()
		}
		way := newWay(r, to, c.world.logs)
		end := c.run(t, func(test func()) {
			g.set(true)
			c.world.pause = func(d deed, name string) { g.pass(d.what, name) }
			go test()
			g.drive(way.choose)
		})
		if end.String() == to.String() {
			return true
		}
	}
	return false
}

func hash(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}

// way leads to an end.
type way struct {
	rand *rand.Rand
	to   logs
	now  func() logs
	met  map[string]bool // names of gates
	sent map[string]bool // names of letters
	// gates that are opened only when there is no other, or not: by their names, drawn when they are met
	slow map[string]bool

	early bool // answers that are handed on or continued with may be sent before letters that are handled before them, and pass them
	eager bool // mailboxes look for system messages before the next letter is sent; it may pass a stop then
}

func newWay(r *rand.Rand, to logs, now func() logs) *way {
	return &way{rand: r, to: to, now: now, met: map[string]bool{}, sent: map[string]bool{}, slow: map[string]bool{},
		early: r.IntN(2) == 0, eager: r.IntN(2) == 0}
}

// choose picks a gate at random among those that may lead to the end; a negative number: none does.
func (w *way) choose(all []gate) int {
	for _, g := range all {
		w.met[g.name] = true
	}
	now := w.now()
	if !now.begins(w.to) {
		return -1
	}
	var may []int
	for i, g := range all {
		if w.eager && g.deed == goOn || g.ofMailbox() && w.mayGoOn(g.name, now) || !g.ofMailbox() && w.maySend(g.name) {
			may = append(may, i)
		}
	}
	if len(may) == 0 { // what is expected may be something else than a letter
		may = append(may, w.rand.IntN(len(all)))
	}
	if quick := slices.DeleteFunc(slices.Clone(may), func(i int) bool { return w.isSlow(all[i]) }); len(quick) > 0 {
		may = quick
	}
	i := may[w.rand.IntN(len(may))]
	w.sent[all[i].name] = true
	return i
}

func (w *way) isSlow(g gate) bool {
	slow, known := w.slow[g.name]
	if !known {
		slow = w.rand.IntN(3) == 0
		w.slow[g.name] = slow
	}
	return slow
}

// mayGoOn reports whether an actor has got the letter that it is to handle next, if it is one.
func (w *way) mayGoOn(path string, now logs) bool {
	if len(now[path]) >= len(w.to[path]) {
		return true
	}
	name := letterOf(w.to[path][len(now[path])])
	return name == "" || w.sent[name]
}

// maySend reports whether all letters were sent that are to come before it to who handles it.
func (w *way) maySend(name string) bool {
	for _, log := range w.to {
		at := slices.IndexFunc(log, func(entry string) bool { return letterOf(entry) == name })
		if at >= 0 && w.early && (strings.Contains(log[at], ">") || w.handsOn(name)) {
			continue
		}
		for i := range at {
			if before := letterOf(log[i]); before != "" && !w.sent[before] {
				return false
			}
		}
	}
	return true
}

// handsOn reports whether a letter answers one whose future something hangs on, or will.
func (w *way) handsOn(name string) bool {
	i := strings.LastIndexByte(name, '.')
	return i > 0 && w.met[hangs+name[:i]]
}

// letterOf names the letter that an entry of a log stands for, "" if it stands for none. A continuation comes of the
// letter that answers.
func letterOf(entry string) string {
	if _, answer, ok := strings.Cut(entry, ">"); ok {
		return answer
	}
	if strings.ContainsAny(entry, "?=:") || strings.HasPrefix(entry, "stop") || entry == "dead" {
		return ""
	}
	return entry
}
