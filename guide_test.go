package rehearse

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/internal/record"
	"github.com/rehearse-go/rehearse/trace"
)

// everyModel are the delivery models.
var everyModel = []Model{Bag, FIFO, Causal, Mailbox, MailboxSerial}

// logged prints what one actor receives, in the order in which it does.
func logged(f func(t *T, ctx *actor.Context, log func(text string))) System {
	return actor.New(func(t *T, ctx *actor.Context) {
		var got []string
		f(t, ctx, func(text string) { got = append(got, text) })
		t.AtEnd(func() { t.Errorf("got %s", strings.Join(got, " ")) })
	})
}

// late brings a deposit by a longer way than a withdrawal of another client.
func late() System {
	return logged(func(t *T, ctx *actor.Context, log func(string)) {
		a := ctx.SpawnNamed("account",
			actor.Func(func(_ *actor.Context, msg any) { log(fmt.Sprintf("%T", msg)[len("rehearse."):]) }))
		slow := ctx.SpawnNamed("slow", &client{ctx.SpawnNamed("middle", &client{a})})
		fast := ctx.SpawnNamed("fast", &client{a})
		ctx.Send(slow, deposit{1})
		ctx.Send(fast, withdraw{1})
	})
}

// An order that is not the default one is followed under every model, and a violation of its execution is a finding.
func TestGuideIsFollowed(t *testing.T) {
	for _, model := range everyModel {
		for _, c := range []struct {
			guide trace.Order
			want  string
		}{
			{trace.Order{{Actor: "account", Message: "withdraw"}, {Actor: "account", Message: "deposit"}},
				"got withdraw deposit"},
			{trace.Order{{Actor: "account", Message: "deposit"}, {Actor: "account", Message: "withdraw"}},
				"got deposit withdraw"},
			{trace.Order{{Actor: "middle", Message: "rehearse.deposit", From: "slow"},
				{Actor: "fast", Message: "withdraw", From: "Driver"}}, "got "},
			{trace.Order{{Actor: "fast", Message: "withdraw"}, {Actor: "account", Message: "deposit", Nth: 1},
				{Actor: "account", Message: "withdraw"}}, "got deposit withdraw"},
		} {
			folder(t)
			f, r := try(t, Config{Guide: c.guide, Model: model}, late(), nil)
			if len(r.Findings) != 1 || len(schedules(t)) != 1 {
				t.Fatalf("%s: %v: want one finding, saved\n%s%s", model, c.guide, f.text(), f.log())
			}
			contains(t, f.text(), c.want, "of strategy guide",
				"guide followed: "+fmt.Sprintf("%d of %d", len(c.guide), len(c.guide)))
			if r.Complete {
				t.Errorf("%s: that is not complete: %v", model, r)
			}
			// The file is a schedule like any other.
			f, _ = try(t, Config{Model: model}, late(), nil)
			contains(t, f.text(), "found by a saved schedule", c.want)
		}
	}
}

// A guide whose execution violates nothing passes, and its schedule is saved where somebody asks for it.
func TestGuidePasses(t *testing.T) {
	o := trace.Order{{Actor: "account", Message: "withdraw", From: "spender"},
		{Actor: "account", Message: "deposit", From: "saver"}}
	for _, model := range everyModel {
		folder(t)
		f, r := try(t, Config{Guide: o, Model: model}, bank(true), nil)
		if f.failed || r.Complete || r.Rechecked != 1 {
			t.Fatalf("%s: %+v\n%s", model, r, f.text())
		}
		contains(t, f.log(), "rehearse: guide followed: 2 of 2 entries, ", " filled in: ", "1 repeat", "strategy guide")
		if len(schedules(t)) != 0 {
			t.Errorf("%s: saved what nobody asked for", model)
		}
		f, _ = try(t, Config{Guide: o, Model: model}, bank(true), env{"REHEARSE_SAVE": "guided"})
		contains(t, f.log(), "its schedule is saved: testdata/rehearse/TestX/")
		files := schedules(t)
		if len(files) != 1 {
			t.Fatalf("%s: files %v", model, files)
		}
		f, r = try(t, Config{Model: model}, bank(false), env{"REHEARSE_REPLAY": files[0]})
		if len(r.Findings) != 1 {
			t.Errorf("%s: the saved order does not overdraw: %s", model, f.text())
		}
	}
}

