package explorer

import (
	"sync"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/byhand"
)

// progress is an exploration in a process of its own, as far as it was told of.
type progress struct {
	temp    string
	mu      sync.Mutex
	process *process // nil: none is running
	run     int      // which exploration it is, from 1
	state   Progress
	tree    *tree
	running running
	follows sync.WaitGroup
}

// Progress is what the page shows of an exploration.
type Progress struct {
	Run      int              `json:"run"` // 0: there was none
	Running  bool             `json:"running"`
	Counters explore.Counters `json:"counters"`
	Estimate explore.Estimate `json:"estimate"`
	Seconds  float64          `json:"seconds"`
	Phase    string           `json:"phase"`
	Strategy string           `json:"strategy"`
	Budget   string           `json:"budget"`
	Nodes    int              `json:"nodes"` // of the tree
	Left     int              `json:"left"`  // executions that are not in it
	Found    []byhand.Found   `json:"found"` // those made small are in the place of those that were met
	Done     *byhand.Done     `json:"done"`
	Error    string           `json:"error"`
	Output   string           `json:"output"` // of a process that died
}

// start begins an exploration, unless one is running.
func (e *progress) start(p *Program) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.state.Running || e.running.isClosed() {
		return
	}
	e.run++
	e.state, e.tree = Progress{Run: e.run, Running: true, Found: []byhand.Found{}}, newTree()
	e.follows.Add(1)
	go e.follow(p, e.run)
}

// follow takes what the process tells, until it is over.
func (e *progress) follow(p *Program, run int) {
	defer e.follows.Done()
	k, about, err := launch(p, e.temp, true, &e.running)
	e.mu.Lock()
	if err == nil && (e.run != run || !e.state.Running) {
		e.mu.Unlock()
		k.end() // it was stopped meanwhile
		return
	}
	if err == nil {
		e.process, e.state.Strategy, e.state.Budget = k, about.Strategy, about.Budget
	}
	e.mu.Unlock()
	if err == nil {
		for w := range k.words {
			e.take(&w.news, run)
		}
		err = k.died
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.run != run {
		return
	}
	if e.process = nil; e.state.Running && e.state.Done == nil && e.state.Error == "" {
		e.state.fail(err)
	}
	e.state.Running = false
}

func (s *Progress) fail(err error) {
	s.Error = err.Error()
	if d, ok := err.(*Died); ok {
		s.Output = d.Output
	}
}

func (e *progress) take(n *byhand.News, run int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.run != run || !e.state.Running {
		return
	}
	s := &e.state
	s.Counters, s.Seconds, s.Done = n.Counters, n.Seconds, n.Done
	if n.Estimate.Known() {
		s.Estimate = n.Estimate
	}
	if n.Phase != "" {
		s.Phase = n.Phase
	}
	s.Left = max(s.Left, n.Left)
	if n.Error != "" {
		s.Error = n.Error
	}
	e.tree.add(n.Nodes, n.Leaves)
	s.Nodes = len(e.tree.nodes) - 1
	for _, f := range n.Found {
		e.tree.mark(f.Node)
		s.found(f)
	}
}

// found adds a violation, or puts it in the place of itself as it was met.
func (s *Progress) found(f byhand.Found) {
	for i := range s.Found {
		if s.Found[i].Key == f.Key {
			s.Found[i] = f
			return
		}
	}
	s.Found = append(s.Found, f)
}

// stop ends the exploration, if one is running.
func (e *progress) stop() {
	e.mu.Lock()
	k := e.process
	starting := e.state.Running && k == nil
	if e.state.Running {
		e.state.Running, e.state.Error = false, "stopped"
	}
	e.process = nil
	e.mu.Unlock()
	if k != nil {
		k.End()
	} else if c := e.running.now(); starting && c != nil {
		c.End() // it has not come to its Check
	}
}

// close ends the exploration for good, also one that is just being started, and waits for that.
func (e *progress) close() {
	e.running.close()
	e.stop()
	e.follows.Wait()
}

// now is the state.
func (e *progress) now() Progress {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.state
	s.Found = append([]byhand.Found{}, s.Found...)
	for i := range s.Found {
		s.Found[i].Schedule = "" // asked for by key
	}
	return s
}

// schedule is that of a violation, "" if there is none.
func (e *progress) schedule(key string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := range e.state.Found {
		if e.state.Found[i].Key == key {
			return e.state.Found[i].Schedule
		}
	}
	return ""
}

// rows are those of the tree.
func (e *progress) rows(of int32, from, most int) (rows []Row, children int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.tree == nil || of < 0 || int(of) >= len(e.tree.nodes) {
		return []Row{}, 0
	}
	return e.tree.rows(of, from, most), int(e.tree.nodes[of].children)
}

// path is the way to a node of the tree.
func (e *progress) path(node int32) (ids []string, under string, ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.tree == nil {
		return nil, "", false
	}
	return e.tree.path(node)
}
