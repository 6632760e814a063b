package reachtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/internal/render"
)

// statesVariable is the variable of the environment that names the file to which states are written, statesOf the
// function that writes them.
const (
	statesVariable = "REHEARSE_TEST_STATES"
	statesOf       = "rehearseStatesOf"
)

// gotPrefix begins the key of what an actor has received, function is the text of an actor that is one.
const (
	gotPrefix = "to "
	function  = "func"
)

// statesSource is a file beside tests that write down what actors hold, of the package with this name. A line that says
// nothing new is left out: an exploration has thousands of executions.
const statesSource = `package %s

import (
	"encoding/json"
	"os"
	"strings"

	"github.com/rehearse-go/rehearse"
)

var rehearseStatesSeen = map[string]bool{}

func rehearseStatesOf(test string, s rehearse.State) {
	var keys []string
	texts := map[string]string{}
	note := func(key, text string) {
		keys, texts[key] = append(keys, key), text
	}
	s.Actors(func(name, _ string, value any) bool {
		text := s.Text(name)
		note(name, text)
		if text == "func" {
			note("to "+name, strings.Join(s.Received(name), "\n"))
		}
		return true
	})
	note("to Driver", strings.Join(s.Received("Driver"), "\n"))
	var lines []byte
	add := func(v any) {
		line, err := json.Marshal(v)
		if err == nil && !rehearseStatesSeen[string(line)] {
			rehearseStatesSeen[string(line)] = true
			lines = append(append(lines, line...), '\n')
		}
	}
	add(map[string]any{"test": test, "keys": keys})
	for _, key := range keys {
		add(map[string]any{"test": test, "key": key, "text": texts[key]})
	}
	if len(lines) == 0 {
		return
	}
	if f, err := os.OpenFile(os.Getenv("REHEARSE_TEST_STATES"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666); err == nil {
		f.Write(lines)
		f.Close()
	}
}
`

// layStates writes that file to a scratch folder, and gives what it is laid over.
func layStates(scratch string, t *Test) (map[string]string, error) {
	at := filepath.Join(scratch, "states_test.go")
	if err := os.WriteFile(at, fmt.Appendf(nil, statesSource, t.Package), 0o666); err != nil {
		return nil, err
	}
	return map[string]string{filepath.Join(t.Dir, "zz_rehearse_states_test.go"): at}, nil
}

// statesLog is what executions of a test have written down.
type statesLog struct {
	keys  []string            // in the order of the first execution
	texts map[string][]string // that each has had
	some  map[string]bool     // those that an execution is without
}

// same gives the text of a key, and whether it is that of all executions: with render.Any in the place of parts that
// differ. Lines are told apart.
func (l *statesLog) same(key string) (text string, same bool) {
	if len(l.texts[key]) == 0 || l.some[key] {
		return "", false
	}
	lines := strings.Split(l.texts[key][0], "\n")
	for i := range lines {
		var versions []string
		for _, text := range l.texts[key] {
			other := strings.Split(text, "\n")
			if len(other) != len(lines) {
				return "", false
			}
			versions = append(versions, other[i])
		}
		if lines[i], same = render.Common(versions); !same && len(l.texts[key]) > 1 {
			return "", false
		}
	}
	return strings.Join(lines, "\n"), true
}

// like reports whether all texts of a key are like some lines.
func (l *statesLog) like(key string, want []string) bool {
	return len(l.texts[key]) > 0 && !l.some[key] &&
		!slices.ContainsFunc(l.texts[key],
			func(text string) bool { return !slices.EqualFunc(strings.Split(text, "\n"), want, render.Like) })
}

// readStates reads what was written down, by test functions. There is no file where no execution has come to its end.
func readStates(path string) (map[string]*statesLog, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	logs := map[string]*statesLog{}
	for line := range bytes.Lines(data) {
		var x struct {
			Test, Key, Text string
			Keys            []string
		}
		if err := json.Unmarshal(line, &x); err != nil {
			return nil, fmt.Errorf("what tests wrote down of their actors: %w", err)
		}
		l := logs[x.Test]
		if l == nil {
			l = &statesLog{texts: map[string][]string{}, some: map[string]bool{}}
			logs[x.Test] = l
		}
		switch {
		case x.Key != "":
			l.texts[x.Key] = append(l.texts[x.Key], x.Text)
		case l.keys == nil:
			l.keys = x.Keys
		default:
			l.differ(x.Keys)
		}
	}
	return logs, nil
}

// differ notes what one of two executions is without.
func (l *statesLog) differ(keys []string) {
	for _, k := range slices.Concat(l.keys, keys) {
		if !slices.Contains(l.keys, k) || !slices.Contains(keys, k) {
			l.some[k] = true
		}
		if !slices.Contains(l.keys, k) {
			l.keys = append(l.keys, k)
		}
	}
}