// Fewer steps are filled in than the default order would take before: those that lead to an entry.
func TestGuideFillsInWhatLeadsToEntries(t *testing.T) {
	busy := actor.New(func(t *T, ctx *actor.Context) {
		last := ctx.SpawnNamed("last", actor.Func(func(*actor.Context, any) {}))
		way := last
		for n := range 3 {
			way = ctx.SpawnNamed(fmt.Sprint("way", n), &client{way})
		}
		for n := range 5 {
			ctx.Send(ctx.SpawnNamed(fmt.Sprint("other", n), actor.Func(func(*actor.Context, any) {})), deposit{})
		}
		ctx.Send(way, deposit{})
	})
	folder(t)
	o := trace.Order{{Actor: "last", Message: "deposit"}, {Actor: "other3", Message: "deposit"}}
	for _, model := range []Model{Bag, FIFO, Causal, MailboxSerial} {
		f, _ := try(t, Config{Guide: o, Model: model}, busy, nil)
		contains(t, f.log()+f.text(), "guide followed: 2 of 2 entries, 3 steps filled in")
	}
}

// chooser makes a choice, a call that times out or not, and sets a timer.
func chooser() System {
	return logged(func(t *T, ctx *actor.Context, log func(string)) {
		callee := ctx.SpawnNamed("callee", actor.Func(func(ctx *actor.Context, msg any) {
			if msg == "tick" {
				log("tick")
				return
			}
			ctx.After(3*time.Second, "tick")
			if msg == true {
				ctx.Reply(2)
			}
		}))
		busy := ctx.SpawnNamed("busy", actor.Func(func(ctx *actor.Context, msg any) { ctx.Send(callee, msg) }))
		asker := ctx.SpawnNamed("asker", actor.Func(func(ctx *actor.Context, msg any) {
			log(fmt.Sprintf("chose %d", t.Choose(3)))
			_, err := ctx.CallTimeout(callee, true, 2*time.Second)
			log(fmt.Sprintf("late %v", err != nil))
		}))
		ctx.Send(asker, true)
		ctx.Send(busy, 1)
	})
}

// stopping is told to stop by another actor while a message is on its way.
func stopping() System {
	return logged(func(_ *T, ctx *actor.Context, log func(string)) {
		a := ctx.SpawnNamed("a", actor.Func(func(*actor.Context, any) { log("told") }))
		ctx.Send(ctx.SpawnNamed("killer", actor.Func(func(ctx *actor.Context, _ any) { ctx.StopActor(a) })), 1)
		ctx.Send(ctx.SpawnNamed("teller", &client{a}), "hello")
	})
}

