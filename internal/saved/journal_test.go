package saved

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// record is an execution with two clients, one of them named, that send to an account.
func record() *trace.Trace {
	tr := &trace.Trace{}
	tr.AddDriver()
	e := tr.Begin(trace.StartStep(0))
	account := tr.AddActor(tr.TypeNamed("bank.Account"), "", 0, e)
	a := tr.AddActor(tr.TypeNamed("bank.Client"), "", 0, e)
	b := tr.AddActor(tr.TypeNamed("bank.Client"), "", 0, e)
	tr.AddMessage(tr.TypeNamed("bank.Withdraw"), trace.User, a, account, e, nil)
	tr.AddMessage(tr.TypeNamed("bank.Withdraw"), trace.User, b, account, e, nil)
	return tr
}

// TestChild is the process that dies.
func TestChild(t *testing.T) {
	dir, how := os.Getenv("JOURNAL_DIR"), os.Getenv("JOURNAL_CHILD")
	if how == "" {
		return
	}
	j, _, err := OpenJournal(dir, "key", trace.Header{Package: "bank", Test: "TestX", Ordinal: 1, Model: trace.FIFO,
		Seed: 7, Strategy: "random", Layer: 2, Choices: 1})
	if err != nil {
		t.Fatal(err)
	}
	tr := record()
	j.Under(8, 4, 2, nil)
	j.Before()
	j.Step(tr, explore.Choice{}, tr.DeliveryOf(0))
	if how == "between" {
		j.After()
	} else {
		j.Under(9, 20, -1, []uint32{2, 0, 1})
		j.Before()
		j.Step(tr, explore.Choice{First: tr.Messages[0].ID}, tr.ReleaseOf(1))
		j.Step(tr, explore.Choice{}, tr.DeliveryOf(0))
	}
	if how == "fault" {
		j.Step(tr, explore.Choice{}, tr.FaultStep(0, trace.NoFault, -1))
		j.Step(tr, explore.Choice{}, tr.FaultStep(0, trace.Drop, 0))
	}
	if how == "back" {
		j.Step(tr, explore.Choice{}, tr.DeliveryOf(1))
		j.After()
		j.Back(tr, 1)
		j.Step(tr, explore.Choice{}, tr.DeliveryOf(0))
	}
	switch how {
	case "fatal", "between", "back", "fault":
		var mu sync.Mutex
		mu.Unlock() // a fatal error of the runtime; no recover catches it
	case "exit":
		os.Exit(3)
	case "interrupt":
		p, err := os.FindProcess(os.Getpid())
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		select {}
	case "close":
		j.Close()
	}
}

func die(t *testing.T, dir, how string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestChild$")
	cmd.Env = append(os.Environ(), "JOURNAL_CHILD="+how, "JOURNAL_DIR="+dir)
	out, _ := cmd.CombinedOutput()
	return string(out)
}

// An injected fault is kept as a step; that none was injected is not one.
func TestFaultsAreKept(t *testing.T) {
	dir := t.TempDir()
	die(t, dir, "fault")
	j, died, err := OpenJournal(dir, "key", trace.Header{})
	if err != nil || died == nil {
		t.Fatal(died, err)
	}
	defer j.Close()
	tr := record()
	want := trace.Forced{ID: tr.FaultStep(0, trace.Drop, 0).ID, Kind: trace.Fault, Value: int(trace.Drop), Actor: "Driver",
		Message: "bank.Withdraw", From: "Client#1", To: "Account"}
	if n := len(died.Steps); n != 3 || died.Steps[2] != want {
		t.Errorf("%d steps, want 3:\n got %+v\nwant %+v", n, died.Steps, want)
	}
}

