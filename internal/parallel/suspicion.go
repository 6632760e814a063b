package parallel

// Suspicion is what is held against items that a worker died of. They are given few executions, so that the one that is
// deadly is among fewer when that kills again. A single one is executed with the crash journal on. Two deaths at one
// execution convict its item. Whoever survives is given twice as much. The zero Suspicion is none.
type Suspicion struct {
	Executions int `json:"executions,omitempty"` // that the items are given together; 0: they are trusted
	Deaths     int `json:"deaths,omitempty"`     // at one execution
}

// Careful has one execution made, with the crash journal on.
var Careful = Suspicion{Executions: 1}

// suspected is held against items that a worker had when it died, where none is to blame.
var suspected = Suspicion{Executions: 2}

// trusted is the number of executions after which a suspect is one no more.
const trusted = 4096

// Suspected reports whether something is held against the items.
func (s Suspicion) Suspected() bool { return s.Executions > 0 }

// Survived is what is held against what is left when the worker lives.
func (s Suspicion) Survived() Suspicion {
	if !s.Suspected() || s.Executions*2 > trusted {
		return Suspicion{}
	}
	return Suspicion{Executions: s.Executions * 2}
}

// Died is what is held against the items when the worker died at one of them. convicts: it is that one, and next is
// held against the others.
func (s Suspicion) Died() (next Suspicion, convicts bool) {
	switch {
	case s.Executions != 1:
		return Careful, false
	case s.Deaths == 0:
		return Suspicion{Executions: 1, Deaths: 1}, false
	}
	return Suspicion{}, true
}

// bound makes a lease one for what is suspected.
func (s Suspicion) bound(l *Lease) {
	if !s.Suspected() {
		return
	}
	l.Careful = s.Executions == 1
	if l.Executions == 0 || s.Executions < l.Executions {
		l.Executions = s.Executions
	}
}
