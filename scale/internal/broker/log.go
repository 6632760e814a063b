package broker

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// quiet is how long the same line is not told again.
const quiet = time.Minute

// errorLog is the server's logger. Only errors get through: what else it says is for those who run NATS.
type errorLog struct {
	tell    func(string)
	secrets []string

	mu   sync.Mutex
	told map[string]time.Time
	last string
	dead bool // it ends

	failed chan struct{} // closed when the store cannot be written
	folder string
	why    error
}

func newLog(folder string, tell func(string), secrets ...string) *errorLog {
	return &errorLog{tell: tell, secrets: secrets, told: map[string]time.Time{}, folder: folder,
		failed: make(chan struct{})}
}

// broken are parts of what the server says when it cannot write its store. It goes on then, and answers nobody who
// publishes, so that somebody has to end it.
var broken = []string{"critical write error", "no space left", "not enough space", "out of space"}

// judge notices that the store cannot be written. It is called with the lock.
func (l *errorLog) judge(line string) {
	lower := strings.ToLower(line)
	is := func(part string) bool { return strings.Contains(lower, part) }
	if l.why != nil || !slices.ContainsFunc(broken, is) {
		return
	}
	l.why = fmt.Errorf("the store %s cannot be written: start the server again when it can; what was acknowledged is "+
		"kept (%s)", l.folder, line)
	if slices.ContainsFunc(broken[1:], is) {
		l.why = fmt.Errorf("the disk of %s is full: make room there, and start the server again; what was acknowledged is "+
			"kept (%s)", l.folder, line)
	}
	close(l.failed)
}

func (l *errorLog) error(format string, v []any) {
	line := "NATS server: " + Redact(fmt.Sprintf(format, v...), l.secrets...)
	l.mu.Lock()
	l.last = line
	l.judge(line)
	now := time.Now()
	again := now.Sub(l.told[line]) < quiet
	if !again && len(l.told) >= 100 {
		clear(l.told)
	}
	if !again {
		l.told[line] = now
	}
	l.mu.Unlock()
	if !again && l.tell != nil {
		l.tell(line)
	}
}

// isFatal reports whether the server gave up.
func (l *errorLog) isFatal() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dead
}

// lastOr gives the last error, or the other text if there was none.
func (l *errorLog) lastOr(none string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last == "" {
		return none
	}
	return l.last
}

// What follows is server.Logger. A fatal error is followed by a shutdown, not by the end of this process.

func (l *errorLog) Errorf(format string, v ...any) { l.error(format, v) }

func (l *errorLog) Fatalf(format string, v ...any) {
	l.error(format, v)
	l.mu.Lock()
	l.dead = true
	l.mu.Unlock()
}
func (l *errorLog) Warnf(string, ...any)   {}
func (l *errorLog) Noticef(string, ...any) {}
func (l *errorLog) Debugf(string, ...any)  {}
func (l *errorLog) Tracef(string, ...any)  {}
