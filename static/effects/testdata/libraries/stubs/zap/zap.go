// Package zap stands for the logger of that name.
package zap

import "fmt"

type Logger struct{ lines []string }

type Field struct{ text string }

func (l *Logger) Info(msg string, fields ...Field) {
	l.lines = append(l.lines, fmt.Sprint(msg, fields))
}
func (l *Logger) With(fields ...Field) *Logger { return l }

func String(key, value string) Field            { return Field{key + value} }
func Int(key string, value int) Field           { return Field{fmt.Sprint(key, value)} }
func Any(key string, value any) Field           { return Field{fmt.Sprint(key, value)} }
func Error(err error) Field                     { return Field{err.Error()} }
func Stringer(key string, v fmt.Stringer) Field { return Field{key + v.String()} }
