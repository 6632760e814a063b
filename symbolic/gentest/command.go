package gentest

import (
	"fmt"
	"strconv"
	"strings"
)

// FormatCommand writes arguments as the header of a file has them, each quoted if it has to be.
func FormatCommand(args []string) string {
	var b strings.Builder
	for _, a := range args {
		b.WriteByte(' ')
		if strings.ContainsAny(a, " \t\n\"'`;\\$&|<>()*?[]{}") {
			a = strconv.Quote(a)
		}
		b.WriteString(a)
	}
	return b.String()
}

// ParseCommand reads what FormatCommand has written.
func ParseCommand(text string) (args []string, err error) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		if text[0] != '"' {
			arg, rest, _ := strings.Cut(text, " ")
			args, text = append(args, arg), rest
			continue
		}
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			return nil, fmt.Errorf("the header of a generated file has the arguments %s: %w", text, err)
		}
		arg, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, err
		}
		args, text = append(args, arg), text[len(quoted):]
	}
	return args, nil
}
