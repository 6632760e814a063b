package source

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/symbolic/gentest"
	"github.com/rehearse-go/rehearse/symbolic/reachtest"
)

// exitNotCovered says that no way to the target was confirmed.
const exitNotCovered = 3

// tell prints the answer, writes the test, and gives the exit code.
func (r *targetRun) tell(s cli.Streams, a *targetAnswer) (int, error) {
	code := cli.ExitOK
	switch {
	case a.Verdict != verdictCovered:
		code = exitNotCovered
	case a.fails():
		code = cli.ExitFound
	}
	if r.json {
		enc := json.NewEncoder(s.Out)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		return code, enc.Encode(a)
	}
	out := s.Out
	if r.preview {
		out = s.Err
	}
	a.print(out)
	if a.Test == nil || a.Verdict != verdictCovered {
		return code, nil
	}
	if r.preview {
		_, err := fmt.Fprintf(s.Out, "// %s\n%s", a.Test.File, a.Test.Source)
		return code, err
	}
	if err := files.WriteBytes(a.Test.path, []byte(a.Test.Source)); err != nil {
		return 0, err
	}
	fmt.Fprintf(out, "wrote %s\n", a.Test.File)
	return code, nil
}

// fails reports whether the way leads to a panic or a failed check, or another violation.
func (a *targetAnswer) fails() bool { return a.Finding != nil }

// mayWrite fails if a file is there that somebody else wrote, or changed: it stays as it is.
func (r *targetRun) mayWrite(path string) error {
	if r.preview || r.json {
		return nil
	}
	return r.foreign(path)
}

// foreign gives an error if what is there is no file that was generated, as it was.
func (r *targetRun) foreign(path string) error {
	old, err := files.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	if why := gentest.Broken(reachtest.Maker, old); why != "" {
		return fmt.Errorf("%s: %s: nothing is overwritten; move what was written by hand into another file, or name a file "+
			"by -o", r.shown(path), why)
	}
	return nil
}

// print tells people.
func (a *targetAnswer) print(w io.Writer) {
	fmt.Fprintf(w, "%s: %s%s\n", a.Target, a.Verdict, a.by())
	if a.Why != "" {
		fmt.Fprintf(w, "  %s\n", strings.ReplaceAll(a.Why, "\n", "\n  "))
	}
	a.way(w)
	if n := a.Nearest; n != nil {
		list(w, "the nearest point:", n.Steps)
		list(w, "what does not fit there:", n.Blocks)
		if n.Help != "" {
			fmt.Fprintf(w, "what would help: %s\n", n.Help)
		}
	}
	if a.Verdict != verdictCovered {
		a.searched(w)
	}
	list(w, "notes:", a.Notes)
}

// by says from where and how much.
func (a *targetAnswer) by() string {
	if a.Driver == "" {
		return ""
	}
	how := ""
	if a.Own {
		how = ", by executing the driver as it is"
	}
	return fmt.Sprintf(", from %s, model %s%s", a.Driver, a.Model, how)
}

// way tells of messages, order and execution.
func (a *targetAnswer) way(w io.Writer) {
	if a.Driver == "" {
		return
	}
	var outside []string
	for _, m := range a.Outside {
		outside = append(outside, fmt.Sprintf("to %s: %s", m.To, m.Message))
	}
	if a.Own {
		outside = []string{"those that the driver sends"}
	}
	list(w, "messages from outside:", outside)
	list(w, "order:", a.Order)
	if a.Diagram != "" {
		fmt.Fprintf(w, "the execution (%s):\n%s", a.Guided, a.Diagram)
	}
	if f := a.Finding; f != nil {
		fmt.Fprintf(w, "finding: %s: %s\n", f.Kind, f.Text)
	}
	if a.Check != "" {
		fmt.Fprintf(w, "a check of the driver fails on the way, which may be meant for the messages that the driver sends: "+
			"%s\n", a.Check)
	}
}

// searched tells what came of each driver.
func (a *targetAnswer) searched(w io.Writer) {
	var lines []string
	for _, d := range a.Drivers {
		line := fmt.Sprintf("%s, model %s: %s", d.Driver, d.Model, d.Verdict)
		if d.Why != "" && d.Why != a.Why {
			line += ": " + strings.Split(d.Why, "\n")[0]
		}
		lines = append(lines, line)
		for _, why := range d.Reasons {
			lines = append(lines, "  "+why)
		}
	}
	list(w, "searched from:", lines)
}

func list(w io.Writer, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintln(w, title)
	for _, l := range lines {
		fmt.Fprintf(w, "  %s\n", l)
	}
}