// Every kind of entry is followed, under all models.
func TestGuideEntries(t *testing.T) {
	off := Levels{OrphanDead: Off, DeadLetter: Off}
	for _, c := range []struct {
		name string
		cfg  Config
		sys  System
		want string
	}{
		{"value", Config{Guide: trace.Order{{Actor: "asker", Choose: "2"}}}, chooser(), "chose 2 late false"},
		{"value 0", Config{Guide: trace.Order{{Actor: "asker", Choose: "0"}}}, chooser(), "chose 0 late false"},
		{"timeout of a call", Config{Timers: trace.Async, Checks: off, Guide: trace.Order{{Actor: "asker", Choose: "1"},
			{Actor: "asker", Timeout: true}, {Actor: "callee", Message: "bool"}}}, chooser(), "chose 1 late true"},
		{"answer", Config{Timers: trace.Async, Guide: trace.Order{{Actor: "asker", Message: "int", From: "callee"}}},
			chooser(), "late false"},
		{"timer", Config{Timers: trace.Async, Guide: trace.Order{{Actor: "callee", Timer: "string", Nth: 1},
			{Actor: "asker", Message: "int"}}}, chooser(), "tick late false"},
		{"timer, the second", Config{Timers: trace.Async, Guide: trace.Order{{Actor: "callee", Timer: "string", Sent: 2},
			{Actor: "asker", Message: "int"}}}, chooser(), "tick late false"},
		{"stop", Config{Checks: off, Guide: trace.Order{{Actor: "a", Message: "stop"}, {Actor: "teller", Message: "string"}}},
			stopping(), "got "},
		{"no stop", Config{Checks: off, Guide: trace.Order{{Actor: "a", Message: "string"}, {Actor: "a", Message: "stop"}}},
			stopping(), "got told"},
		{"drop", Config{Faults: "drop",
			Guide: trace.Order{{Actor: "account", Message: "deposit", From: "middle", Fault: "drop"}}}, late(), "got withdraw"},
		{"duplicate", Config{Faults: "duplicate",
			Guide: trace.Order{{Actor: "middle", Message: "deposit", Fault: "duplicate"}, {Actor: "account",
				Message: "withdraw"}, {Actor: "account", Message: "deposit"}}}, late(), "got withdraw deposit deposit"},
		{"crash", Config{Faults: "crash", Checks: off, Guide: trace.Order{{Actor: "fast", Fault: "crash"}}}, late(),
			"got withdraw deposit"},
		{"crash before", Config{Faults: "crash-losing", Checks: off,
			Guide: trace.Order{{Actor: "fast", Fault: "crash-losing"}}}, late(), "got deposit"},
		{"restart", Config{Faults: "all:2", Guide: trace.Order{{Actor: "account", Message: "deposit"},
			{Actor: "account", Fault: "restart"}, {Actor: "account", Message: "withdraw"}}}, late(), "got deposit withdraw"},
	} {
		for _, model := range everyModel {
			t.Run(c.name+"/"+model.String(), func(t *testing.T) {
				folder(t)
				c.cfg.Model = model
				f, r := try(t, c.cfg, c.sys, nil)
				if len(r.Findings) != 1 {
					t.Fatalf("want one finding:\n%s%s", f.text(), f.log())
				}
				contains(t, f.text(), c.want, "guide followed: ")
			})
		}
	}
}

// two has two clients of one type, which both send deposits.
func two() System {
	return actor.New(func(_ *T, ctx *actor.Context) {
		a := ctx.SpawnNamed("account", &account{tolerant: true})
		for n := range 2 {
			ctx.Send(ctx.Spawn(&client{a}), deposit{n})
		}
		ctx.Send(a, &withdraw{1})
	})
}

// twice has the test function send two messages of one type.
func twice(x, y int) System {
	return actor.New(func(_ *T, ctx *actor.Context) {
		a := ctx.SpawnNamed("account", &account{tolerant: true})
		ctx.Send(a, deposit{x})
		ctx.Send(a, deposit{y})
	})
}

