// Package byhand has an execution chosen by hand: it follows choices to a position, stops there, and tells what could
// come next, how the actors stand, and what is wrong.
//
//	position.go  a position as text
//	chooser.go   the strategy that goes to one
//	view.go      what is told of it, as values that JSON can carry
//	look.go      how that is taken from an execution
//	words.go     what the process that runs the program and the one that shows it tell each other
//	tree.go      the choices of many executions, as a tree
//
//	assumes:     executions repeat: the same choices lead to the same position. A choice that is not there says so.
//	checked by:  byhand_test.go, on native programs of internal/tests/toy
package byhand

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/trace"
)

// Position is a place in an execution: the choices that lead to it from where the exploration of it begins. A choice is
// the key of the step that is taken (KeyOf), or "" for the first in the default order. That in which nothing goes wrong
// where a fault may be injected is a choice, too.
type Position []string

// mostChoices bounds a position that is read from text. Executions are bounded by 100,000 steps, unless a test wants
// more.
const mostChoices = 1 << 18

// keyDigits is how many hexadecimal digits a short key has. Of 1,000 steps that are enabled at a time two have the same
// with a probability of 2^-29; then the long ones are used.
const keyDigits = 12

// KeyOf is the short key of a step: an x and 12 hexadecimal digits. Both halves of what is derived are in it, since the
// values of a draw differ in their last digits alone. One half may keep nothing of these.
func KeyOf(id trace.ID) string {
	d := id.With(0x706f736974696f6e)
	return fmt.Sprintf("x%012x", (d.Hi^bits.RotateLeft64(d.Lo, 32))>>16)
}

// longKey is the key where the short one is that of another step, too.
func longKey(id trace.ID) string { return "x" + id.String() }

// String writes a position as parts with a dot between: numbers of choices in the default order, and keys. It is "" for
// the beginning.
func (p Position) String() string {
	var b strings.Builder
	part := func(s string) {
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(s)
	}
	for i := 0; i < len(p); {
		n := i
		for n < len(p) && p[n] == "" {
			n++
		}
		if n > i {
			part(strconv.Itoa(n - i))
			i = n
			continue
		}
		part(p[i])
		i++
	}
	return b.String()
}

// Parse reads what String wrote. The error says which part makes no sense.
func Parse(text string) (Position, error) {
	p := Position{}
	if text == "" {
		return p, nil
	}
	for _, part := range strings.Split(text, ".") {
		if isKey(part) {
			p = append(p, part)
			continue
		}
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 || part[0] < '1' || part[0] > '9' {
			return nil, fmt.Errorf("position: %q is neither a number of steps nor the key of one, such as x0123456789ab", part)
		}
		if n > mostChoices-len(p) {
			return nil, fmt.Errorf("position: more than %d choices", mostChoices)
		}
		p = append(p, make(Position, n)...)
	}
	if len(p) > mostChoices {
		return nil, fmt.Errorf("position: more than %d choices", mostChoices)
	}
	return p, nil
}

func isKey(s string) bool {
	if len(s) != 1+keyDigits && len(s) != 1+32 || s[0] != 'x' {
		return false
	}
	return strings.Trim(s[1:], "0123456789abcdef") == ""
}

// find gives the index of the enabled step that a choice means. n is how many there are: where it is not 1 there is
// none that can be told.
func find(enabled []trace.Step, choice string) (index, n int) {
	index = -1
	if choice == "" {
		return trace.First(enabled), 1
	}
	for i := range enabled {
		if KeyOf(enabled[i].ID) == choice || longKey(enabled[i].ID) == choice {
			index = i
			n++
		}
	}
	return index, n
}

// choiceOf is the choice that takes an enabled step.
func choiceOf(enabled []trace.Step, index int) string {
	if index == trace.First(enabled) {
		return ""
	}
	key := KeyOf(enabled[index].ID)
	if _, n := find(enabled, key); n > 1 {
		return longKey(enabled[index].ID)
	}
	return key
}
