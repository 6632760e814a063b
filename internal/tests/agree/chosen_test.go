package agree

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// TestChosenPrograms: what reductions count on random programs that were chosen because changes of the reductions show
// on them, and on few others: executions, those that were blocked, classes, deliveries, whether the result is complete,
// and why not. Whoever changes a count says why; what is right the comparisons know.
func TestChosenPrograms(t *testing.T) {
	for line := range strings.SplitSeq(strings.TrimSpace(chosen), "\n") {
		program, want, _ := strings.Cut(line, " =")
		if got := countChosen(t, program); got != strings.TrimSpace(want) {
			t.Errorf("%s: %s\nwant %s", program, got, want)
		}
	}
}

// countChosen gives the counts of a program: what it may do, its seed, the delivery model, timers, faults, the
// strategy. Native programs have timers and faults of their own.
func countChosen(t *testing.T, program string) string {
	t.Helper()
	words := strings.Fields(program)
	seed, sys := uint64(0), explore.System(nil)
	fmt.Sscan(words[1], &seed)
	c, errs := explore.Conditions{}, make([]error, 3)
	if s, native := map[string]species{"tame": tame, "feral": feral, "hasty": hasty, "exotic": exotic}[words[0]]; native {
		p, _ := s.program(seed)
		sys, c = p.System, p.Conditions
	} else {
		dense, effects, waits := toy.Full, toy.Full, toy.Answers
		dense.Dense, effects.Effects, waits.Dense = true, true, true
		p := toy.Random(seed, map[string]toy.Features{"full": toy.Full, "dense": dense, "effects": effects,
			"answers": toy.Answers, "waits": waits, "senders": {Senders: true}, "timers": {Senders: true, Timers: true},
			"choices": {Senders: true, Stop: true, Choices: true, Dense: true}}[words[0]])
		sys, c.Effects = toy.NewSystem(p), p.Effects()
		c.Timers, errs[0] = trace.ParseTimerMode(words[3])
		c.Faults, errs[1] = trace.ParseFaults(words[4])
	}
	c.Model, errs[2] = trace.ParseModel(words[2])
	s, err := strategies.New(words[len(words)-1], 1, 0)
	if err := errors.Join(append(errs, err)...); err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	out, err := explore.Run(sys, s, explore.Options{Conditions: c, Budget: explore.Budget{Executions: 60}})
	if err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	why := out.PassedOver[:min(len(out.PassedOver), 35)]
	return strings.TrimSpace(fmt.Sprint(out.Executions, " ", out.Blocked, " ", out.Classes, " ", out.Deliveries, " ",
		out.Complete, " ", strings.TrimSpace(why)))
}

const chosen = `
hasty 60006 fifo reverse = 13 0 13 67 true
hasty 60006 mailbox reverse = 60 0 60 394 false
tame 60018 bag reverse = 4 0 4 17 false steps of different actors depend on
tame 60024 mailbox reverse = 3 0 3 1 false under a mailbox model faults may be
tame 60038 bag reverse = 60 0 60 201 false steps of different actors depend on
tame 60038 mailbox reverse = 31 0 31 197 false steps of different actors depend on
feral 60000 bag reverse = 60 0 60 285 false
feral 60000 mailbox reverse = 26 0 26 183 false a suspended task may resume, or a r
feral 60018 bag reverse = 60 0 60 265 false steps of different actors depend on
feral 60028 mailbox reverse = 60 0 60 200 false a suspended task may resume, or a r
dense 60000 mailbox quiescent off reverse = 22 0 22 70 false a user message may pass a system me
dense 60017 mailbox async off reverse = 60 0 60 579 false a step that chooses a value also se
answers 60021 mailbox async off reverse = 59 1 59 81 false an actor refused a message that it
effects 60032 bag quiescent off reverse = 28 0 28 91 false steps of different actors depend on
tame 50000 bag optimal = 60 0 60 213 false
tame 50002 bag optimal = 60 0 60 86 false
tame 50002 mailbox optimal = 59 0 59 78 true
tame 50002 mailbox optimal/LIFO = 59 0 59 86 false what comes before a step after whic
tame 70000 bag optimal = 60 0 60 110 false
tame 70000 fifo optimal = 60 0 60 152 false
tame 70002 bag optimal = 60 0 60 100 false what comes before a step after whic
feral 50000 bag optimal/LIFO = 12 0 12 8 false what comes before a step after whic
feral 70006 bag optimal = 51 9 51 136 false
hasty 50003 bag optimal/LIFO = 60 0 60 49 false what comes before a step after whic
hasty 70013 bag optimal = 60 0 60 47 false
hasty 70027 mailbox optimal = 33 1 33 61 true
hasty 70027 mailbox-serial optimal = 13 2 13 24 false what comes before a step after whic
full 50000 bag quiescent off optimal/LIFO = 60 0 60 228 false
full 50000 bag quiescent off source/HDM = 60 0 60 258 false
full 50000 mailbox quiescent crash-losing optimal = 60 0 60 98 false
full 70019 mailbox quiescent all:2 optimal = 60 0 60 41 false what comes before a step after whic
dense 70001 mailbox async off optimal = 43 0 43 71 true
waits 50000 bag quiescent off optimal = 10 0 10 36 true
waits 50000 mailbox quiescent off optimal/LIFO = 45 1 45 123 true
senders 50003 mailbox quiescent all:2 optimal = 60 0 60 32 false what comes before a step after whic
timers 50003 fifo async off optimal = 31 0 31 153 true
senders 70017 mailbox-serial quiescent crash:2 optimal = 60 0 60 87 false what comes before a step after whic
senders 70030 mailbox-serial quiescent crash-losing optimal = 44 0 44 80 true
choices 50002 bag quiescent restart optimal = 42 0 42 108 true
choices 50000 bag quiescent crash-losing optimal/LIFO = 60 0 60 61 false
choices 70001 bag quiescent duplicate:2 optimal = 60 0 60 84 false
choices 70007 mailbox-serial quiescent drop:2 optimal = 31 0 31 25 true
choices 70010 causal quiescent crash optimal = 35 0 35 52 true
choices 70024 bag quiescent crash optimal = 52 0 52 34 true
full 70031 mailbox-serial quiescent crash:2 optimal = 60 0 60 58 false what comes before a step after whic
full 70038 mailbox quiescent crash optimal = 40 0 40 29 true
choices 70041 mailbox-serial quiescent crash,restart:2 optimal = 40 0 40 38 false what comes before a step after whic
`
