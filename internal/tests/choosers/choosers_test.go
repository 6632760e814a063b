package choosers

import (
	"fmt"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rehearse-go/rehearse/internal/chance"
)

// TestDraw executes programs as its variable says, and prints what came of it:
//
//	enumerate points program...   each list of draws once, depth first: executions and outcomes
//	outcomes points program...    the same, and which outcomes
//	sparse points program...      the same with fewer points (chance.Sparse)
//	noise runs program...         outside of control, with goroutines let in at random (of a Mesh): which outcomes
//	seed runs program...          one seed, many executions: its outcomes
//	seeds runs program...         one execution a seed: the outcomes
//
//	places value program...       one execution whose first draw takes a value: what is known of each draw
//
// In plain go test it makes sure that no draw has a number.
func TestDraw(t *testing.T) {
	words := strings.Split(os.Getenv("DRAWING"), ",")
	if len(words) < 3 {
		if chance.Numbered() {
			t.Error("draws have numbers, though nobody has asked for it")
		}
		return
	}
	if !chance.Numbered() {
		t.Fatal("draws have no numbers")
	}
	n, err := strconv.Atoi(words[1])
	if err != nil {
		t.Fatal(err)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // before: else one that allocates much has it
	defer chance.Alone()()
	for _, name := range words[2:] {
		d := drawn{t, name}
		switch words[0] {
		case "enumerate":
			d.enumerate(n)
		case "outcomes":
			d.print(d.enumerate(n))
		case "places":
			d.places(uint32(n))
		case "noise":
			d.print(d.noise(n))
		case "sparse":
			restore := chance.Sparse()
			d.enumerate(n)
			restore()
		case "seed":
			d.outcomes(n, func(int) uint64 { return 7 })
		case "seeds":
			d.outcomes(n, func(i int) uint64 { return uint64(i) })
		}
	}
}

// drawn is a program whose draws are under control.
type drawn struct {
	t    *testing.T
	name string
}

// run executes a program under a script, or a seed.
func (d drawn) run(seed uint64, script []uint32, sample bool, points int) (outcome string, log []chance.Draw) {
	body := func(*testing.T) {
		if slices.Contains(Bubbled, d.name) {
			synctest.Wait() // what has started the bubble is no part of the program
		}
		chance.Begin(seed, 1, script, sample, points)
		outcome = d.program()
		log = chance.End()
	}
	if slices.Contains(Bubbled, d.name) {
		synctest.Test(d.t, body)
	} else {
		body(d.t)
	}
	return outcome, log
}

// program executes it: one of Programs, or the Mesh of a number.
func (d drawn) program() string {
	if p := Programs[d.name]; p != nil {
		return p()
	}
	return d.mesh().run(nil)
}

func (d drawn) mesh() *Mesh {
	n, err := strconv.ParseUint(d.name, 10, 64)
	if err != nil {
		d.t.Fatalf("no program %q", d.name)
	}
	return NewMesh(n)
}

// noise executes a Mesh outside of control.
func (d drawn) noise(runs int) map[string]int {
	seen := map[string]int{}
	for range runs {
		seen[d.mesh().Noisy()]++
	}
	return seen
}

// print prints outcomes.
func (d drawn) print(seen map[string]int) {
	for _, o := range slices.Sorted(maps.Keys(seen)) {
		fmt.Printf("outcome: %s: %s\n", d.name, o)
	}
}

// places executes a program once, and prints kind, function and key of its draws.
func (d drawn) places(first uint32) {
	_, log := d.run(0, []uint32{first}, false, -1)
	for i := range log {
		fmt.Printf("place: %s: %s in %s, key %s\n", d.name, log[i].Kind, log[i].Frame().Function, log[i].Key())
	}
}

// enumerate executes a program once for each list of draws that it can meet, and counts outcomes.
func (d drawn) enumerate(points int) map[string]int {
	seen, executions, longest := map[string]int{}, 0, 0
	for script := []uint32{}; ; {
		outcome, log := d.run(0, script, false, points)
		seen[outcome]++
		executions++
		longest = max(longest, len(log))
		script = script[:0]
		for _, draw := range log {
			script = append(script, draw.Value)
		}
		last := len(log) - 1
		for last >= 0 && log[last].Value+1 == log[last].N {
			last--
		}
		if last < 0 {
			break
		}
		script = append(script[:last], log[last].Value+1)
		if executions%1000 == 0 {
			debug.FreeOSMemory() // nothing is collected in between
		}
		if executions == 100_000 {
			fmt.Printf("drawn: %s: more than %d executions\n", d.name, executions)
			return seen
		}
	}
	fmt.Printf("drawn: %s: %d executions, %d outcomes, at most %d draws\n", d.name, executions, len(seen), longest)
	return seen
}

// outcomes executes a program under a seed each time.
func (d drawn) outcomes(runs int, seed func(i int) uint64) {
	seen := map[string]int{}
	for i := range runs {
		outcome, _ := d.run(seed(i), nil, true, -1)
		seen[outcome]++
		if i%1000 == 999 {
			debug.FreeOSMemory()
		}
	}
	var all []string
	for o := range seen {
		all = append(all, o)
	}
	slices.Sort(all)
	if len(all) > 24 {
		all = nil
	}
	fmt.Printf("drawn: %s: %d outcomes %v\n", d.name, len(seen), all)
}
