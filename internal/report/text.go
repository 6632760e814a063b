package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/trace"
)

// ActorState is the state of an actor, printed.
type ActorState struct{ Name, Value string }

// MaxStates is the number of actors whose states are listed.
const MaxStates = 20

// States lists the states of actors, one a line or a few lines of that width, and says how many there are more.
func States(x []ActorState, width int) string {
	var b strings.Builder
	widest := 0
	for _, s := range x[:min(len(x), MaxStates)] {
		widest = max(widest, utf8.RuneCountInString(render.Shorten(s.Name, 24)))
	}
	for i, s := range x {
		if i == MaxStates {
			fmt.Fprintf(&b, "  … %d more actors\n", len(x)-i)
			break
		}
		name := render.Shorten(s.Name, 24)
		indent := strings.Repeat(" ", widest+4)
		for j, line := range wrap(s.Value, screenOf(width)-widest-4) {
			if j == 0 {
				line = "  " + name + strings.Repeat(" ", widest-utf8.RuneCountInString(name)+2) + line
			} else {
				line = indent + line
			}
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	return b.String()
}

// Wrap breaks text into lines of at most so many runes, 0 meaning Width, each behind the indent and ended by a newline.
func Wrap(text, indent string, width int) string {
	var b strings.Builder
	for _, line := range wrap(text, screenOf(width)-utf8.RuneCountInString(indent)) {
		b.WriteString(strings.TrimRight(indent+line, " ") + "\n")
	}
	return b.String()
}

// maxWrapped is the number of lines that one text may take.
const maxWrapped = 12

// wrap breaks text into lines of at most width runes: at spaces where it can, else where words of a name meet; what is
// too long is cut.
func wrap(text string, width int) []string {
	var lines []string
	for _, paragraph := range strings.Split(strings.TrimRight(trace.Visible(text), "\n"), "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			for utf8.RuneCountInString(word) > width {
				// A word that fits no line, such as a long literal, is cut into pieces.
				if line != "" {
					lines, line = append(lines, line), ""
				}
				runes := []rune(word)
				at := seam(runes, width)
				lines = append(lines, render.Shorten(string(runes[:at]), width))
				word = string(runes[at:])
			}
			if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
				lines, line = append(lines, line), ""
			}
			line = strings.TrimLeft(line+" "+render.Shorten(word, width), " ")
		}
		lines = append(lines, line)
	}
	if len(lines) > maxWrapped {
		lines = append(lines[:maxWrapped-1], "…")
	}
	return lines
}

// seam is where to cut a long word: behind a sign, before a bracket or before a capital. It is the last such place that
// leaves more than half of the line full. Where there is none, it is the end of the line.
func seam(word []rune, width int) int {
	for i := width; i > width/2; i-- {
		before, next := word[i-1], word[i]
		if strings.ContainsRune(",:;)]}/._-", before) && !strings.ContainsRune(",:;)]}", next) ||
			strings.ContainsRune("([{", next) || unicode.IsLower(before) && unicode.IsUpper(next) {
			return i
		}
	}
	return width
}

// SideBySide prints two texts next to each other, with a mark at the lines that differ.
func SideBySide(a, b string) string {
	const half = (Width - 3) / 2
	left, right := strings.Split(strings.TrimRight(a, "\n"), "\n"), strings.Split(strings.TrimRight(b, "\n"), "\n")
	var out strings.Builder
	for i := range max(len(left), len(right)) {
		x, y := lineOf(left, i), lineOf(right, i)
		sign := "│"
		if x != y {
			sign = "≠"
		}
		x, y = render.Shorten(x, half), render.Shorten(y, half)
		pad := strings.Repeat(" ", half-utf8.RuneCountInString(x))
		out.WriteString(strings.TrimRight(x+pad+" "+sign+" "+y, " ") + "\n")
	}
	return out.String()
}

func lineOf(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}
