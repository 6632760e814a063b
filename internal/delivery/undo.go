package delivery

// This file takes changes of the pool back.
//
//	source:     undo logs of databases; no paper
//	invariants: I1 after Back(Mark()) every queue, flag and order is as it was at Mark: what Enabled gives is equal,
//	            order included
//	            I2 the record (trace) is cut by its owner: a message beyond its end is in no queue after Back
//	cost:       16 bytes a change, as much time again to take it back
//	checked by: undo_test.go, and the executions of actor/undo_test.go under all models

// change is one change of the pool.
type change struct {
	what    kind
	queue   queue
	box     int32 // or the actor
	at      int32
	message int32
}

// kind is the kind of a change.
type kind uint8

const (
	put     kind = iota // message was appended to queue; at is 1 if the box was appended to active for it
	taken               // message was taken out of queue, where it was the one at at
	putAt               // message was put before the one at at of queue
	stopped             // the box takes no more
	looked              // saw of the box changed
	owed                // at was added to owed
	listed              // the box was appended to active
	dropped             // the box was taken out of active, where it came after the box at, first if that is -1
	learned             // at words of seen of the actor changed: they are at the end of words
)

// changes is what was changed since the execution began, if anybody wants to know.
type changes struct {
	on     bool
	list   []change
	marked int // where the last mark was given
	words  []word
}

// word is a word of a set as it was.
type word struct {
	at  int
	was uint64
}

// addPut adds a put. Where it follows the listing of its box, the two become one change: they nearly always come
// together.
func (l *changes) addPut(q queue, box, message int32) {
	n := len(l.list) - 1
	if n >= l.marked && l.list[n].what == listed && l.list[n].box == box {
		c := &l.list[n]
		c.what, c.queue, c.at, c.message = put, q, 1, message
		return
	}
	l.add(put, q, box, 0, message)
}

func (l *changes) reset() { l.on, l.list, l.words, l.marked = false, l.list[:0], l.words[:0], 0 }

// add writes a change in its place: put together elsewhere and copied it would cost several times as much.
func (l *changes) add(what kind, q queue, box, at, message int32) {
	if !l.on {
		return
	}
	n := len(l.list)
	if n == cap(l.list) {
		l.list = append(l.list, change{})
	} else {
		l.list = l.list[:n+1]
	}
	c := &l.list[n]
	c.what, c.queue, c.box, c.at, c.message = what, q, box, at, message
}

// addWord adds a word of a set that changes.
func (l *changes) addWord(at int, was uint64) {
	if l.on {
		l.words = append(l.words, word{at, was})
	}
}

// Remember makes the pool note its changes until the next Reset, so that Back can take them back.
func (p *Pool) Remember() { p.log.on = true }

// Mark names the present state for Back.
func (p *Pool) Mark() int {
	p.log.marked = len(p.log.list)
	return p.log.marked
}

// Back takes back all changes since mark was given. Marks that were given later are void.
func (p *Pool) Back(mark int) {
	list := p.log.list
	for i := len(list) - 1; i >= mark; i-- {
		p.undo(&list[i])
	}
	p.log.list, p.log.marked = list[:mark], mark
}

// undo takes one change back. Changes are taken back in the opposite order, so what a change added is the last one
// there.
func (p *Pool) undo(c *change) {
	if c.what == learned {
		for range c.at {
			last := len(p.log.words) - 1
			w := p.log.words[last]
			p.seen[c.box][w.at], p.log.words = w.was, p.log.words[:last]
		}
		return
	}
	b := &p.boxes[c.box]
	p.stir(c.box, b)
	q := &b.queues[c.queue]
	switch c.what {
	case put:
		*q = (*q)[:len(*q)-1]
		b.n--
		if c.at == 0 {
			return
		}
		p.unlistLast(b)
	case taken:
		insert(q, int(c.at), c.message)
		b.n++
	case putAt:
		*q = cut(*q, int(c.at))
		b.n--
	case stopped:
		b.stopped = false
	case looked:
		b.saw = !b.saw
	case owed:
		b.owed -= c.at
	case listed:
		p.unlistLast(b)
	case dropped:
		p.relist(c.box, b, c.at)
	}
}

// insert puts m before the i-th of a list.
func insert(queue *[]int32, i int, m int32) {
	s := append(*queue, m)
	if len(s)-i > few {
		copy(s[i+1:], s[i:])
	} else {
		for j := len(s) - 1; j > i; j-- {
			s[j] = s[j-1]
		}
	}
	s[i] = m
	*queue = s
}

// cut takes the i-th out of a list.
func cut(list []int32, i int) []int32 {
	if i == 0 && len(list) > many {
		return list[1:]
	}
	if len(list)-i > few {
		copy(list[i:], list[i+1:])
	} else {
		for j := i + 1; j < len(list); j++ {
			list[j-1] = list[j]
		}
	}
	return list[:len(list)-1]
}

// few is up to how many elements are moved one by one, which is quicker than a call of the runtime's copy.
const few = 16

// many is from how many elements on a list is not moved when its first one is taken. The room of that one is lost,
// which would be too much for a short list that is used again and again.
const many = 1 << 10
