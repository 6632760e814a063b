package cli

import (
	"bytes"
	"io"
	"os"
	"regexp"

	"github.com/rehearse-go/rehearse/internal/files"
)

// This file colours what is written to a terminal. Colours say nothing that the text does not say.

// Coloured gives a writer that colours lines, if w is a terminal that has colours, and nobody has said NO_COLOR.
func Coloured(w io.Writer) io.Writer {
	if !files.IsTerminal(w) || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return w
	}
	return &painter{w: w}
}

// painter colours whole lines. The last one of what it is given may be a part of one, which it keeps until the rest
// comes.
type painter struct {
	w    io.Writer
	part []byte
}

const (
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[1;33m"
	dim    = "\x1b[2m"
	plain  = "\x1b[0m"
)

// paints are tried in their order; the first that fits colours what its group matches.
var paints = []struct {
	line   *regexp.Regexp
	colour string
}{
	{regexp.MustCompile(`^ *(✗ .*)$`), red},
	{regexp.MustCompile(`((?:\([A-H]\))*✗)$`), red},
	{regexp.MustCompile(`((?:\([A-H]\))+)$`), yellow},
	{regexp.MustCompile(`^ *(\([A-H]\) .*)$`), yellow},
	{regexp.MustCompile(`^( *--- FAIL.*|FAIL\b.*)$`), red},
	{regexp.MustCompile(`^( *--- PASS.*|ok  \t.*|PASS)$`), green},
	{regexp.MustCompile(`([A-Z-]+ \(unexpected\).*)$`), red},
	{regexp.MustCompile(`^( *⋮.*)$`), dim},
}

func (p *painter) Write(b []byte) (int, error) {
	p.part = append(p.part, b...)
	for {
		i := bytes.IndexByte(p.part, '\n')
		if i < 0 {
			return len(b), nil
		}
		if _, err := p.w.Write(append(painted(p.part[:i]), '\n')); err != nil {
			return 0, err
		}
		p.part = p.part[i+1:]
	}
}

// Close writes what is left.
func (p *painter) Close() error {
	_, err := p.w.Write(painted(p.part))
	p.part = nil
	return err
}

// painted is a line with a colour.
func painted(line []byte) []byte {
	for _, c := range paints {
		if at := c.line.FindSubmatchIndex(line); at != nil {
			out := append([]byte(nil), line[:at[2]]...)
			out = append(append(append(out, c.colour...), line[at[2]:at[3]]...), plain...)
			return append(out, line[at[3]:]...)
		}
	}
	return append([]byte(nil), line...)
}
