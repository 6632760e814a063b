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

// TestPage holds the tables of docs/savina.md to the results.
func TestPage(t *testing.T) {
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var versions, strategies strings.Builder
	for _, p := range programs {
		p.tableRows(t, &versions)
	}
	bugRows(t, &strategies)
	text := withTable(t, string(data), tableHead, versions.String())
	text = withTable(t, text, bugHead(), strategies.String())
	switch {
	case text == string(data):
	case !*update:
		t.Errorf("%s: a table is not that of the results; run go test . -update twice", page)
	default:
		if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// withTable is a text with other rows in the table with this head.
func withTable(t *testing.T, text, head, rows string) string {
	t.Helper()
	begin := strings.Index(text, head)
	if begin < 0 {
		t.Fatalf("%s has no table with this head:\n%s", page, head)
	}
	begin += len(head)
	_, after, _ := strings.Cut(text[begin:], "\n\n")
	return text[:begin] + rows + "\n" + after
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
		what, number, found := strings.Cut(outcome, " in execution ")
		if !found {
			return "**" + what + "**"
		}
		return "**" + what + "** at " + number
	}
}
