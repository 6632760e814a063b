package wild

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/router"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/tests/chancetest"
)

// world is one execution of a program.
type world struct {
	program *program
	t       *explore.T // nil: the plain framework
	system  *actor.ActorSystem
	began   time.Time
	pause   func() // called before each deed
	roots   []*actor.PID
	routers []*actor.PID

	mu       sync.Mutex
	seats    []*seat
	pools    map[string]*seat // by the names of their actors
	futures  []promise
	counting []*counting
	over     bool // what handlers do now is no part of it
}

// note adds a line to what an actor noted.
func (w *world) note(s *seat, line string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.over {
		s.log = append(s.log, line)
	}
}

func (w *world) isOver() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.over
}

func (w *world) add(s *seat) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seats = append(w.seats, s)
}

// keep remembers a future, for which somebody may wait for ever.
func (w *world) keep(f promise) promise {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.futures = append(w.futures, f)
	return f
}

func (w *world) isRouter(pid *actor.PID) bool {
	return slices.ContainsFunc(w.routers, func(r *actor.PID) bool { return r.Equal(pid) })
}

func (w *world) choose() int {
	switch {
	case w.t == nil:
		return rand.IntN(2)
	case goChooses != nil:
		drawn++
		return int(goChooses.Draw(chance.Map, 2))
	}
	return w.t.Choose(2)
}

// goChooses chooses in the place of T.Choose, nil: nothing does.
var goChooses *chancetest.Fake

// drawn counts what it has chosen.
var drawn int

// pooled gives the seat of an actor that a pool has created.
func (w *world) pooled(pid *actor.PID) *seat {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.pools[pid.Id]
	if s == nil {
		s = &seat{world: w, path: pid.Id, kind: 1, hops: 1, known: w.roots}
		w.pools[pid.Id] = s
		w.seats = append(w.seats, s)
	}
	return s
}

// end ends the execution and tells what each actor noted.
func (w *world) end() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
	var lines []string
	for _, s := range w.seats {
		if len(s.log) > 0 {
			lines = append(lines, s.path+": "+strings.Join(s.log, " "))
		}
	}
	for _, c := range w.counting {
		lines = append(lines, fmt.Sprintf("box of %s: %d posted, %d received, %d times empty, %d", c.path, c.posted, c.received, c.empty, c.trail))
	}
	slices.Sort(lines)
	return strings.Join(lines, "; ")
}

// newWorld makes an execution. The test is an actor of sorts.
func newWorld(p *program, s *actor.ActorSystem, t *explore.T) (*world, *scene) {
	w := &world{program: p, t: t, system: s, began: time.Now(), pause: func() {}, pools: map[string]*seat{}}
	me := &seat{world: w, path: "test", hops: p.hops}
	w.add(me)
	return w, &scene{s.Root, nil, newPlayer(me)}
}

// set creates the actors of set-up.
func (w *world) set() {
	p := w.program
	for i, kind := range p.roots {
		s := &seat{world: w, path: string(rune('A' + i)), kind: kind, hops: 1}
		props := w.props(s)
		if p.guarded {
			props.Configure(actor.WithGuardian(guardian))
		}
		w.add(s)
		w.roots = append(w.roots, spawned(w.system, props, s.path))
	}
	for i, kind := range p.routers {
		w.routers = append(w.routers, spawned(w.system, w.router(kind), fmt.Sprint("r", i)))
	}
	w.roots = slices.Concat(w.roots, w.routers)
}

// introduce has the actors of set-up, which have started, and the test know each other.
func (w *world) introduce() {
	for _, s := range w.seats {
		s.known = w.roots
		if s.now != nil {
			s.now.known = slices.Clone(w.roots)
		}
	}
	if w.program.listens {
		w.listen()
	}
}

// guardian supervises the roots.
var guardian = actor.NewOneForOneStrategy(1, 0, func(any) actor.Directive { return actor.RestartDirective })

func spawned(s *actor.ActorSystem, props *actor.Props, name string) *actor.PID {
	pid, err := s.Root.SpawnNamed(props, name)
	if err != nil {
		panic(err)
	}
	return pid
}

// router gives the props of a router to the roots, or of a pool.
func (w *world) router(kind string) *actor.Props {
	pool := actor.WithProducer(func() actor.Actor { return newPlayer(&seat{world: w}) }) // until it knows its name
	switch kind {
	case "round":
		return router.NewRoundRobinGroup(w.roots...)
	case "broadcast":
		return router.NewBroadcastGroup(w.roots...)
	case "random":
		return router.NewRandomGroup(w.roots...)
	case "hash":
		return router.NewConsistentHashGroup(w.roots...)
	case "roundPool":
		return router.NewRoundRobinPool(2, pool)
	case "broadcastPool":
		return router.NewBroadcastPool(2, pool)
	}
	return router.NewRandomPool(2, pool)
}

// listen tells the first actor of dead letters and of what supervisors decide.
func (w *world) listen() {
	w.system.EventStream.Subscribe(func(e any) {
		switch e := e.(type) {
		case *actor.DeadLetterEvent:
			if l, is := e.Message.(letter); is {
				w.system.Root.Send(w.roots[0], obituary("lost "+l.name))
			}
		case *actor.SupervisorEvent:
			w.system.Root.Send(w.roots[0], obituary(fmt.Sprintf("%s of %s", e.Directive, e.Child.Id)))
		}
	})
}

// test does deeds of the test.
func (s *scene) test(part string, deeds []deed, hops int) {
	for i, d := range deeds {
		s.world.pause()
		s.do(d, letter{name: fmt.Sprint(part, i), typ: d.typ, hops: hops})
	}
}
