package formats

import (
	"fmt"
	"io"
	"strings"
)

// Annotations writes findings as commands of GitHub Actions, which shows them at their lines: one line each. GitHub
// shows ten errors and ten warnings of a step, and drops the rest.
func Annotations(w io.Writer, fs []Finding) error {
	var b strings.Builder
	for i := range fs {
		f := &fs[i]
		command := f.Level
		if command == Note {
			command = "notice"
		}
		var properties []string
		add := func(name, value string) { properties = append(properties, name+"="+property(value)) }
		if f.File != "" {
			add("file", f.File)
		}
		if f.File != "" && f.Line > 0 {
			add("line", fmt.Sprint(f.Line))
		}
		if f.File != "" && f.Line > 0 && f.Column > 0 {
			add("col", fmt.Sprint(f.Column))
		}
		if f.Title != "" {
			add("title", oneLine(f.Title))
		}
		fmt.Fprintf(&b, "::%s", command)
		if len(properties) > 0 {
			b.WriteString(" " + strings.Join(properties, ","))
		}
		fmt.Fprintf(&b, "::%s\n", data(f.Message))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// data escapes what stands behind a command.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text(s))
}

// property escapes the value of a property.
func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(s))
}

// StopCommands is what has GitHub take what follows for output, whatever it looks like, until ResumeCommands with the
// same token comes. Nobody else may be able to guess the token.
func StopCommands(token string) string { return "::stop-commands::" + token + "\n" }

// ResumeCommands ends what StopCommands began.
func ResumeCommands(token string) string { return "::" + token + "::\n" }
