// Package zap stands in for a library of loggers.
package zap

// Logger is shared by all that log.
type Logger struct{ lines int }

// Debug writes a line.
func (l *Logger) Debug(string) { l.lines++ }
