package explore

import (
	"errors"

	"github.com/rehearse-go/rehearse/trace"
)

// Item is a part of a search that can be executed by itself, by whichever process: a list of names, no shared state.
// Parts of one search do not overlap, so what their executions count adds up. The zero Item is everything.
type Item struct {
	Steps []trace.ID // the forced beginning, choices of the program included
	Rest  []byte     // what else the strategy needs to know, in a form of its own; the same in every process
}

// Divisible is a Strategy whose search can be divided among processes, and put down and taken up again. If that is so
// under some of its options only, its Report says so (Undivided).
type Divisible interface {
	Strategy
	// Take makes the strategy execute item and nothing else. It is called at most once, before the first Start. An error
	// means that the item is not one of this strategy's.
	Take(item Item) error
	// Split gives away what is not executed yet, as at most max items (at least one), those nearest to the beginning
	// first, which tend to be the largest. It is called between executions: after Learn, before Start. What was given away
	// the strategy does not execute any more; when everything was, the next Start is false, and Complete speaks of what it
	// has executed itself.
	Split(max int) []Item
}

// Joiner is a Divisible of which an item may show that something is left to do at a node above it, which another item
// owns. A node is told by the steps that lead to it. Whoever hands out the items keeps what Owed gives: at each time a
// node has one item that is handed out, or a state to which Join adds.
type Joiner interface {
	Divisible
	// Owed is called when Start was false. nodes are the states of nodes that have nothing left, with items below them.
	// found is for nodes above: the steps to the node, and in Rest what Join is to add to it. Like items, neither counts
	// if the process dies before.
	Owed() (nodes, found []Item)
	// Ready prepares an item to be handed out. found is what was found for its node since it was made and that Join has
	// not added. It is taken into account, and given to Join again when the item is done. open reports whether there are
	// open items at or below the node to which the steps lead. The item must not be executed before, if wait is not nil,
	// there are none below the node to which wait leads. They come before it in the order of the undivided search, so not
	// all can wait. Split may give back what must wait, also after Start was false.
	Ready(node Item, found [][]byte, open func(steps []trace.ID) bool) (ready Item, wait []trace.ID, err error)
	// Join adds what was found to the state of a node that nobody executes, be it an item or a node with nothing left.
	// left says that it has something left. ErrLater: that can only be done when the item was executed further.
	Join(node Item, found []byte) (joined Item, left bool, err error)
}

// Numbered is a Divisible whose executions have numbers, from 0 without end: it samples. Each is the same whoever makes
// it, and an item has some of the numbers. Some items are always open, so whoever hands out the items has to know when
// to end.
type Numbered interface {
	Divisible
	// Limit is called before the first Start with the budget of all processes together: nothing with a number from n on is
	// executed, and Split gives it back. 0: there is no limit.
	Limit(n int)
	// Beyond reports whether an item has nothing below the limit. It stays open, for a larger budget, and is not handed
	// out. If all are such, the budget is used up.
	Beyond(item Item) bool
	// Behind is what an item has left without its first execution, which kills its process. left: there is something.
	Behind(item Item) (rest Item, left bool)
}

// Sharer is a Divisible whose items are told what was learned by others. That changes what they choose, and it changes
// neither how many executions there are nor which of them count.
type Sharer interface {
	Divisible
	// Tell is called before Take, with all that Merge has made until then; nil: nothing. The error says that it is not of
	// this strategy.
	Tell(all []byte) error
	// Learned is called when Start was false. It gives what was learned that Tell has not told, nil if nothing. Like an
	// item it does not count if the process dies before.
	Learned() []byte
	// Merge adds to all what one has learned. Neither the order of additions nor their repetition changes the sum, unless
	// that is too large: then the sum stays as it is.
	Merge(all, learned []byte) ([]byte, error)
}

// ErrLater says that an item is in the middle of something.
var ErrLater = errors.New("not now")
