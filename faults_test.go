package rehearse

import (
	"os"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
)

// savings deposits 50 by way of a saver and wants them in the account, once. quiet: nobody deposits.
func savings(quiet bool) System {
	return actor.New(func(t *T, ctx *actor.Context) {
		a := &account{}
		to := ctx.SpawnNamed("account", a)
		saver := ctx.SpawnNamed("saver", &client{to})
		if quiet {
			ctx.Send(to, withdraw{0})
			return
		}
		ctx.Send(saver, deposit{50})
		t.AtEnd(func() {
			if a.Balance != 50 {
				t.Errorf("%d in the account", a.Balance)
			}
		})
	})
}

// A bug that takes a fault is found, drawn, explained, saved and replayed without any setting.
func TestCheckWithFaults(t *testing.T) {
	for kind, c := range map[string]struct{ diagram, culprit string }{
		"drop": {"lost: deposit(50)",
			"It takes the injected fault: in step 2 deposit from saver to account is lost; without it, it"},
		"duplicate": {"deposit(50) comes twice", "deposit from "},
	} {
		t.Run(kind, func(t *testing.T) {
			folder(t)
			if f, r := try(t, Config{}, savings(false), nil); f.failed || !r.Complete {
				t.Fatalf("without faults: %s", f.text())
			}
			f, r := try(t, Config{Faults: kind, Strategy: "naive"}, savings(false), nil)
			files := schedules(t)
			if !f.failed || len(r.Findings) != 1 || len(files) != 1 {
				t.Fatalf("%d findings, files %v\n%s", len(r.Findings), files, f.text())
			}
			contains(t, f.text(), "model bag, timers quiescent, at most 1 fault ("+kind+"); schedule: 1 forced step",
				c.diagram, c.culprit)
			data, err := os.ReadFile(files[0])
			if err != nil {
				t.Fatal(err)
			}
			contains(t, string(data), `{"rehearse_schedule":2,`, `"faults":"`+kind+`"`,
				`{"step":"fault","fault":"`+kind+`","message":"rehearse.deposit"`)

			f, r = try(t, Config{}, savings(false), nil)
			if !f.failed || r.Saved != 1 || r.Executions != 0 {
				t.Errorf("replayed without a setting: %+v", r)
			}
			contains(t, f.text(), "found by a saved schedule", "at most 1 fault ("+kind+")", c.diagram)

			f, _ = try(t, Config{}, savings(true), nil)
			if f.failed {
				t.Error(f.text())
			}
			contains(t, f.log(), "it has gone stale", "(fault: deposit from ",
				"is no longer enabled: the step that it belongs to did not happen")
		})
	}
}

// Faults that a violation does not take are left out of its schedule, which older versions can read.
func TestNeedlessFaults(t *testing.T) {
	folder(t)
	f, r := try(t, Config{Faults: "all:3", Strategy: "random", Seed: 3, Checks: Levels{Assertion: Off}}, bank(false), nil)
	files := schedules(t)
	if !f.failed || len(files) != 1 || len(r.Findings) != 1 {
		t.Fatalf("files %v, %+v\n%s", files, r, f.text())
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if s := string(data); strings.Contains(s, "fault") || !strings.HasPrefix(s, `{"rehearse_schedule":1,`) {
		t.Errorf("the schedule is\n%s", s)
	}
}

// Complete is said with the bound; the variable wins over the field; a bound that makes no sense is an error.
func TestFaultSettings(t *testing.T) {
	folder(t)
	f, r := try(t, Config{Faults: "crash", Strategy: "naive", Checks: Levels{Assertion: Off}}, savings(false),
		env{"REHEARSE_FAULTS": "drop,crash:2"})
	if f.failed || !r.Complete {
		t.Fatalf("%+v\n%s", r, f.text())
	}
	// The first message lost; or the second; or no crash, that of the saver, that of the account, or both.
	contains(t, f.log(), "rehearse: complete with at most 2 faults (drop, crash): 6 executions, ",
		"timers quiescent, faults drop,crash:2)")
	f, _ = try(t, Config{Faults: "crash"}, savings(false), env{"REHEARSE_FAULTS": "off"})
	contains(t, f.log(), "rehearse: complete: ")
	f, _ = try(t, Config{Faults: "flood"}, savings(false), nil)
	contains(t, f.text(), `Config.Faults: faults "flood": "flood" is no kind of fault`)
	f, _ = try(t, Config{}, savings(false), env{"REHEARSE_FAULTS": "drop:0"})
	contains(t, f.text(), `environment variable REHEARSE_FAULTS: faults "drop:0": want a whole number`)
}
