package chance

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Seeds give the same in another process: orders of small maps, ready cases, random numbers. Of a select that only
// holds where the runtime has drawn as much for itself.
func TestOtherProcess(t *testing.T) {
	const variable = "CHANCE_TEST_CHILD"
	var here []string
	onOneThread(t, func() {
		for _, name := range []string{"map of 5", "select", "math/rand"} {
			for seed := range uint64(20) {
				s, d := outcome(seed, programs[name].run)
				if name != "select" {
					d.Cheap = 0
				}
				here = append(here, fmt.Sprint(name, " seed ", seed, " draws ", d.Cheap, ": ", s))
			}
		}
	})
	if os.Getenv(variable) != "" {
		fmt.Println(strings.Join(here, "\n"))
		return
	}
	child := exec.Command(os.Args[0], "-test.run=^TestOtherProcess$")
	child.Env = append(os.Environ(), variable+"=1")
	out, err := child.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	there := strings.Split(string(out), "\n")
	compared := 0
	for i, line := range here {
		name, what, _ := strings.Cut(line, ": ")
		other, that, _ := strings.Cut(there[i], ": ")
		if name != other {
			continue // the runtime has drawn more in one of the two
		}
		if compared++; what != that {
			t.Errorf("%s: %q here, %q there", name, what, that)
		}
	}
	if compared < 40 {
		t.Errorf("%d of %d outcomes could be compared", compared, len(here))
	}
}
