package swarm

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"sync"
	"unicode"

	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// about is what an agent tells of itself.
type about struct {
	Host       string `json:"host"`
	Hands      int    `json:"hands"`
	Tasks      int64  `json:"tasks"`
	Executions int64  `json:"executions"`
	Failed     string `json:"failed,omitempty"`
}

// aboutOf reads what an agent tells of itself. It came over the network, and people are shown it.
func aboutOf(w *streams.Worker) (me about, ok bool) {
	if strictly(w.Data, &me) != nil || min(int64(me.Hands), me.Tasks, me.Executions) < 0 {
		return about{}, false
	}
	me.Failed = printable(me.Failed)
	return me, true
}

// printable is a text that came over the network without what would steer a terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}

// host names this machine among others: several agents on it are one machine. Machines that were copied have one name,
// so the kernel's number of this boot is part of it where it is known.
var host = sync.OnceValue(func() string {
	name, _ := os.Hostname() // an agent without a host is a machine of its own
	if boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id"); err == nil {
		sum := sha256.Sum256(boot)
		name = fmt.Sprintf("%.100s-%x", name, sum[:4])
	}
	return name
})

// machines are the hosts of agents.
type machines map[string]bool

// add takes note of the host of an agent. Who tells none is alone on it.
func (m machines) add(w *streams.Worker, me *about) { m[cmp.Or(me.Host, "agent "+w.Name)] = true }
