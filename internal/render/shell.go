package render

import "strings"

// ShellWord makes one word of a shell out of a text.
func ShellWord(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
