package trace

import (
	"fmt"
	"slices"
	"strings"
)

// SameEffects compares event e of two executions that were to be the same. It gives "" if they agree: the same step
// sent the same messages, created the same actors and ended the same way. The order of sends to different receivers
// does not count; what messages contain does not either: a random request number that decides nothing is no divergence.
func SameEffects(a, b *Trace, e int) string {
	x, y := &a.Events[e], &b.Events[e]
	switch {
	case x.Step.ID != y.Step.ID:
		return fmt.Sprintf("the first run took %s, the second %s", a.StepName(x.Step), b.StepName(y.Step))
	case !slices.Equal(a.sentIDs(x), b.sentIDs(y)):
		return fmt.Sprintf("the first run sent %s, the second %s", a.sentNames(x), b.sentNames(y))
	case !slices.Equal(a.createdIDs(x), b.createdIDs(y)):
		return fmt.Sprintf("the first run created %d actors (%s), the second %d (%s)",
			len(x.Created), a.createdNames(x), len(y.Created), b.createdNames(y))
	case x.Completed != y.Completed:
		return fmt.Sprintf("the handler %s in the first run and %s in the second", ending(x), ending(y))
	case incidents(x) != incidents(y):
		return fmt.Sprintf("the first run had %s, the second %s", incidents(x), incidents(y))
	}
	return ""
}

func ending(e *Event) string {
	if e.Completed {
		return "ended"
	}
	return "blocked"
}

func incidents(e *Event) string {
	var kinds []string
	for _, in := range e.Incidents {
		kinds = append(kinds, in.Kind.String())
	}
	if len(kinds) == 0 {
		return "no incident"
	}
	return strings.Join(kinds, ", ")
}

func (t *Trace) sentIDs(e *Event) []ID {
	return sortedIDs(e.Sent, func(m int32) ID { return t.Messages[m].ID })
}

func (t *Trace) createdIDs(e *Event) []ID {
	return sortedIDs(e.Created, func(a int32) ID { return t.Actors[a].ID })
}

func sortedIDs(indices []int32, id func(int32) ID) []ID {
	ids := make([]ID, 0, len(indices))
	for _, i := range indices {
		ids = append(ids, id(i))
	}
	slices.SortFunc(ids, ID.Compare)
	return ids
}

func (t *Trace) sentNames(e *Event) string {
	if len(e.Sent) == 0 {
		return "nothing"
	}
	var s []string
	for _, m := range e.Sent {
		s = append(s, ShortType(t.Messages[m].Type.Name)+" to "+t.ActorName(t.Messages[m].Receiver))
	}
	slices.Sort(s)
	return strings.Join(s, ", ")
}

func (t *Trace) createdNames(e *Event) string {
	var s []string
	for _, a := range e.Created {
		s = append(s, t.ActorName(a))
	}
	slices.Sort(s)
	return strings.Join(s, ", ")
}
