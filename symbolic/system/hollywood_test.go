package system

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// realTwin is the test that executes programs of a framework for real, in the default order, and prints what happens.
const realTwin = `package twins

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/trace"
)

func TestTwins(t *testing.T) {
	for name, make := range Programs() {
		for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
			_, err := explore.Run(make(), &sample.DefaultOrder{}, explore.Options{
				Conditions: explore.Conditions{Model: model, Copy: true},
				After: func(_ *explore.Counters, x *trace.Trace) {
					for _, line := range written(x) {
						fmt.Printf("TWIN %s/%v\t%s\n", name, model, line)
					}
				}})
			if err != nil {
				t.Error(name, err)
			}
		}
	}
}

`

// written tells of the events of an execution: who takes what step, and what is sent, created and stopped in it.
// Actors of GoAkt's own are left out, and what is theirs. The source of the other test has a copy of it.
func written(tr *trace.Trace) (list []string) {
	own := func(a int32) bool { return a >= 0 && strings.HasPrefix(tr.Actors[a].Type.Name, "goakt.") }
	for i := range tr.Events {
		e := &tr.Events[i]
		if own(e.Step.Actor) || (e.Step.Kind == trace.Send) && own(tr.Messages[e.Step.Message].Receiver) {
			continue
		}
		line := fmt.Sprint(e.Step.Kind, " ", tr.ActorName(e.Step.Actor))
		if (e.Step.Kind == trace.Deliver || e.Step.Kind == trace.Send) && e.Step.Message >= 0 {
			m := &tr.Messages[e.Step.Message]
			line += fmt.Sprint(" takes ", m.Type.Name, " of ", tr.ActorName(m.Sender))
		}
		for _, s := range e.Sent {
			m := &tr.Messages[s]
			if own(m.Receiver) {
				continue
			}
			line += fmt.Sprint(", sends ", m.Type.Name, " ", m.Kind, " from ", tr.ActorName(m.Sender), " to ", tr.ActorName(m.Receiver))
		}
		for _, a := range e.Created {
			if own(a) {
				continue
			}
			line += fmt.Sprint(", creates ", tr.ActorName(a), " ", tr.Actors[a].Type.Name)
		}
		for _, a := range e.Stopped {
			line += fmt.Sprint(", ends ", tr.ActorName(a))
		}
		list = append(list, line)
	}
	return list
}

// Programs of Hollywood do the same symbolically and for real, step by step, under all models.
func TestTwinHollywood(t *testing.T) {
	twins(t, "hollywood", func(d *Driver) bool { return d.Hollywood })
}

// twins compares the programs of a framework.
func twins(t *testing.T, framework string, is func(*Driver) bool) {
	dir, err := filepath.Abs("../../adapter/" + framework)
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("testdata/" + framework + "/twins.go")
	if err != nil {
		t.Fatal(err)
	}
	real := executedIn(t, dir, source)
	p := loadedTwins(t, dir, source)
	for name := range real {
		t.Run(name, func(t *testing.T) {
			program, of, _ := strings.Cut(name, "/")
			i := slices.IndexFunc(models, func(m trace.Model) bool { return m.String() == of })
			ds := p.DriversOf(function(t, p, program))
			if len(ds) != 1 || !is(ds[0]) {
				t.Fatalf("drivers %+v, want one of %s", ds, framework)
			}
			got, path, err := p.Run(t.Context(), ds[0], models[i], Config{})
			if err != nil {
				t.Fatalf("it was not executed: %v, %+v", err, path)
			}
			if lines := written(got); !slices.Equal(lines, real[name]) {
				t.Errorf("it does\n%s\nand for real\n%s", strings.Join(lines, "\n"), strings.Join(real[name], "\n"))
			}
		})
	}
}

// executedIn executes the programs in a package of a module that is there for that alone.
func executedIn(t *testing.T, dir string, source []byte) map[string][]string {
	t.Helper()
	own, err := os.ReadFile("hollywood_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, copied, _ := strings.Cut(string(own), "\nfunc written(")
	copied, _, _ = strings.Cut(copied, "\n}\n")
	temp, overlay := t.TempDir(), map[string]map[string]string{"Replace": {}}
	for name, text := range map[string]string{"twins.go": string(source), "twins_test.go": realTwin + "func written(" + copied + "\n}\n"} {
		file := filepath.Join(temp, name)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		overlay["Replace"][filepath.Join(dir, "zz_twins", name)] = file
	}
	data, err := json.Marshal(overlay)
	if err == nil {
		err = os.WriteFile(filepath.Join(temp, "overlay.json"), data, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(temp, "twins.test")
	cmd := exec.Command("go", "test", "-c", "-vet=off", "-overlay", filepath.Join(temp, "overlay.json"), "-o", program, "./zz_twins")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err == nil {
		out, err = exec.Command(program).CombinedOutput()
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	real := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		if line, ok := strings.CutPrefix(strings.TrimSpace(line), "TWIN "); ok {
			name, event, _ := strings.Cut(line, "\t")
			real[name] = append(real[name], event)
		}
	}
	if len(real) == 0 {
		t.Fatalf("nothing was executed:\n%s", out)
	}
	return real
}

func loadedTwins(t *testing.T, dir string, source []byte) *Program {
	t.Helper()
	c := load.Config{Dir: dir, Patterns: []string{"./zz_twins"},
		Overlay: map[string][]byte{filepath.Join(dir, "zz_twins", "twins.go"): source}}
	loaded, err := summary.Load(c)
	if err != nil {
		t.Fatal(err)
	}
	store := term.NewStore()
	solver, err := solve.New(store, solve.Config{Engine: solve.Embedded})
	if err != nil {
		t.Fatal(err)
	}
	return New(loaded, store, solver)
}
