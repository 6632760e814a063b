package actor

// This file goes back to what undo.go has saved; its head says how.

// reachable gives the last point that is not barred, up to n; -1 if there is none.
func (u *undo) reachable(n int) int {
	n = min(n, len(u.marks)-1)
	for n >= 0 && u.marks[n].barred {
		n--
	}
	return n
}

// backTo goes back to the last point up to n that it can go back to, and gives it; -1 if there is none.
func (u *undo) backTo(n int) int {
	m := u.m
	m.redo.parts = 0
	for n = u.reachable(n); n >= 0; {
		m.over = true
		dead, to := u.restore(n)
		if to == n {
			to = m.redo.revive(dead, n)
		}
		if to == n {
			m.runner, m.over, m.ending = nil, false, false
			return n
		}
		n = u.reachable(to)
	}
	return n
}

// restore goes back to marks[n], but for the goroutines of the handlers of dead, or of those because of which it is of
// no use, if it gives another point.
func (u *undo) restore(n int) (dead []*Context, to int) {
	m := u.m
	for i := len(m.handlers.parked) - 1; i >= 0; i-- {
		if h := m.handlers.parked[i]; h.parkedAt > n {
			m.handlers.quit(h)
		}
	}
	k := &u.marks[n]
	for i := len(u.marks) - 1; i >= n; i-- {
		if c := u.marks[i].actor; c != nil {
			c.stance.set(&u.marks[i].stance)
			m.pool.Touch(c.index)
		}
	}
	u.backShared(k)
	dead, to = m.redo.dead(n, int(k.actors))
	u.quitAll(dead)
	u.memory.Back(k.memory)
	for i := len(u.states) - 1; i >= int(k.savedStates); i-- {
		u.states[i].of.Restore(u.states[i].state)
	}
	u.states = u.states[:k.savedStates]
	m.pool.Back(k.pool)
	m.faults.back(k.faults)
	m.tr.Cut(int(k.events), int(k.actors), int(k.messages))
	if k.strays {
		m.tr.Uncontrolled = ""
	}
	if k.shuffles {
		m.tr.Shuffled = ""
	}
	if k.omits {
		m.tr.Omitted = ""
	}
	m.tr.Beyond = ""
	m.actors.all, m.outbox.extra = m.actors.all[:k.actors], m.outbox.extra[:k.messages]
	m.calls.all, m.timers.all = m.calls.all[:k.calls], m.timers.all[:k.timers]
	m.timers.now, m.timers.advances, m.actors.watches = k.now, int(k.nAdvances), int(k.watches)
	m.event, m.observed = k.events-1, k.events
	u.marks, u.notes, u.step = u.marks[:n], u.notes[:k.savedNotes], -1
	return dead, to
}

// quitAll ends the handlers of actors that are to be run again. Unlike those that have gone on they may have taken no
// step since, so that what their deferred functions change is saved here.
func (u *undo) quitAll(dead []*Context) {
	for _, c := range dead {
		cur := c.cur
		for h := range c.open {
			if h.parkedAt == never {
				continue
			}
			for _, b := range append(c.previous[:len(c.previous):len(c.previous)], c.behavior, h.behavior) {
				if u.saveBehavior(b) != nil {
					u.m.redo.shared = true // which is found out when it is run again
				}
			}
			u.m.handlers.quit(h)
		}
		c.cur = cur
	}
}

// backShared restores what belongs to no actor.
func (u *undo) backShared(k *mark) {
	m := u.m
	for i := len(u.lives) - 1; i >= int(k.savedLives); i-- {
		u.lives[i].of.life = u.lives[i].life
		m.pool.Touch(u.lives[i].of.index) // it may accept a task again that an injected restart had ended
	}
	u.lives = u.lives[:k.savedLives]
	for i := len(u.calls) - 1; i >= int(k.savedCalls); i-- {
		m.calls.all[u.calls[i].index] = u.calls[i]
	}
	for i := len(u.timers) - 1; i >= int(k.savedTimers); i-- {
		m.timers.all[m.outbox.extra[u.timers[i].message].timer-1] = u.timers[i]
	}
	for i := len(u.futures) - 1; i >= int(k.savedFutures); i-- {
		s := &u.futures[i]
		s.of.ready, s.of.value, s.of.err, s.of.by, s.of.waiting = s.ready, s.value, s.err, s.by, s.wait
	}
	for i := len(u.tasks) - 1; i >= int(k.savedTasks); i-- {
		u.tasks[i].of.task, u.tasks[i].of.since = u.tasks[i].message, u.tasks[i].since
	}
	u.calls, u.timers, u.futures, u.tasks = u.calls[:k.savedCalls], u.timers[:k.savedTimers], u.futures[:k.savedFutures],
		u.tasks[:k.savedTasks]
}
