package reachtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/gentest"
)

// logOf gives what executions of one test write down: each is a list of keys and texts.
func logOf(t *testing.T, executions ...[]string) *statesLog {
	var b strings.Builder
	for _, e := range executions {
		var keys []string
		for k := range slices.Chunk(e, 2) {
			keys = append(keys, fmt.Sprintf("%q", k[0]))
		}
		fmt.Fprintf(&b, "{\"test\":\"TestX\",\"keys\":[%s]}\n", strings.Join(keys, ","))
		for k := range slices.Chunk(e, 2) {
			if line := fmt.Sprintf("{\"test\":\"TestX\",\"key\":%q,\"text\":%q}\n", k[0], k[1]); !strings.Contains(b.String(), line) {
				b.WriteString(line)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "states")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	logs, err := readStates(path)
	if err != nil || len(logs) != 1 {
		t.Fatalf("%v: %v", logs, err)
	}
	return logs["TestX"]
}

// asserted is what a test asserts, and says that it does not, of which executions have written this down, and those of
// other orders that.
func asserted(l, orders *statesLog) string {
	w := &writer{names: gentest.NewNames(nil, nil)}
	w.pinned(l)
	if orders != nil {
		w.compare(orders)
	}
	return w.unasserted() + w.final("TestX", "")
}

// What is the same in all executions is asserted, and what is not is named.
func TestPinned(t *testing.T) {
	same := []string{"till", "&till{sum:78}", "clerk", `&clerk{name:"joe"}`, "fn", "func", "to fn", "1 from till\n2 from till", "to Driver", ""}
	final := asserted(logOf(t, same, same), nil)
	contains(t, final, `{"till", "&till{sum:78}"},`, "{\"clerk\", `&clerk{name:\"joe\"}`},", `{"fn", []string{"1 from till", "2 from till"}},`,
		"// Not asserted: what fn holds, which is a function.\n")
	if strings.Contains(final, `"Driver"`) || strings.Contains(final, "orders") {
		t.Error(final)
	}
	masked := slices.Clone(same)
	masked[1], masked[7] = "&till{sum:79}", "1 from till\n3 from till"
	final = asserted(logOf(t, same, masked), logOf(t, same, masked, masked))
	contains(t, final, `{"till", "&till{sum:<any>}"},`, `{"fn", []string{"1 from till", "<any> from till"}},`, "!s.Like(got, x.holds)", "EqualFunc(got, x.received, s.Like)", "In all orders")
	if strings.Contains(final, "In this order") || strings.Contains(final, "differs") {
		t.Error(final)
	}
	other := slices.Clone(same)
	other[1], other[6], other[9] = "&till{sum:79 more:1}", "to fn2", "3 from till"
	final = asserted(logOf(t, same, other), nil)
	contains(t, final, "// Not asserted: what till holds, which differs each time; what fn holds, which is a function; what fn received, which differs each time; "+
		"what Driver received, which differs each time; what fn2 received, which differs each time.\n", `{"clerk", `)
	if strings.Contains(final, "Received") || strings.Contains(final, "&till") {
		t.Error(final)
	}
	if final := asserted(logOf(t, []string{"to Driver", ""}), nil); final != "" {
		t.Error(final)
	}
	if final := asserted(logOf(t, []string{"till", strings.Repeat("x", longestState+1)}), nil); final != "// Not asserted: what till holds, which is long.\n" {
		t.Error(final)
	}
}

// What other orders share comes first, and is told from what they do not.
func TestPinnedInOrders(t *testing.T) {
	here := []string{"till", "a", "clerk", "b", "gone", "c", "to Driver", "1"}
	final := asserted(logOf(t, here), logOf(t, []string{"till", "x", "clerk", "b", "to Driver", "1"}, here))
	contains(t, final, "// In all orders that were explored.\n{\"clerk\", \"b\"},\n// In this order; another one ends otherwise.\n{\"till\", \"a\"},\n{\"gone\", \"c\"},\n",
		"// In all orders that were explored.\n{\"Driver\", []string{\"1\"}},\n}")
}

func contains(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %s in\n%s", want, text)
		}
	}
}
