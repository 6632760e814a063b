package choosers

import (
	"fmt"
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
//	sparse points program...      the same with fewer points (chance.Sparse)
//	seed runs program...          one seed, many executions: its outcomes
//	seeds runs program...         one execution a seed: the outcomes
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
		outcome = Programs[d.name]()
		log = chance.End()
	}
	if slices.Contains(Bubbled, d.name) {
		synctest.Test(d.t, body)
	} else {
		body(d.t)
	}
	return outcome, log
}

// enumerate executes a program once for each list of draws that it can meet.
func (d drawn) enumerate(points int) {
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
			return
		}
	}
	fmt.Printf("drawn: %s: %d executions, %d outcomes, at most %d draws\n", d.name, executions, len(seen), longest)
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
