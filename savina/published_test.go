package savina_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/gotest"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/trace"

	"github.com/rehearse-go/rehearse/savina/apsp"
	"github.com/rehearse-go/rehearse/savina/astar"
	"github.com/rehearse-go/rehearse/savina/banking"
	"github.com/rehearse-go/rehearse/savina/barber"
	"github.com/rehearse-go/rehearse/savina/big"
	"github.com/rehearse-go/rehearse/savina/bitonicsort"
	"github.com/rehearse-go/rehearse/savina/bndbuffer"
	"github.com/rehearse-go/rehearse/savina/chameneos"
	"github.com/rehearse-go/rehearse/savina/cigsmok"
	"github.com/rehearse-go/rehearse/savina/concdict"
	"github.com/rehearse-go/rehearse/savina/concsll"
	"github.com/rehearse-go/rehearse/savina/count"
	"github.com/rehearse-go/rehearse/savina/facloc"
	"github.com/rehearse-go/rehearse/savina/fib"
	"github.com/rehearse-go/rehearse/savina/filterbank"
	"github.com/rehearse-go/rehearse/savina/fjcreate"
	"github.com/rehearse-go/rehearse/savina/fjthrput"
	"github.com/rehearse-go/rehearse/savina/logmap"
	"github.com/rehearse-go/rehearse/savina/nqueenk"
	"github.com/rehearse-go/rehearse/savina/philosopher"
	"github.com/rehearse-go/rehearse/savina/pingpong"
	"github.com/rehearse-go/rehearse/savina/piprecision"
	"github.com/rehearse-go/rehearse/savina/quicksort"
	"github.com/rehearse-go/rehearse/savina/radixsort"
	"github.com/rehearse-go/rehearse/savina/recmatmul"
	"github.com/rehearse-go/rehearse/savina/sieve"
	"github.com/rehearse-go/rehearse/savina/sor"
	"github.com/rehearse-go/rehearse/savina/threadring"
	"github.com/rehearse-go/rehearse/savina/trapezoid"
	"github.com/rehearse-go/rehearse/savina/uct"
)

var published = flag.Bool("published", false, "TestPublished: execute all programs in their published sizes")

// sized is a program in its published size, on both ports.
type sized struct {
	name               string
	native, protoactor rehearse.System
}

var publishedSizes = []sized{
	{"pingpong", onNative(pingpong.Published, pingpong.NewNative),
		onProtoactor(pingpong.Published, pingpong.New)},
	{"count", onNative(count.Published, count.NewNative),
		onProtoactor(count.Published, count.New)},
	{"fjthrput", onNative(fjthrput.Published, fjthrput.NewNative),
		onProtoactor(fjthrput.Published, fjthrput.New)},
	{"fjcreate", onNative(fjcreate.Published, fjcreate.NewNative),
		onProtoactor(fjcreate.Published, fjcreate.New)},
	{"threadring", onNative(threadring.Published, threadring.NewNative),
		onProtoactor(threadring.Published, threadring.New)},
	{"chameneos", onNative(chameneos.Published, chameneos.NewNative),
		onProtoactor(chameneos.Published, chameneos.New)},
	{"big", onNative(big.Published, big.NewNative),
		onProtoactor(big.Published, big.New)},
	{"concdict", onNative(concdict.Published, concdict.NewNative),
		onProtoactor(concdict.Published, concdict.New)},
	{"concsll", onNative(concsll.Published, concsll.NewNative),
		onProtoactor(concsll.Published, concsll.New)},
	{"bndbuffer", onNative(bndbuffer.Published, bndbuffer.NewNative),
		onProtoactor(bndbuffer.Published, bndbuffer.New)},
	{"philosopher", onNative(philosopher.Published, philosopher.NewNative),
		onProtoactor(philosopher.Published, philosopher.New)},
	{"barber", onNative(barber.Published, barber.NewNative),
		onProtoactor(barber.Published, barber.New)},
	{"cigsmok", onNative(cigsmok.Published, cigsmok.NewNative),
		onProtoactor(cigsmok.Published, cigsmok.New)},
	{"logmap", onNative(logmap.Published, logmap.NewNative),
		onProtoactor(logmap.Published, logmap.New)},
	{"banking", onNative(banking.Published, banking.NewNative),
		onProtoactor(banking.Published, banking.New)},
	{"radixsort", onNative(radixsort.Published, radixsort.NewNative),
		onProtoactor(radixsort.Published, radixsort.New)},
	{"filterbank", onNative(filterbank.Published, filterbank.NewNative),
		onProtoactor(filterbank.Published, filterbank.New)},
	{"sieve", onNative(sieve.Published, sieve.NewNative),
		onProtoactor(sieve.Published, sieve.New)},
	{"uct", onNative(uct.Published, uct.NewNative),
		onProtoactor(uct.Published, uct.New)},
	{"facloc", onNative(facloc.Published, facloc.NewNative),
		onProtoactor(facloc.Published, facloc.New)},
	{"trapezoid", onNative(trapezoid.Published, trapezoid.NewNative),
		onProtoactor(trapezoid.Published, trapezoid.New)},
	{"piprecision", onNative(piprecision.Published, piprecision.NewNative),
		onProtoactor(piprecision.Published, piprecision.New)},
	{"recmatmul", onNative(recmatmul.Published, recmatmul.NewNative),
		onProtoactor(recmatmul.Published, recmatmul.New)},
	{"quicksort", onNative(quicksort.Published, quicksort.NewNative),
		onProtoactor(quicksort.Published, quicksort.New)},
	{"apsp", onNative(apsp.Published, apsp.NewNative),
		onProtoactor(apsp.Published, apsp.New)},
	{"sor", onNative(sor.Published, sor.NewNative),
		onProtoactor(sor.Published, sor.New)},
	{"astar", onNative(astar.Published, astar.NewNative),
		onProtoactor(astar.Published, astar.New)},
	{"nqueenk", onNative(nqueenk.Published, nqueenk.NewNative),
		onProtoactor(nqueenk.Published, nqueenk.New)},
	{"bitonicsort", onNative(bitonicsort.Published, bitonicsort.NewNative),
		onProtoactor(bitonicsort.Published, bitonicsort.New)},
	{"fib", onNative(fib.Published, fib.NewNative),
		onProtoactor(fib.Published, fib.New)},
}

