package savina_test

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse"
)

var allHunts = flag.Bool("hunts", false, "TestHunts: the slow strategies, too")

// hunt is a known bug of a program, under a model that shows it.
type hunt struct {
	program program
	version int // its index in the program
	model   rehearse.Model
}

// hunts are the bugs of the suite that depend on the order of messages.
var hunts = []hunt{
	{logMap, 4, rehearse.Mailbox},
	{bigCrowd, 3, rehearse.FIFO},
	{shortestPaths, 0, rehearse.FIFO},
	{threadRing, 0, rehearse.FIFO},
	{barberShop, 0, rehearse.Mailbox},
	{aStar, 0, rehearse.Mailbox},
	{nQueens, 1, rehearse.Mailbox},
}

// hunter is a strategy that is compared with others.
type hunter struct {
	strategy string
	draws    bool // at random: it is run with huntSeeds seeds, and the median counts
	quick    bool // enough for each run of the tests
}

var hunters = []hunter{
	{"auto", true, false},
	{"random", true, false}, {"delays/100", true, false}, {"pct/3", true, false},
	{"pos", true, false}, {"surw", true, false}, {"cover", true, false},
	{"naive", false, false}, {"delay/2", false, false},
	{"dcute", false, false}, {"persistent+sleep", false, false}, {"trans", false, false}, {"select", false, false},
	{"source", false, true}, {"optimal", false, true}, {"reverse", false, true}, {"stateful", false, false},
}

const (
	huntBudget = 1000 // executions
	huntSeeds  = 9
	huntsFile  = "testdata/hunts.csv"
	notFound   = "-"
	refused    = "refused"
)

// TestHunts holds the numbers of executions that strategies need for the known bugs to testdata/hunts.csv. Those of the
// slow ones take half a minute in all: they are for -hunts and -update.
func TestHunts(t *testing.T) {
	all := *update || *allHunts
	known := readHunts(t)
	records := [][]string{{"strategy", "program", "model", "native", "protoactor-go"}}
	for _, s := range hunters {
		if !all && !s.quick {
			continue
		}
		for _, h := range hunts {
			record := []string{s.strategy, h.program.name, h.model.String()}
			for _, on := range h.program.versions[h.version].ports() {
				record = append(record, h.by(t, s, on))
			}
			records = append(records, record)
			if want := known[strings.Join(record[:3], " ")]; !*update && !slices.Equal(want, record[3:]) {
				t.Errorf("%v, %s has %v", record, huntsFile, want)
			}
		}
	}
	if *update {
		writeCSV(t, huntsFile, records)
	}
}

// by gives the number of the execution in which a strategy finds the bug.
func (h hunt) by(t *testing.T, s hunter, on port) string {
	t.Helper()
	seeds := uint64(1)
	if s.draws {
		seeds = huntSeeds
	}
	var numbers []int
	for seed := range seeds {
		number, err := h.run(s.strategy, seed+1, on)
		if err != nil && strings.Contains(err.Error(), "does not fit the delivery model") {
			return refused
		} else if err != nil {
			t.Fatalf("%s, %s, %s: %v", h.program.name, on.name, s.strategy, err)
		}
		numbers = append(numbers, number)
	}
	slices.Sort(numbers)
	if median := numbers[len(numbers)/2]; median <= huntBudget {
		return strconv.Itoa(median)
	}
	return notFound
}

// run gives a number above huntBudget where the bug is not found.
func (h hunt) run(strategy string, seed uint64, on port) (int, error) {
	v := h.program.versions[h.version]
	config := v.config
	config.Model, config.Strategy, config.Seed, config.Recheck = h.model, strategy, seed, -1
	config.Budget = fmt.Sprintf("%dx", huntBudget)
	r, err := rehearse.Explore(config, on.system)
	if err != nil {
		return 0, err
	}
	for _, f := range r.Findings {
		if matches(v.finds[h.model], f.Violation) {
			return f.Execution, nil
		}
	}
	return huntBudget + 1, nil
}

func readHunts(t *testing.T) map[string][]string {
	t.Helper()
	data, err := os.ReadFile(huntsFile)
	if err != nil && !*update {
		t.Fatal(err)
	}
	records, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string][]string{}
	for _, r := range records {
		known[strings.Join(r[:3], " ")] = r[3:]
	}
	return known
}

// huntRows writes a line for each strategy, with a number for both ports where they differ.
func huntRows(t *testing.T, b *strings.Builder) {
	known := readHunts(t)
	for _, s := range hunters {
		fmt.Fprintf(b, "| %s |", s.strategy)
		for _, h := range hunts {
			cells := slices.Clone(known[strings.Join([]string{s.strategy, h.program.name, h.model.String()}, " ")])
			fmt.Fprintf(b, " %s |", strings.Join(slices.Compact(cells), ", "))
		}
		b.WriteString("\n")
	}
}

func huntHead() string {
	var b strings.Builder
	b.WriteString("| |")
	for _, h := range hunts {
		fmt.Fprintf(&b, " %s, %v |", h.program.name, h.model)
	}
	return b.String() + "\n|" + strings.Repeat("---|", len(hunts)+1) + "\n"
}
