package savina_test

import (
	"bytes"
	"encoding/csv"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the files of results anew")

// row is what came of a version in one port under one model.
type row struct {
	version, size, port, model, strategy string
	outcome                              string // "complete", "sampled", or what was found
	executions, deliveries               int
}

var header = strings.Split("version size port model strategy outcome executions deliveries", " ")

// named are the fields that name a row.
const named = 5

func (r row) fields() []string {
	return []string{
		r.version, r.size, r.port, r.model, r.strategy,
		r.outcome, strconv.Itoa(r.executions), strconv.Itoa(r.deliveries),
	}
}

func resultsFile(program string) string { return filepath.Join("testdata", program+".csv") }

// compare holds rows to the file of their program.
func compare(t *testing.T, program string, rows []row) {
	t.Helper()
	known := results(t, program)
	for _, r := range rows {
		fields := r.fields()
		key, got := strings.Join(fields[:named], ", "), strings.Join(fields[named:], ", ")
		if want, ok := known[key]; !ok {
			t.Errorf("%s: not in %s; run with -update", key, resultsFile(program))
		} else if got != want {
			t.Errorf("%s: %s, %s has %s", key, got, resultsFile(program), want)
		}
		delete(known, key)
	}
	for key := range known {
		t.Errorf("%s has %s, which is no version any more; run with -update", resultsFile(program), key)
	}
}

// results reads the file of a program, by the names of its rows.
func results(t *testing.T, program string) map[string]string {
	t.Helper()
	return readTable(t, resultsFile(program), named)
}

// readTable reads a file with a header: what follows the first fields of a row, by these, with commas between.
func readTable(t *testing.T, path string, first int) map[string]string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for _, r := range records[1:] {
		rows[strings.Join(r[:first], ", ")] = strings.Join(r[first:], ", ")
	}
	return rows
}

func save(t *testing.T, program string, rows []row) {
	t.Helper()
	records := [][]string{header}
	for _, r := range rows {
		records = append(records, r.fields())
	}
	writeCSV(t, resultsFile(program), records)
}

func writeCSV(t *testing.T, path string, records [][]string) {
	t.Helper()
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(records); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