// What cannot be followed, or may mean several things, is an error that says what to do.
func TestGuideErrors(t *testing.T) {
	for _, c := range []struct {
		name  string
		cfg   Config
		sys   System
		want  []string
		model []Model // nil: all
	}{
		{"empty", Config{Guide: trace.Order{}}, two(), []string{"Config.Guide: it has no entries"}, nil},
		{"nobody", Config{Guide: trace.Order{{Message: "deposit"}}}, two(),
			[]string{"entry 1, {Message: \"deposit\"}: want an Actor"}, nil},
		{"two things", Config{Guide: trace.Order{{Actor: "a", Message: "m", Timer: "t"}}}, two(),
			[]string{"want exactly one of Message"}, nil},
		{"nothing", Config{Guide: trace.Order{{Actor: "a"}}}, two(), []string{"want exactly one of Message"}, nil},
		{"no number", Config{Guide: trace.Order{{Actor: "a", Choose: "x"}}}, two(), []string{"want a number from 0"}, nil},
		{"sent by whom", Config{Guide: trace.Order{{Actor: "a", Message: "m", Sent: 1}}}, two(), []string{"wants From"}, nil},
		{"negative", Config{Guide: trace.Order{{Actor: "a", Message: "m", Nth: -1}}}, two(), []string{"count from 1"}, nil},
		{"faults off", Config{Guide: trace.Order{{Actor: "a", Fault: "drop"}}}, two(),
			[]string{"Config.Faults does not allow drop: it is off"}, nil},
		{"no fault", Config{Faults: "all", Guide: trace.Order{{Actor: "a", Fault: "flood"}}}, two(),
			[]string{`"flood" is no kind of fault`}, nil},
		{"strategy", Config{Strategy: "naive", KeepGoing: true, Guide: trace.Order{{Actor: "a", Message: "m"}}}, two(),
			[]string{"does not go with Strategy, KeepGoing"}, nil},
		{"workers", Config{Workers: 2, Corpus: true, Guide: trace.Order{{Actor: "a", Message: "m"}}}, two(),
			[]string{"does not go with Workers, Corpus"}, nil},

		{"unknown actor", Config{Guide: trace.Order{{Actor: "bank", Message: "deposit"}}}, two(),
			[]string{"entry 1 of 1 could not be followed",
				"there is no actor bank; there are Driver, account, client#1, client#2"}, nil},
		{"unknown message", Config{Guide: trace.Order{{Actor: "account", Message: "payment"}}}, two(),
			[]string{"payment was never sent to account, to which these were: ", "rehearse.deposit", "*rehearse.withdraw"}, nil},
		{"unknown sender", Config{Guide: trace.Order{{Actor: "account", Message: "deposit", From: "Driver"}}}, two(),
			[]string{"Driver never sent deposit to account; client#1, client#2 did"}, nil},
		{"once too often", Config{Guide: trace.Order{{Actor: "account", Message: "deposit", Nth: 3}}}, two(),
			[]string{"account received 2 such messages"}, nil},
		{"value too high", Config{Guide: trace.Order{{Actor: "asker", Choose: "3"}}}, chooser(),
			[]string{"asker did not choose from more than 3 values"}, nil},
		{"out of order", Config{Guide: trace.Order{{Actor: "account", Message: "deposit", From: "saver"},
			{Actor: "saver", Message: "deposit"}}}, bank(true),
			[]string{"entry 1 of 2 could not be followed",
				"all that can happen is of later entries: deposit from Driver to saver, which entry 2 names",
				"no execution follows it"}, nil},
		{"ambiguous sender", Config{Guide: trace.Order{{Actor: "client#1", Message: "deposit"},
			{Actor: "client#2", Message: "deposit"}, {Actor: "account", Message: "deposit"}}}, two(),
			[]string{"entry 3, ", "is ambiguous: it may be rehearse.deposit from client#1, rehearse.deposit from client#2; " +
				"add From"}, nil},
		{"ambiguous actor", Config{Guide: trace.Order{{Actor: "client", Message: "deposit"}}}, two(),
			[]string{"it may be client#1, client#2; name one of them"}, nil},
		{"ambiguous contents", Config{Guide: trace.Order{{Actor: "account", Message: "deposit", From: "Driver"}}},
			twice(1, 2), []string{"it may be 2 of rehearse.deposit from Driver; add Sent"}, []Model{Bag}},
		{"behind another", Config{Guide: trace.Order{{Actor: "account", Message: "deposit", Sent: 2, From: "Driver"},
			{Actor: "account", Message: "deposit", Sent: 1, From: "Driver"}}}, twice(1, 2),
			[]string{"was sent, but it is behind deposit from Driver at account", "which entry 2 names"},
			[]Model{FIFO, Mailbox, MailboxSerial}},
	} {
		models := c.model
		if models == nil {
			models = everyModel
		}
		for _, model := range models {
			t.Run(c.name+"/"+model.String(), func(t *testing.T) {
				folder(t)
				c.cfg.Model = model
				f, r := try(t, c.cfg, c.sys, nil)
				if !f.failed || len(r.Findings) > 0 {
					t.Errorf("want an error, no finding: %s", f.log())
				}
				contains(t, f.text(), append(c.want, "rehearse: Config.Guide: ")...)
			})
		}
	}
}

