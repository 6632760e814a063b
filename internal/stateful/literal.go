package stateful

import "slices"

// This file holds the two comparisons of [Basset11] 3.5.1, to the letter of what its tables count. They are finer than
// Actors and Generic, since a virtual machine shows more than a program can see:
//
//   - an actor holds on to the last message that it handled (a field of its base class, or a slot of its stack), so
//     that states differ by it;
//   - "actor comp." sorts the set of messages without following pointers: what is left to sort by is the receiver, and
//     messages to the same receiver stay in the order of their sending;
//   - "JPF comp." does not sort, and sees whose thread ran last.
//
// That this is what was counted is our inference, from the counts that it reproduces. These are those of server, and of
// leader and spinsort in the Scala version, in all three tables, and "actor comp." of mergesort and quicksort in that
// version (internal/stateful/testdata/basset.csv).
func (r *Recorder) literal(u *units) State {
	for a := range r.actors {
		if r.x.Status(int32(a)).Stopped {
			continue // it has no stack any more
		}
		u.words[a] = append(u.words[a], word{plain, uint64(len(r.actors[a].last))})
		u.words[a] = append(u.words[a], r.actors[a].last...)
	}
	order := make([]int, len(u.words))
	for i := range order {
		order[i] = i
	}
	if r.Comparison == Literal {
		tr := r.x.Trace()
		receiver := func(i int) int32 { return tr.Messages[u.messages[i-u.actors]].Receiver }
		slices.SortStableFunc(order[u.actors:u.actors+len(u.messages)],
			func(a, b int) int { return compare(receiver(a), receiver(b)) })
	} else if r.runner >= 0 {
		u.words[r.runner] = append(u.words[r.runner], word{kind: plain})
	}
	rank := make([]int, len(order))
	for n, i := range order {
		rank[i] = n
	}
	return u.state(inOrder(u.words, order), rank)
}
