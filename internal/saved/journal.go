package saved

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/trace"
)

// This file: the schedule of the execution that is running, kept where it survives the process. No code can catch a
// fatal error of the runtime, so the next run reports it with its schedule. journallayout.go has what is written,
// journal_*.go where.
//
//	invariants: I1 a step is in the journal before it happens
//	            I2 a journal that says "running" and that no process holds was left by a process that died
//	cost:       a few memory writes a step where files can be mapped, one system call where they cannot
//	checked by: journal_test.go, with a process that dies

// slots is the number of processes that can run the same test at the same time with a journal each.
const slots = 4

// JournalVariable names the folder of journals for runs whose deaths are of no interest to later ones, such as those of
// tests that a search has made.
const JournalVariable = "REHEARSE_TEST_JOURNAL"

// JournalDir is where journals are kept: the folder that JournalVariable names, one of the user's cache, else of the
// system's temporary files.
func JournalDir() string {
	if dir := os.Getenv(JournalVariable); dir != "" {
		return dir
	}
	base, err := os.UserCacheDir()
	if err != nil {
		base = os.TempDir()
	}
	return filepath.Join(base, "rehearse", "journal")
}

// JournalKey names the journal of one Check: a hash of the working directory, the test's name and the ordinal of the
// Check in it.
func JournalKey(test string, ordinal int) string {
	wd, err := os.Getwd()
	if err != nil {
		wd = "?"
	}
	h := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d", wd, test, ordinal))
	return hex.EncodeToString(h[:8])
}

// Journal writes the running execution down. A nil Journal is valid and writes nothing.
type Journal struct {
	mu     sync.Mutex // guards closing against a signal
	file   *file
	w      writer
	closed bool
	signal chan os.Signal
}

// OpenJournal takes the journal of this key and gives what a process that died left in it, nil if nothing. An error
// means that there is no journal, which is no reason not to explore.
func OpenJournal(dir, key string, h trace.Header) (*Journal, *Died, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, nil, fmt.Errorf("journal: %w", err)
	}
	for slot := range slots {
		f, err := openFile(filepath.Join(dir, fmt.Sprintf("%s-%d", key, slot)))
		if errors.Is(err, files.ErrLocked) {
			continue
		} else if err != nil {
			return nil, nil, fmt.Errorf("journal: %w", err)
		}
		died := read(f.previous)
		j := &Journal{file: f}
		if err := j.w.begin(f, h); err != nil {
			f.remove()
			return nil, died, err
		}
		j.watch()
		return j, died, nil
	}
	return nil, nil, fmt.Errorf("journal: %d other processes run this test at the moment", slots)
}

// watch removes the journal when the process is interrupted: somebody pressed Ctrl-C, the program did not die of
// itself.
func (j *Journal) watch() {
	j.signal = make(chan os.Signal, 1)
	signal.Notify(j.signal, os.Interrupt, syscall.SIGTERM)
	go func() {
		s, ok := <-j.signal
		if !ok {
			return
		}
		j.Close()
		// Do what the signal would have done without us.
		if p, err := os.FindProcess(os.Getpid()); err == nil && p.Signal(s) == nil {
			return
		}
		os.Exit(130)
	}()
}

// Before is for explore.Options.Before: an execution begins.
func (j *Journal) Before() {
	if j != nil {
		j.w.clear(running)
	}
}

// Step is for explore.Options.Step: this step is about to happen.
func (j *Journal) Step(tr *trace.Trace, c explore.Choice, s trace.Step) {
	if j != nil {
		j.w.step(tr, c, s)
	}
}

// Back is for explore.Options.Back: an execution begins with the first steps of the last one, which the program does
// not take again.
func (j *Journal) Back(tr *trace.Trace, steps int) {
	if j != nil {
		j.w.back(tr, steps)
	}
}

// After says that the execution is over: what happens to the process now is not its fault.
func (j *Journal) After() {
	if j != nil {
		j.w.clear(idle)
	}
}

// Header replaces what the journal says of where its steps come from: a saved schedule is replayed under its own
// conditions.
func (j *Journal) Header(h trace.Header) {
	if j != nil {
		// Too long a header was already refused by OpenJournal; the old one stays then.
		_ = j.w.header(h)
	}
}

// Under is for explore.Options.Under: what Go chooses in the executions from here on, and what is forced in their final
// checks.
func (j *Journal) Under(choices uint64, draws, preemptions int, ends []uint32) {
	if j != nil {
		j.w.under(choices, draws, preemptions, ends)
	}
}

// Close removes the journal.
func (j *Journal) Close() {
	if j == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return
	}
	j.closed = true
	signal.Stop(j.signal)
	close(j.signal)
	j.file.remove()
}