// Where one sender's equal messages may overtake each other, it makes no difference which is meant; Sent says it where
// it does.
func TestGuideTellsMessagesOfOneSenderApart(t *testing.T) {
	folder(t)
	f, _ := try(t, Config{Guide: trace.Order{{Actor: "account", Message: "deposit"}}, Model: Bag}, twice(1, 1), nil)
	contains(t, f.log(), "guide followed: 1 of 1 entry, 0 steps filled in")
	f, r := try(t, Config{Guide: trace.Order{{Actor: "account", Message: "deposit", From: "Driver", Sent: 2}}, Model: Bag,
		Final: func(s State) error { return fmt.Errorf("done") }}, twice(1, 2), nil)
	if len(r.Findings) != 1 {
		t.Fatal(f.text())
	}
	if steps := r.Findings[0].Schedule.Steps; len(steps) != 2 {
		t.Errorf("steps %v", steps)
	}
}

// A pointer and a value of one type are told apart.
func TestGuideTellsPointersFromValues(t *testing.T) {
	both := logged(func(_ *T, ctx *actor.Context, log func(string)) {
		a := ctx.SpawnNamed("a", actor.Func(func(_ *actor.Context, msg any) { log(fmt.Sprintf("%T", msg)) }))
		ctx.Send(ctx.SpawnNamed("p", actor.Func(func(ctx *actor.Context, _ any) { ctx.Send(a, &deposit{1}) })), 1)
		ctx.Send(ctx.SpawnNamed("v", actor.Func(func(ctx *actor.Context, _ any) { ctx.Send(a, deposit{1}) })), 1)
	})
	start := trace.Order{{Actor: "p", Message: "int"}, {Actor: "v", Message: "int"}}
	folder(t)
	f, _ := try(t, Config{Guide: append(start[:2:2], trace.Order{{Actor: "a", Message: "deposit"}}...)}, both, nil)
	contains(t, f.text(), "write *T for the pointer, or T{} for the value")
	for want, last := range map[string]string{"got *rehearse.deposit rehearse.deposit": "*deposit",
		"got rehearse.deposit *rehearse.deposit": "deposit{}"} {
		for _, model := range []Model{Bag, FIFO, Causal, Mailbox} {
			folder(t)
			f, _ := try(t, Config{Guide: append(start[:2:2], trace.Order{{Actor: "a", Message: last}}...), Model: model}, both,
				nil)
			contains(t, f.text(), want)
		}
	}
	folder(t)
	empty := logged(func(_ *T, ctx *actor.Context, log func(string)) {
		ctx.Send(ctx.SpawnNamed("a", actor.Func(func(_ *actor.Context, msg any) { log(fmt.Sprintf("%T", msg)) })), struct{}{})
	})
	f, _ = try(t, Config{Guide: trace.Order{{Actor: "a", Message: "struct {}"}}}, empty, nil)
	contains(t, f.text(), "got struct {}")
}

