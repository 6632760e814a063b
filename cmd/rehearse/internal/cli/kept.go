package cli

import (
	"fmt"
	"unicode/utf8"
)

// maxOutput bounds what is kept of the output of one test, in bytes.
const maxOutput = 64 << 10

// keptOutput is the output of a test: the beginning, and the end, which says how it failed. Between them a line says
// how much is left out.
type keptOutput struct {
	head, tail []byte
	size       int // of all that was written
	full       bool
}

// add takes in more of the output.
func (k *keptOutput) add(text string) {
	k.size += len(text)
	if !k.full {
		n := len(text)
		if room := maxOutput/2 - len(k.head); n > room {
			for n = room; n > 0 && !utf8.RuneStart(text[n]); n-- {
			}
			k.full = true
		}
		k.head = append(k.head, text[:n]...)
		text = text[n:]
	}
	if k.tail = append(k.tail, text...); len(k.tail) > maxOutput { // twice what is kept, so that it is seldom moved
		k.tail = append(k.tail[:0], k.end()...)
	}
}

// end is the last part of the tail, from the beginning of a rune on.
func (k *keptOutput) end() []byte {
	from := max(0, len(k.tail)-maxOutput/2)
	for from > 0 && from < len(k.tail) && !utf8.RuneStart(k.tail[from]) {
		from++
	}
	return k.tail[from:]
}

func (k *keptOutput) String() string {
	end := k.end()
	between := ""
	if left := k.size - len(k.head) - len(end); left > 0 {
		between = fmt.Sprintf("\n... %d bytes left out ...\n", left)
	}
	return string(k.head) + between + string(end)
}
