package source

import (
	"flag"

	"github.com/rehearse-go/rehearse/symbolic/target"
)

// addSearch adds the flags that say what is searched: they are the same for one line, for lists, and for what tests
// leave out.
func (r *targetRun) addSearch(fs *flag.FlagSet) {
	fs.StringVar(&r.model, "model", "",
		"delivery `model`: bag, fifo, causal, mailbox or mailbox-serial; default: what the Config beside the driver says, "+
			"else what the framework does")
	fs.StringVar(&r.timers, "timers", "",
		"when timers fire, a `mode`: quiescent (when nothing else can happen) or async (at any time); default: what the "+
			"Config beside the driver says, else quiescent")
	fs.StringVar(&r.driver, "driver", "", "the `function` that makes the system; default: every test, and main")
	fs.Func("receptionist", "the `name` of an actor that is sent messages from outside; may be repeated; default: those "+
		"that the driver sends to", func(s string) error {
		r.receptionists = append(r.receptionists, s)
		return nil
	})
	fs.IntVar(&r.config.Steps, "steps", 8, "`number` of messages that are handled, at most")
	fs.IntVar(&r.config.Outside, "outside", 0, "`number` of messages from outside, at most; default: as many as -steps")
	fs.IntVar(&r.config.Actors, "actors", 4, "`number` of actors that handlers create, at most")
	fs.IntVar(&r.config.Wanders, "wanders", target.Wanders,
		"where the search backward finds nothing, let chance send messages and order them, in this `number` of executions "+
			"of up to 50 messages; with -steps, -outside, -actors, -numbers, -strings or -assume: none")
	fs.IntVar(&r.config.Walks, "walks", target.Walks,
		"where nothing else is found, execute the driver as it is, in this `number` of orders of up to 200 messages; with "+
			"-steps, -outside, -actors, -numbers, -strings, -assume or -receptionist: none")
	fs.Var(numbersFlag{&r.numbers}, "numbers", "a `range` LEAST..MOST that all integers in messages from outside are in")
	fs.Var(stringsFlag{&r.config.Strings}, "strings",
		"a `list` with commas that all strings in messages from outside are in")
	fs.Func("assume", "a `condition` on messages from outside, as in 'Withdraw.Amount > 0', or a function of a message "+
		"that gives a bool; may be repeated", func(s string) error {
		r.config.Assume = append(r.config.Assume, s)
		return nil
	})
	r.solver.add(fs)
}
