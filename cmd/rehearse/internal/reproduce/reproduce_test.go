package reproduce

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/published"
	"github.com/rehearse-go/rehearse/trace"
)

// TestEveryRowIsPlanned: every row has a program, unless it is recorded as one whose source is not published, and a
// model.
func TestEveryRowIsPlanned(t *testing.T) {
	rows, err := published.Rows()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		_, ok := programOf(&r)
		unknown := strings.HasPrefix(r.Cells[len(r.Cells)-1].Reason, "its source")
		if ok == unknown {
			t.Errorf("table %s, %s %s: program %v, but the source is recorded as not published: %v", r.Table, r.Subject, r.Run(), ok, unknown)
		}
		if _, err := modelOf(&r); err != nil {
			t.Error(err)
		}
	}
}

// TestValues: what the columns count, by hand on the server, whose search of everything has 6 executions of at most 7
// deliveries and 26 in all.
func TestValues(t *testing.T) {
	s, err := strategies.New("naive", 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	c, err := explored(smaller["server foundry"], s, trace.Bag)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []struct {
		table, subject, column string
		want                   float64
	}{
		{"3.2", "server", "states", 27}, {"3.3", "server", "states", 26}, {"3.2", "server", "deliveries", 26}, {"3.2", "server", "executions", 6},
		{"4.1", "server", "paths", 6}, {"4.2", "server", "transitions", 27}, {"4.2", "leader", "transitions", 33}, {"3.3", "server", "depth", 6},
		{"classes", "server", "classes", 6},
	} {
		if got := c.value(&published.Row{Table: v.table, Subject: v.subject}, v.column); got != v.want {
			t.Errorf("%s of %s in table %s: %v, want %v", v.column, v.subject, v.table, got, v.want)
		}
	}
	if c.Megabytes <= 0 || c.Megabytes > 1000 || c.Seconds <= 0 {
		t.Errorf("%v MB, %v s", c.Megabytes, c.Seconds)
	}
}

// TestText: what each kind of cell looks like, and what is said below the table.
func TestText(t *testing.T) {
	row := func(order, reduction, why string, cells ...Cell) Result {
		return Result{Row: published.Row{Table: "4.1", Subject: "pi5", Order: order, Reduction: reduction}, Why: why, Cells: cells}
	}
	cell := func(column string, status published.Status, theirs int, ours float64, reason string) Cell {
		return Cell{published.Cell{Column: column, Value: theirs, Status: status, Reason: reason}, ours}
	}
	results := []Result{
		row("ECA", "dcute", "", cell("paths", published.Exact, 120, 120, ""), cell("seconds", published.Resource, 13, 0.04, "")),
		row("ECA", "persistent", "", cell("paths", published.Exact, 120, 121, ""), cell("seconds", published.Resource, 13, 2, "")),
		row("LCA", "dcute", "", cell("paths", published.Differs, 945, 9, "another program"), cell("seconds", published.Resource, 81, 0, "")),
		row("LCA", "persistent", "it takes long", cell("paths", published.Exact, 5, 0, ""), cell("seconds", published.Resource, 1, 0, "")),
	}
	const counts = `Table 4.1: orders of actors

  subject  order  dcute  persistent
  pi5      ECA    =120   121!120
  pi5      LCA    9!945  -

1 of 4 counts are equal, 2 differ, 1 were not run; 1 of those that differ are recorded as exact: THIS IS A BUG.
  recorded as exact, and differs: pi5 ECA persistent (paths)
  differs: another program: pi5 LCA dcute
  not run: it takes long: pi5 LCA persistent

`
	for want, resources := range map[string]bool{counts: false, `  subject  order  paths  seconds  paths       seconds
  pi5      ECA    =120   0.0~13   121!120     2.0~13
`: true} {
		var b strings.Builder
		if err := Text(&b, results, resources); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), want) {
			t.Errorf("got:\n%swant:\n%s", b.String(), want)
		}
	}
}

// TestSelection: tables and subjects are those asked for, in the order of the tables; what has no row is an error.
func TestSelection(t *testing.T) {
	rows, err := selected(Config{Tables: []string{"classes", "3.2"}, Subjects: []string{"server"}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range rows {
		got = append(got, r.Table+" "+r.Run()+" "+strategyOf(&r))
	}
	if len(got) != 20 || got[0] != "3.2 none foundry naive" || got[10] != "classes bag optimal" || got[11] != "classes bag reverse" {
		t.Errorf("%d rows: %q", len(got), got)
	}
	for _, bad := range []Config{{Tables: []string{"9"}}, {Subjects: []string{"nobody"}}} {
		if _, err := selected(bad); err == nil || !strings.Contains(err.Error(), "want one of") {
			t.Errorf("%+v: error %v", bad, err)
		}
	}
}