// A violation before the guide is at its end is a finding; with Expect it may be the known bug.
func TestGuideEndsWithAViolation(t *testing.T) {
	folder(t)
	o := trace.Order{{Actor: "account", Message: "withdraw"}, {Actor: "account", Message: "deposit"},
		{Actor: "saver", Message: "deposit", Nth: 2}}
	f, r := try(t, Config{Guide: o}, bank(false), nil)
	if len(r.Findings) != 1 || len(f.out.fatals) > 0 {
		t.Fatalf("want one finding alone:\n%s", f.text())
	}
	contains(t, f.text(), "overdrawn", "guide not followed: 1 of 3")
	folder(t)
	f, r = try(t, Config{Guide: o[:1], Expect: &Expectation{Kind: Panic}}, bank(false), nil)
	if f.failed || len(r.Findings) != 1 || !r.Findings[0].Expected {
		t.Errorf("the known bug is expected:\n%s", f.text())
	}
	folder(t)
	f, _ = try(t, Config{Guide: trace.Order{{Actor: "account", Message: "deposit"}}, Expect: &Expectation{Kind: Panic}},
		bank(false), nil)
	contains(t, f.text(), "the expected violation (panic) was not found: guide followed: 1 of 1 entry")
}

// Variables that are about explorations are for other Checks of the run.
func TestGuideIgnoresVariablesOfExplorations(t *testing.T) {
	folder(t)
	f, r := try(t, Config{Guide: trace.Order{{Actor: "account", Message: "withdraw"}}}, bank(true),
		env{"REHEARSE_STRATEGY": "naive", "REHEARSE_WORKERS": "2", "REHEARSE_KEEP_GOING": "1", "REHEARSE_CORPUS": "1",
			"REHEARSE_RESUME": "kept"})
	if f.failed || r.Strategy != "guide" {
		t.Errorf("%+v\n%s", r, f.text())
	}
}

// Explore follows a guide, too.
func TestExploreFollowsAGuide(t *testing.T) {
	r, err := Explore(Config{Guide: trace.Order{{Actor: "account", Message: "withdraw"}}}, bank(false))
	if err != nil || len(r.Findings) != 1 || r.Guided == "" {
		t.Errorf("%+v, %v", r, err)
	}
	_, err = Explore(Config{Guide: trace.Order{{Actor: "account", Message: "nothing"}}}, bank(true))
	if err == nil || !strings.Contains(err.Error(), "Config.Guide: entry 1 of 1 could not be followed") {
		t.Errorf("error %v", err)
	}
}

// The record of an order that was followed has its execution as a diagram, unless a finding has.
func TestGuideInTheRecord(t *testing.T) {
	folder(t)
	o := trace.Order{{Actor: "account", Message: "withdraw"}}
	for _, broken := range []bool{false, true} {
		try(t, Config{Guide: o}, bank(!broken), env{"REHEARSE_REPORT": "out.jsonl", "REHEARSE_SAVE": "off"})
		var rec record.Record
		if text, err := os.ReadFile("out.jsonl"); err != nil || json.Unmarshal(text, &rec) != nil ||
			os.Remove("out.jsonl") != nil {
			t.Fatalf("no record: %v", err)
		}
		if drawn := strings.Contains(rec.Order, "withdraw"); drawn == broken || broken != (len(rec.Findings) > 0) {
			t.Errorf("broken %v: %q, %d findings", broken, rec.Order, len(rec.Findings))
		}
	}
}

// A budget that is used up is told as such: there may be an execution that follows the guide.
func TestGuideOutOfBudget(t *testing.T) {
	folder(t)
	o := trace.Order{{Actor: "account", Message: "deposit", From: "saver"},
		{Actor: "account", Message: "withdraw", Nth: 2}}
	f, _ := try(t, Config{Guide: o, Budget: "2x"}, bank(true), nil)
	contains(t, f.text(), "entry 2 of 2 could not be followed",
		"no execution that follows it was found in 2 tries (the budget of 2x is used up)")
}

// A short run follows a guide as a long one does.
func TestGuideInAShortRun(t *testing.T) {
	folder(t)
	f := newFake(t, fake{short: true})
	r := f.check(Config{Guide: trace.Order{{Actor: "account", Message: "withdraw"}}}, bank(true), nil)
	if f.failed || r.Budget != "1000x" {
		t.Errorf("%v\n%s", r, f.text())
	}
}
