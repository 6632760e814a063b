package causal

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// TestSmallRecords: sums of what the order answers about all records of up to three steps, and a message that could
// have been handled before. They are goldens: nearly each change of an answer changes one. What is right random
// programs know, and the records of races_test.go.
//
// A step is one of actor 1 that begins or goes on with a handler, and completes it or not; a release of what it sent;
// or a step of actor 2 that sends it a system message.
func TestSmallRecords(t *testing.T) {
	var got []string
	for _, model := range []trace.Model{trace.Bag, trace.Mailbox, trace.MailboxSerial} {
		for kind := trace.User; kind <= trace.Task; kind++ {
			var s smallSums
			for _, steps := range words("uUsSrRtTkocy", 3) {
				s.ask(model, kind, steps)
			}
			got = append(got, fmt.Sprint(model, " ", kind, ": ", s))
		}
	}
	want := strings.Split(strings.TrimSpace(smallRecords), "\n")
	for i, line := range got {
		if i >= len(want) || line != want[i] {
			t.Error(line)
		}
	}
}

// words gives all words of up to so many letters.
func words(letters string, most int) []string {
	all, last := []string{""}, []string{""}
	for range most {
		var next []string
		for _, w := range last {
			for _, l := range letters {
				next = append(next, w+string(l))
			}
		}
		all, last = append(all, next...), next
	}
	return all
}

// smallRecord makes the record of these steps, and the message that waits. The letters: a user message, a system
// message, the answer to a call, a suspended task, the timeout of a call; a large one leaves the handler in its middle.
// And c: a user message whose handler cancels the timeout that waits. Timers have fired where that is a step.
func smallRecord(model trace.Model, kind trace.MessageKind, steps string) (tr *trace.Trace, m int32) {
	kinds := map[rune]trace.MessageKind{'s': trace.System, 'r': trace.Answer, 't': trace.Task, 'k': trace.Timeout}
	tr = begun(2)
	var messages []int32
	for _, l := range steps {
		to := int32(1)
		if l == 'y' {
			to = 2
		}
		messages = append(messages, sent(tr, kinds[l|0x20], 0, to)) // else a user message, kind 0
	}
	messages = append(messages, sent(tr, kind, 0, 1))
	for _, m := range messages {
		if tr.Messages[m].Kind == trace.Timeout {
			tr.Messages[m].EndsCall = true
			if model.Queues() {
				tr.Events[tr.Begin(tr.FiringOf(m))].Released = m
			}
		}
	}
	m = messages[len(messages)-1]
	last := int32(0)
	for i, l := range steps {
		switch l {
		case 'o':
			out := tr.AddMessage(tr.TypeNamed("M"), trace.User, tr.Events[last].Step.Actor, 2, last, nil)
			e := tr.Begin(tr.ReleaseOf(out))
			tr.Events[e].Completed, tr.Events[e].Released = true, out
		case 'y':
			handled(tr, messages[i], true)
			sent(tr, trace.System, 2, 1)
		default:
			last = handled(tr, messages[i], l&0x20 != 0)
			if l == 'c' && kind == trace.Timeout {
				tr.Events[last].Cancelled = []int32{m}
			}
		}
	}
	return tr, m
}

// smallSums are sums of answers: races, those of the message that waits, the same where not all is told, and which
// messages pass or are kept back.
type smallSums [5]int

func (s *smallSums) ask(model trace.Model, kind trace.MessageKind, steps string) {
	tr, m := smallRecord(model, kind, steps)
	o := New(model, trace.Async)
	o.Extend(tr, len(tr.Events))
	weight := 1
	for _, l := range steps {
		weight = weight*7 + int(l)%31
	}
	add := func(k int, value int32, holds bool) {
		if holds {
			s[k] += weight * int(value)
		}
	}
	end := int32(o.Len())
	vague := func(e, m int32) (bool, bool) { return (e+m)%2 == 0, (e+m)%3 != 0 }
	for e := int32(1); e < end; e++ {
		o.Races(e, vague, func(i int32) bool { add(0, e+10*(1+i), true); return i != 2 })
		add(3, e, o.Passing(e, nil))
	}
	if !slices.Contains(pendingOf(o, end), m) {
		return
	}
	for i, accepts := range []Acceptance{nil, vague} {
		o.RacesOfPending(m, end, accepts, func(e int32) bool { add(1+i, 1+e, true); return e != 2 })
	}
	add(3, 7, o.CouldPass(m, nil))
	for e := int32(1); e < end; e++ {
		add(4, e, o.Fixed(e, m))
		add(4, 10*e, o.KeepsBack(e, m))
		add(4, 100*e, o.Takes(e) && o.WouldTake(e, e, m, vague))
	}
}

// pendingOf gives the messages that wait before an event.
func pendingOf(o *Order, end int32) (all []int32) {
	o.Pending(end, func(m int32) { all = append(all, m) })
	return all
}

const smallRecords = `
bag 0: [146966752 7675713 7962189 897256 589167510]
bag 1: [114076399 7989724 6725672 897256 682773110]
bag 2: [146966752 10623150 9474358 897256 967769580]
bag 3: [146966752 10623150 13621018 4522542 967769580]
bag 4: [146966752 10554798 8888054 897256 891623580]
mailbox 0: [124449240 4133176 4076153 2139086 773372248]
mailbox 1: [118137724 7363317 5596398 1401389 693832816]
mailbox 2: [124449240 7754570 5212909 1287347 1010161593]
mailbox 3: [152734735 7832238 5084799 5477484 1112732360]
mailbox 4: [124449240 11104465 8749969 1287347 866936900]
mailbox-serial 0: [107413572 3328826 2896849 271617 645235808]
mailbox-serial 1: [90725602 3774761 2775178 271617 740493797]
mailbox-serial 2: [107413572 7754570 5212909 271617 1010161593]
mailbox-serial 3: [136308298 7832238 5084799 4062993 1112732360]
mailbox-serial 4: [107413572 11104465 8749969 271617 866936900]
`
