package gotest

import (
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"regexp"
	"slices"
)

// This file keeps what the program under test prints out of the way while it is explored, and captures it while a
// finding is replayed.
//
//	assumes:    one exploration at a time in a process; tests that run in parallel with one lose what they print
//	            meanwhile
//	invariants: I1 after the returned function was called, stdout, stderr, log and slog are what they were
//	            I2 what the Go runtime prints when it dies (it writes to the descriptor itself) is never lost
//	checked by: output_test.go

// Mute makes everything printed to os.Stdout, os.Stderr, log and slog vanish until restore is called. real is what
// os.Stderr was, for those who have something to say meanwhile.
func Mute() (real *os.File, restore func(), err error) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("muting the log: %w", err)
	}
	// Discarding handlers instead of writing to null saves the formatting: most of the cost of a program that logs.
	real, undo := redirect(null, slog.DiscardHandler, io.Discard)
	return real, func() { undo(); null.Close() }, nil
}

// Capture is a place for what a program prints.
type Capture struct {
	file *os.File
	undo func()
}

// StartCapture captures everything printed to os.Stdout, os.Stderr, log and slog until Stop.
func StartCapture() (*Capture, error) {
	f, err := os.CreateTemp("", "rehearse-log-*")
	if err != nil {
		return nil, fmt.Errorf("capturing the log: %w", err)
	}
	// a process that is killed leaves nothing, where files that are open can be removed; elsewhere Stop does it
	os.Remove(f.Name())
	c := &Capture{file: f}
	_, c.undo = redirect(f, slog.NewTextHandler(f, &slog.HandlerOptions{ReplaceAttr: dropTime}), f)
	return c, nil
}

// dropTime leaves out the time: replays of one finding are to print the same.
func dropTime(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

// Print adds a line to what was captured.
func (c *Capture) Print(line string) { fmt.Fprintln(c.file, line) }

// Stop puts everything back and gives what was printed, at most limit bytes of it from the start, without colours. A
// second call gives nothing.
func (c *Capture) Stop(limit int) string {
	if c.undo == nil {
		return ""
	}
	c.undo()
	c.undo = nil
	defer os.Remove(c.file.Name())
	defer c.file.Close()
	if _, err := c.file.Seek(0, io.SeekStart); err != nil {
		return fmt.Sprintf("(the captured log cannot be read: %v)\n", err)
	}
	b, err := io.ReadAll(io.LimitReader(c.file, int64(limit)+1))
	if err != nil {
		return fmt.Sprintf("(the captured log cannot be read: %v)\n", err)
	}
	if len(b) > limit {
		return Plain(string(b[:limit])) + "\n... (the rest is left out)\n"
	}
	return Plain(string(b))
}

// colours are sequences that tell a terminal how to show what follows, the last of which may have been cut off.
var colours = regexp.MustCompile(`\x1b\[[0-?]*[ -/]*([@-~]|$)|\x1b$`)

// Plain is a text without what only a terminal understands. Frameworks colour their logs wherever they go; reports are
// read in files and web pages too.
func Plain(text string) string { return colours.ReplaceAllString(text, "") }

// first are the files before package testing runs: with go test -json it has os.Stderr point to what os.Stdout is.
var first = []*os.File{os.Stdout, os.Stderr}

// standard lists the files that a program may know as stdout and stderr, each once.
func standard() (files []*os.File) {
	for _, f := range append([]*os.File{os.Stdout, os.Stderr}, first...) {
		if !slices.Contains(files, f) {
			files = append(files, f)
		}
	}
	return files
}

// redirect points stdout and stderr at sink, slog at handler and log at w.
func redirect(sink *os.File, handler slog.Handler, w io.Writer) (real *os.File, undo func()) {
	// SUBTLE: the content of *os.Stderr is exchanged, not the variable: loggers that took the pointer when they were made,
	// as most do at package initialisation, are caught too.
	files, were, stderr := standard(), []os.File{}, *os.Stderr
	for _, f := range files {
		were = append(were, *f)
	}
	logger, logw, flags := slog.Default(), log.Writer(), log.Flags()
	for _, f := range files {
		*f = *sink
	}
	// SetDefault makes log print through slog unless the handler is slog's own first one, so log comes second, here and
	// below.
	slog.SetDefault(slog.New(handler))
	log.SetOutput(w)
	log.SetFlags(flags &^ (log.Ldate | log.Ltime | log.Lmicroseconds))
	return &stderr, func() {
		for i, f := range files {
			*f = were[i]
		}
		slog.SetDefault(logger)
		log.SetOutput(logw)
		log.SetFlags(flags)
	}
}
