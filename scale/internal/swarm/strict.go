package swarm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// This file: JSON that came from elsewhere.
//
// A value of two bytes may become one of some hundred, such as a violation of which nothing is said. So what a text
// takes is bounded by the number of its values.
const (
	mostValues   = 1 << 18 // of a task, a result, a state
	mostInRecord = 1 << 22 // of a record: it has the results of earlier explorations of the test
)

// strictly decodes JSON that came from elsewhere: unknown fields, what follows, and too many values are errors.
func strictly(data []byte, v any) error { return strictlyUpTo(mostValues, data, v) }

func strictlyUpTo(most int, data []byte, v any) error {
	if values(data) > most {
		return fmt.Errorf("has more than %d values in JSON", most)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("something follows its end")
	}
	return nil
}

// values gives how many values a JSON text has at most: each follows a bracket or a comma, or is the first one.
func values(data []byte) int {
	n, quoted := 1, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == '{' || c == '[' || c == ','):
			n++
		}
	}
	return n
}
