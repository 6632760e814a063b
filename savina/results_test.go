package savina_test

import (
	"bytes"
	"encoding/csv"
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/results.csv anew")

const resultsFile = "testdata/results.csv"

// row is what came of a version in one port under one model.
type row struct {
	program, version, size, port, model, strategy string
	outcome                                       string // "complete", "sampled", or what was found
	executions, deliveries                        int
}

var header = strings.Split("program version size port model strategy outcome executions deliveries", " ")

func (r row) key() string {
	return strings.Join([]string{r.program, r.version, r.size, r.port, r.model, r.strategy}, ", ")
}

func (r row) fields() []string {
	return []string{
		r.program, r.version, r.size, r.port, r.model, r.strategy,
		r.outcome, strconv.Itoa(r.executions), strconv.Itoa(r.deliveries),
	}
}

// found are the rows of this run, in order.
var found []row

// compare holds a row to the file.
func compare(t *testing.T, got row) {
	t.Helper()
	found = append(found, got)
	if *update {
		return
	}
	want, ok := results(t)[got.key()]
	if !ok {
		t.Errorf("%s: not in %s; run with -update", got.key(), resultsFile)
	} else if got.outcome != "" && want != strings.Join(got.fields()[6:], ", ") {
		t.Errorf("%s: %s, %s has %s", got.key(), strings.Join(got.fields()[6:], ", "), resultsFile, want)
	}
}

// results reads the file, by key.
func results(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile(resultsFile)
	if err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]string{}
	for _, r := range records[1:] {
		known[strings.Join(r[:6], ", ")] = strings.Join(r[6:], ", ")
	}
	return known
}

func save(t *testing.T) {
	t.Helper()
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	records := [][]string{header}
	for _, r := range found {
		records = append(records, r.fields())
	}
	if err := w.WriteAll(records); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(resultsFile, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