func TestDeathIsReported(t *testing.T) {
	for _, how := range []string{"fatal", "exit", "back"} {
		dir := t.TempDir()
		out := die(t, dir, how)
		if how == "fatal" && !strings.Contains(out, "fatal error: sync: unlock of unlocked mutex") {
			t.Fatalf("the child was to die of a fatal error:\n%s", out)
		}
		j, died, err := OpenJournal(dir, "key", trace.Header{})
		if err != nil {
			t.Fatal(err)
		}
		if died == nil {
			t.Fatalf("%s: the death was not noticed", how)
		}
		h := died.Header
		if h.Package != "bank" || h.Test != "TestX" || h.Ordinal != 1 || h.Model != trace.FIFO || h.Seed != 7 ||
			h.Strategy != "random" || h.Choices != 9 || h.Draws != 20 || h.Preemptions != -1 || len(h.Ends) != 3 ||
			h.Ends[0].Value != 2 || h.Ends[1].Value != 0 || h.Ends[2].Value != 1 {
			t.Errorf("%s: header %+v", how, h)
		}
		tr := record()
		want := []trace.Forced{
			{ID: tr.ReleaseOf(1).ID, First: tr.Messages[0].ID, Kind: trace.Send, Actor: "Client#2", Message: "bank.Withdraw",
				From: "Client#2", To: "Account"},
			{ID: tr.DeliveryOf(0).ID, Kind: trace.Deliver, Actor: "Account", Message: "bank.Withdraw", From: "Client#1"},
		}
		if len(died.Steps) != 2 || died.Steps[0] != want[0] || died.Steps[1] != want[1] {
			t.Errorf("%s: steps\n got %+v\nwant %+v", how, died.Steps, want)
		}
		j.Close()
		if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 0 {
			t.Errorf("%s: left after the normal end: %v", how, left)
		}
	}
}

// What happens between two executions, or because somebody pressed Ctrl-C, is no fault of the execution before.
func TestInnocentEnds(t *testing.T) {
	for _, how := range []string{"between", "interrupt", "close"} {
		dir := t.TempDir()
		die(t, dir, how)
		j, died, err := OpenJournal(dir, "key", trace.Header{})
		if err != nil {
			t.Fatal(err)
		}
		if died != nil {
			t.Errorf("%s: reported as a death: %+v", how, died)
		}
		j.Close()
	}
}

func TestProcessesDoNotShareAJournal(t *testing.T) {
	dir := t.TempDir()
	a, _, err := OpenJournal(dir, "key", trace.Header{})
	if err != nil {
		t.Fatal(err)
	}
	tr := record()
	a.Before()
	a.Step(tr, explore.Choice{}, tr.DeliveryOf(0))
	b, died, err := OpenJournal(dir, "key", trace.Header{})
	if err != nil {
		t.Fatal(err)
	}
	if died != nil {
		t.Errorf("the holder of the first journal is alive, yet reported: %+v", died)
	}
	a.Close()
	a.Close() // harmless
	b.Close()
}

func TestDamagedJournalIsNoDeath(t *testing.T) {
	good := make([]byte, fileSize)
	le.PutUint64(good, magic)
	le.PutUint64(good[8:], running)
	copy(good[headerAt:], `{"Test":"TestX"}`)
	if read(good) == nil {
		t.Fatal("the undamaged journal is to be read")
	}
	for name, damage := range map[string]func([]byte) []byte{
		"short":  func(b []byte) []byte { return b[:100] },
		"empty":  func(b []byte) []byte { return nil },
		"magic":  func(b []byte) []byte { b[0]++; return b },
		"header": func(b []byte) []byte { b[headerAt] = 'x'; return b },
		"steps":  func(b []byte) []byte { b[16] = 1; return b }, // one step, which is all zero
	} {
		if d := read(damage(append([]byte(nil), good...))); d != nil {
			t.Errorf("%s: read %+v", name, d)
		}
	}
}

func TestLongExecution(t *testing.T) {
	dir := t.TempDir()
	j, _, err := OpenJournal(dir, "key", trace.Header{})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	tr := record()
	s := tr.DeliveryOf(0)
	j.Before()
	for range maxSteps + 5 {
		j.Step(tr, explore.Choice{}, s)
	}
	d := read(j.file.b)
	if d == nil || len(d.Steps) != maxSteps || d.Lost != 5 {
		t.Errorf("want %d steps and 5 lost", maxSteps)
	}
}

func TestNilJournal(t *testing.T) {
	var j *Journal
	j.Before()
	j.Step(nil, explore.Choice{}, trace.Step{})
	j.After()
	j.Header(trace.Header{})
	j.Close()
}

func TestKeys(t *testing.T) {
	if JournalKey("A", 0) == JournalKey("A", 1) || JournalKey("A", 0) == JournalKey("B", 0) ||
		JournalKey("A", 0) != JournalKey("A", 0) {
		t.Error("a key names a Check")
	}
}

func BenchmarkStep(b *testing.B) {
	j, _, err := OpenJournal(b.TempDir(), "key", trace.Header{})
	if err != nil {
		b.Fatal(err)
	}
	defer j.Close()
	tr := record()
	s := tr.DeliveryOf(0)
	for i := 0; b.Loop(); i++ {
		if i%20 == 0 {
			j.Before()
		}
		j.Step(tr, explore.Choice{}, s)
	}
}
