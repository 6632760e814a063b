package swarm

import (
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// Several workers on one host are one machine, for people and for programs. One that cannot work is none.
func TestMachines(t *testing.T) {
	t.Parallel()
	nc := connected(t, served(t), "coordinator")
	j, err := streams.Create(t.Context(), nc, "job", streams.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"one", "two"} {
		(&Agent{Name: name, Hands: 2}).tell(t.Context(), j, nil)
	}
	for name, told := range map[string]string{"three": `{"host":"another","hands":3}`, "four": `{"hands":1}`,
		"five": `{"host":"third","hands":1,"failed":"no\u001b[2J space"}`, "six": `{"host":"fourth","hands":-5}`} {
		if err := j.Beat(t.Context(), name, []byte(told)); err != nil {
			t.Fatal(err)
		}
	}
	all, err := StatusOf(t.Context(), nc, "job")
	if err != nil || len(all) != 1 || all[0].Machines != 3 || all[0].Processes != 8 || len(all[0].Failed) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
	if strings.ContainsRune(all[0].Failed[0], '\x1b') || !strings.Contains(all[0].Failed[0], " space") {
		t.Errorf("%q would steer a terminal", all[0].Failed[0])
	}
	var out strings.Builder
	p := &Progress{W: &out, Every: time.Nanosecond}
	p.begin(j, "call")
	w := newWatch(j)
	if err := w.workers.look(t.Context(), j, time.Now()); err != nil {
		t.Fatal(err)
	}
	p.searched(1, 2, &w)
	if want := "machines: 4, "; !strings.Contains(out.String(), want) {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
