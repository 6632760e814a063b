package broker

import (
	"fmt"
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
}

func newLog(tell func(string), secrets ...string) *errorLog {
	return &errorLog{tell: tell, secrets: secrets, told: map[string]time.Time{}}
}

func (l *errorLog) error(format string, v []any) {
	line := "NATS server: " + Redact(fmt.Sprintf(format, v...), l.secrets...)
	l.mu.Lock()
	l.last = line
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
