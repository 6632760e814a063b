package savina_test

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse"
)

var slow = flag.Bool("slow", false, "TestBugs: the slow strategies, too")

// bug is a known bug of a program, under a model that shows it.
type bug struct {
	program program
	version int // its index in the program
	model   rehearse.Model
}

// bugs are those of the suite that depend on the order of messages.
var bugs = []bug{
	{logMap, 4, rehearse.Mailbox},
	{bigCrowd, 3, rehearse.FIFO},
	{shortestPaths, 0, rehearse.FIFO},
	{threadRing, 0, rehearse.FIFO},
	{barberShop, 0, rehearse.Mailbox},
	{aStar, 0, rehearse.Mailbox},
	{nQueens, 1, rehearse.Mailbox},
}

// searcher is a strategy that is compared with others.
type searcher struct {
	strategy string
	draws    bool // at random: it is run with bugSeeds seeds, and the median counts
	quick    bool // enough for each run of the tests
}

var searchers = []searcher{
	{"auto", true, false},
	{"random", true, false}, {"delays/100", true, false}, {"pct/3", true, false},
	{"pos", true, false}, {"surw", true, false}, {"cover", true, false},
	{"naive", false, false}, {"delay/2", false, false},
	{"dcute", false, false}, {"persistent+sleep", false, false}, {"trans", false, false}, {"select", false, false},
	{"source", false, true}, {"optimal", false, true}, {"reverse", false, true}, {"stateful", false, false},
}

const (
	bugBudget = 1000 // executions
	bugSeeds  = 9
	bugsFile  = "testdata/bugs.csv"
	notFound  = "-"
	refused   = "refused"
)

// TestBugs holds the numbers of executions that strategies need for the known bugs to testdata/bugs.csv. Those of the
// slow ones take half a minute in all: they are for -slow and -update.
func TestBugs(t *testing.T) {
	all := *update || *slow
	known := readTable(t, bugsFile, 3)
	records := [][]string{{"strategy", "program", "model", "native", "protoactor-go"}}
	for _, s := range searchers {
		if !all && !s.quick {
			continue
		}
		for _, k := range bugs {
			record := []string{s.strategy, k.program.name, k.model.String()}
			for _, on := range k.program.versions[k.version].ports() {
				record = append(record, k.by(t, s, on))
			}
			records = append(records, record)
			if want := known[k.key(s)]; !*update && want != strings.Join(record[3:], ", ") {
				t.Errorf("%v, %s has %v", record, bugsFile, want)
			}
		}
	}
	if *update {
		writeCSV(t, bugsFile, records)
	}
}

// by gives the number of the execution in which a strategy finds the bug.
func (k bug) by(t *testing.T, s searcher, on port) string {
	t.Helper()
	seeds := uint64(1)
	if s.draws {
		seeds = bugSeeds
	}
	var numbers []int
	for seed := range seeds {
		number, err := k.run(s.strategy, seed+1, on)
		if err != nil && strings.Contains(err.Error(), "does not fit the delivery model") {
			return refused
		} else if err != nil {
			t.Fatalf("%s, %s, %s: %v", k.program.name, on.name, s.strategy, err)
		}
		numbers = append(numbers, number)
	}
	slices.Sort(numbers)
	if median := numbers[len(numbers)/2]; median <= bugBudget {
		return strconv.Itoa(median)
	}
	return notFound
}

// run gives a number above bugBudget where the bug is not found.
func (k bug) run(strategy string, seed uint64, on port) (int, error) {
	v := k.program.versions[k.version]
	config := v.config
	config.Model, config.Strategy, config.Seed, config.Recheck = k.model, strategy, seed, -1
	config.Budget = fmt.Sprintf("%dx", bugBudget)
	r, err := rehearse.Explore(config, on.system)
	if err != nil {
		return 0, err
	}
	for _, f := range r.Findings {
		if matches(v.finds[k.model], f.Violation) {
			return f.Execution, nil
		}
	}
	return bugBudget + 1, nil
}

// key names the row of a strategy in bugsFile.
func (k bug) key(s searcher) string {
	return strings.Join([]string{s.strategy, k.program.name, k.model.String()}, ", ")
}

// bugRows writes a line for each strategy, with a number for both ports where they differ.
func bugRows(t *testing.T, b *strings.Builder) {
	known := readTable(t, bugsFile, 3)
	for _, s := range searchers {
		fmt.Fprintf(b, "| %s |", s.strategy)
		for _, k := range bugs {
			cells := slices.Compact(strings.Split(known[k.key(s)], ", "))
			fmt.Fprintf(b, " %s |", strings.Join(cells, ", "))
		}
		b.WriteString("\n")
	}
}

func bugHead() string {
	var b strings.Builder
	b.WriteString("| |")
	for _, k := range bugs {
		fmt.Fprintf(&b, " %s, %v |", k.program.name, k.model)
	}
	return b.String() + "\n|" + strings.Repeat("---|", len(bugs)+1) + "\n"
}