// What one execution may take. None of it is more than a program needs but for what the table says.
const (
	publishedTime   = time.Minute // of processor time
	publishedMemory = 4 << 30     // of the heap
)

// measured is an execution in the published size.
type measured struct {
	Deliveries int
	Seconds    float64 // of processor time
	MB         int64   // most that the process held
	Result     string  // "" if it came to its end, and that is right
}

// TestPublished executes each program in its published size, in the default order, each in a process of its own. With
// -update it writes the table.
func TestPublished(t *testing.T) {
	if !*published {
		t.Log("takes minutes: -published")
		return
	}
	var rows strings.Builder
	for i, p := range publishedSizes {
		fmt.Fprintf(&rows, "| %d | %s |", programs[i].number, p.name)
		if p.name != programs[i].name {
			t.Errorf("%s stands where %s should", p.name, programs[i].name)
		}
		for _, port := range []string{"native", "protoactor"} {
			m := measure(t, p.name+"/"+port)
			t.Logf("%s, %s: %+v", p.name, port, m)
			result := m.Result
			if result == "" {
				result = "right"
			}
			fmt.Fprintf(&rows, " %s | %.1f | %d | %s |", grouped(m.Deliveries), m.Seconds, m.MB, result)
		}
		rows.WriteString("\n")
	}
	if !*update || t.Failed() {
		return
	}
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := withTable(t, string(data), publishedHead, rows.String())
	if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

const (
	publishedHead = "| | program | native: deliveries | seconds | MB | result | protoactor-go: deliveries | seconds | " +
		"MB | result |\n|---|---|---|---|---|---|---|---|---|---|\n"
	childVariable = "SAVINA_PUBLISHED"
	childPrefix   = "measured: "
)

// grouped writes a number with commas.
func grouped(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}

// measure executes a program in a process of its own.
func measure(t *testing.T, program string) (m measured) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run", "^TestPublishedChild$", "-test.v", "-test.timeout", "20m")
	c.Env = append(os.Environ(), childVariable+"="+program)
	out, err := c.CombinedOutput()
	_, line, found := bytes.Cut(out, []byte(childPrefix))
	line, _, _ = bytes.Cut(line, []byte("\n"))
	if !found || json.Unmarshal(line, &m) != nil {
		t.Errorf("%s: %v\n%s", program, err, out[max(0, len(out)-2000):])
		m.Result = "?"
	}
	m.MB = mostMB(c.ProcessState)
	return m
}

// TestPublishedChild executes the program that the variable names.
func TestPublishedChild(t *testing.T) {
	name, port, _ := strings.Cut(os.Getenv(childVariable), "/")
	for _, p := range publishedSizes {
		if p.name != name {
			continue
		}
		system := p.native
		if port != "native" {
			system = p.protoactor
		}
		data, err := json.Marshal(execute(t, system))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("\n%s%s\n", childPrefix, data)
	}
}

// execute executes a program once, in the default order.
func execute(t *testing.T, system rehearse.System) (m measured) {
	_, restore, err := gotest.Mute() // what the framework prints
	if err != nil {
		t.Fatal(err)
	}
	defer restore()
	s, err := strategies.New("default", 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	began := gotest.ProcessorTime()
	options := explore.Options{
		Conditions: explore.Conditions{Model: rehearse.MailboxSerial, Horizon: time.Minute, MaxSteps: 100_000_000, Copy: true,
			Blocked: 5 * time.Minute},
		Budget:   explore.Budget{Executions: 1},
		MaxSteps: 1 << 40,
		Over:     bounds(began),
		Check: &check.Checker{Levels: check.Levels{trace.DeadLetter: check.Off, trace.OrphanDead: check.Off,
			trace.Isolation: check.Off}},
		Found: func(f explore.Found) bool {
			m.Result = outcome(&f)
			return true
		},
	}
	out, err := explore.Run(system, s, options)
	if err != nil {
		m.Result = err.Error()
	}
	m.Deliveries, m.Seconds = out.Deliveries, (gotest.ProcessorTime() - began).Seconds()
	return m
}

// outcome says in words what was found.
func outcome(f *explore.Found) string {
	v := &f.Violations[0]
	if v.Kind != trace.Livelock {
		return "**" + v.Kind.String() + "**: " + strings.ReplaceAll(v.Text, "|", "/")
	}
	why, _, _ := strings.Cut(v.Text, ":")
	return fmt.Sprintf("%s: %s messages sent", why, grouped(len(f.Trace.Messages)))
}

// bounds says when an execution has taken too much.
func bounds(began time.Duration) func() (string, string) {
	asked := 0
	return func() (why, remedy string) {
		if asked++; asked%(1<<7) != 0 {
			return "", ""
		}
		if gotest.ProcessorTime()-began > publishedTime {
			return "more than a minute", "wait"
		}
		if asked%(1<<14) != 0 {
			return "", ""
		}
		var m runtime.MemStats
		if runtime.ReadMemStats(&m); m.HeapAlloc > publishedMemory {
			return fmt.Sprintf("more than %d GB", publishedMemory>>30), "buy some"
		}
		return "", ""
	}
}
