package baseline_test

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/baseline"
	"github.com/rehearse-go/rehearse/internal/order"
	"github.com/rehearse-go/rehearse/published"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

// reductions are the published algorithms by their names in the tables.
var reductions = map[string]func(order.Order) *baseline.Search{
	"dcute":            baseline.NewDCUTE,
	"persistent":       baseline.NewPersistent,
	"persistent+sleep": baseline.NewPersistentSleep,
	"trans":            baseline.NewTrans,
}

// programs are the subjects of tables 4.1 and 4.2.
var programs = map[string]func() *actor.System{
	"chameneos":  func() *actor.System { return subjects.Chameneos(2) },
	"fib5":       func() *actor.System { return subjects.Fib(5) },
	"leader":     func() *actor.System { return subjects.Leader(3) },
	"pi5":        func() *actor.System { return subjects.Pi(5) },
	"pipesort4":  func() *actor.System { return subjects.Pipesort(4) },
	"quicksort6": func() *actor.System { return subjects.Quicksort(6) },
	"shortpathA": subjects.ShortpathA,
	"shortpathB": subjects.ShortpathB,
}

// smaller are the subjects of tables 3.1 and 3.2, by language.
var smaller = subjects.Basset()

// TestTables3 runs the rows of tables 3.1 and 3.2 that are about dCUTE.
func TestTables3(t *testing.T) {
	rows, err := published.Rows()
	if err != nil {
		t.Fatal(err)
	}
	cells := 0
	for _, row := range rows {
		name, about := strings.CutPrefix(row.Reduction, "dcute/")
		program := smaller[row.Subject+" "+row.Language]
		if !about || program == nil || row.Subject == "fibonacci" { // status.csv says what is known of that of these tables
			continue
		}
		out := run(t, program(), "dcute", name)
		ours := map[string]int{"states": out.Deliveries + 1, "deliveries": out.Deliveries, "executions": out.Executions}
		for _, c := range row.Cells {
			got, counted := ours[c.Column]
			if !counted {
				continue
			}
			cells++
			if got != c.Value {
				t.Errorf("table %s: %s %s, dcute/%s: %d %s, published %d", row.Table, row.Subject, row.Language, name,
					got, c.Column, c.Value)
			}
		}
	}
	if cells != 84 {
		t.Errorf("%d cells were compared, want 84", cells)
	}
}

// TestTables4 runs every row of tables 4.1 and 4.2: paths are executions; transitions are deliveries and one more, for
// leader seven.
func TestTables4(t *testing.T) {
	rows, err := published.Rows()
	if err != nil {
		t.Fatal(err)
	}
	cells := 0
	done := map[string]explore.Outcome{}
	for _, row := range rows {
		if row.Table != "4.1" && row.Table != "4.2" {
			continue
		}
		key := row.Subject + " " + row.Reduction + "/" + row.Order
		out, ok := done[key]
		if !ok {
			out = run(t, programs[row.Subject](), row.Reduction, row.Order)
			done[key] = out
		}
		for _, c := range row.Cells {
			got, extra := out.Executions, 1
			switch c.Column {
			case "seconds":
				continue
			case "transitions":
				if row.Subject == "leader" {
					extra = 7
				}
				got = out.Deliveries + extra
			}
			cells++
			if got != c.Value {
				t.Errorf("table %s: %s: %d %s, published %d", row.Table, key, got, c.Column, c.Value)
			}
		}
	}
	if cells != 384 {
		t.Errorf("%d cells were compared, want 384", cells)
	}
}

func run(t *testing.T, sys *actor.System, reduction, orderName string) explore.Outcome {
	t.Helper()
	out, err := explore.Run(sys, reductions[reduction](byName(t, orderName)),
		explore.Options{Conditions: explore.Conditions{Model: trace.Bag}})
	if err != nil {
		t.Fatal(err)
	}
	if !out.Complete {
		t.Errorf("%s/%s is not complete: %+v", reduction, orderName, out)
	}
	return out
}
