package report

import (
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// Each kind of fault in both directions, and at actors without a column of their own.
func TestDiagramOfFaults(t *testing.T) {
	s := newStory()
	s.spawn("Teller", "Clerk", "Account")
	fault := func(kind trace.FaultKind, message int32) {
		step := s.e
		s.take(s.tr.FaultStep(s.tr.StepOf(step), kind, message))
	}
	pay := s.send("Pay", "Account", struct{ Amount int }{10})
	ask := s.send("Ask", "Teller", nil)
	fault(trace.Drop, pay)
	s.take(s.tr.DeliveryOf(ask))
	note := s.send("Note", "Account", nil)
	fault(trace.Duplicate, note)
	again := s.send("Note", "Account", nil)
	s.take(s.tr.DeliveryOf(note))
	answer := s.send("Answer", "Teller", nil)
	fault(trace.Drop, answer)
	s.take(s.tr.DeliveryOf(again))
	last := s.send("Last", "Teller", nil)
	fault(trace.Restart, -1)
	s.take(s.tr.DeliveryOf(last))
	order := s.send("Order", "Clerk", struct{ Number int }{7})
	fault(trace.Crash, -1)
	s.take(s.tr.DeliveryOf(order))
	fault(trace.CrashLosing, order)
	golden(t, "faults", Diagram(&s.tr, DiagramOptions{}))
}
