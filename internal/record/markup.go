package record

import (
	"bytes"
	"fmt"
	"html"
	"strings"

	"github.com/rehearse-go/rehearse/trace"
)

// writer collects markup. Each element is closed, and each attribute quoted, so that the page is XML too.
type writer struct{ b bytes.Buffer }

// raw writes what is markup already.
func (w *writer) raw(markup string) { w.b.WriteString(markup) }

// f writes markup with texts in it, each in the place of a %s. The format is a constant; the texts are escaped.
func (w *writer) f(format string, texts ...string) {
	args := make([]any, len(texts))
	for i, s := range texts {
		args[i] = escape(s)
	}
	fmt.Fprintf(&w.b, format, args...)
}

// mostText bounds each text, in bytes. Records hold short ones; others may come from elsewhere.
const mostText = 64 << 10

// escape makes a text harmless in markup and in quoted attributes. Bytes that are no text, control characters, and
// characters that turn the direction of writing become visible.
func escape(s string) string {
	if len(s) > mostText {
		s = s[:mostText] + "…"
	}
	return html.EscapeString(trace.Visible(strings.ToValidUTF8(s, "\ufffd")))
}
