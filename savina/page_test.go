package savina_test

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	page      = "../docs/savina.md"
	tableHead = "| | program | version | size | native: bag, fifo, causal, mailbox, serial | protoactor-go |\n" +
		"|---|---|---|---|---|---|\n"
)

// TestPage holds the table of docs/savina.md to the results.
func TestPage(t *testing.T) {
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	begin := strings.Index(text, tableHead)
	if begin < 0 {
		t.Fatalf("%s has no table with this head:\n%s", page, tableHead)
	}
	begin += len(tableHead)
	end := begin + strings.Index(text[begin:]+"\n\n", "\n\n") + 1
	var want strings.Builder
	for _, p := range programs {
		p.tableRows(t, &want)
	}
	switch {
	case text[begin:end] == want.String():
	case !*update:
		t.Errorf("%s: the table is not that of the results; run go test . -update twice", page)
	default:
		if err := os.WriteFile(page, []byte(text[:begin]+want.String()+text[end:]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// tableRows writes a line for each version, with what came of it in the order of models.
func (p program) tableRows(t *testing.T, b *strings.Builder) {
	known := results(t, p.name)
	number, name := strconv.Itoa(p.number), fmt.Sprintf("[%s](../savina/%s)", p.name, p.name)
	for _, v := range p.versions {
		fmt.Fprintf(b, "| %s | %s | %s | %s |", number, name, v.name, v.size)
		for _, on := range v.ports() {
			var cells []string
			for _, model := range models {
				key := strings.Join([]string{v.name, v.size, on.name, model.String(), cmp.Or(v.strategy, "optimal")}, ", ")
				cells = append(cells, cell(known[key]))
			}
			if same := slices.Compact(slices.Clone(cells)); len(same) == 1 {
				cells = []string{same[0] + " in all"}
			}
			fmt.Fprintf(b, " %s |", strings.Join(cells, ", "))
		}
		b.WriteString("\n")
		number, name = "", ""
	}
}

// cell shortens an outcome: the number of classes, what was found, or of how many executions there is a sample.
func cell(result string) string {
	parts := strings.Split(result, ", ") // outcome, executions, deliveries
	if len(parts) != 3 {
		return "?"
	}
	switch outcome, executions := parts[0], parts[1]; outcome {
	case "complete":
		return executions
	case "sampled":
		return "(" + executions + ")"
	default:
		return "**" + strings.Replace(outcome, " in execution ", "** at ", 1)
	}
}
