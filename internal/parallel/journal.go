package parallel

import (
	"os"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/internal/saved"
	"github.com/rehearse-go/rehearse/trace"
)

// A worker keeps its crash journal in the temporary folder, which whoever starts it makes for it.

// FolderOf is the variable that makes a folder the temporary one of a worker.
func FolderOf(dir string) string { return "TMPDIR=" + dir }

// OpenJournal opens the journal of this process, a worker.
func OpenJournal(h trace.Header) *saved.Journal {
	// Without a journal a death is reported without its schedule: worth no more than that.
	j, _, _ := saved.OpenJournal(os.TempDir(), strconv.Itoa(os.Getpid()), h)
	return j
}

// Autopsy reads the journal of a worker that died in a careful execution, with that folder. It gives the violation, and
// the schedule, "" if there is none.
func Autopsy(dir string, pid int, h trace.Header) (v trace.Violation, schedule string) {
	v = trace.Violation{Kind: trace.RuntimeFatal, Text: "two worker processes died in the middle of this execution: " +
		"a panic in a goroutine that the program started, a fatal error of the runtime, os.Exit or a kill"}
	j, died, err := saved.OpenJournal(dir, strconv.Itoa(pid), h)
	if err != nil || died == nil {
		return v, ""
	}
	j.Close()
	died.Header.Violation = &v
	var b strings.Builder
	if trace.EncodeSchedule(&b, &trace.Schedule{Header: died.Header, Steps: died.Steps}) != nil {
		return v, ""
	}
	return v, b.String()
}
