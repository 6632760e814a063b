package facts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/rehearse-go/rehearse/internal/files"
)

// header is the first line of a file.
type header struct {
	Facts   int    `json:"facts"` // the version
	Package string `json:"package"`
	Tool    string `json:"tool"`
	Go      string `json:"go"`
	On      string `json:"platform"`
}

// sent is the last line of a file.
type sent struct {
	Sent []string `json:"sent"`
}

// Marshal gives the text of a file. Equal facts have equal texts.
func (f *File) Marshal() []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	put := func(v any) {
		if err := enc.Encode(v); err != nil {
			panic("facts: a struct of strings has no JSON: " + err.Error())
		}
	}
	put(header{Version, f.Package, f.Tool, f.Go, f.Platform})
	for i := range f.Sources {
		put(&f.Sources[i])
	}
	for i := range f.Actors {
		put(&f.Actors[i])
	}
	for i := range f.Handlers {
		put(&f.Handlers[i])
	}
	put(sent{f.Sent})
	return b.Bytes()
}

// remedy ends every error about a file: it can always be made again.
const remedy = "make it anew with `rehearse facts`, or delete it"

// Load reads a file. The error of a file that does not exist is fs.ErrNotExist; others say what, where, and what to do.
func Load(path string) (*File, error) {
	data, err := files.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("facts: %w; %s", err, remedy)
	}
	return Parse(path, data)
}

// Parse reads the text of a file; name is for errors.
func Parse(name string, data []byte) (*File, error) {
	f, line := &File{}, 0
	ended := false
	for len(data) > 0 {
		text, rest, whole := bytes.Cut(data, []byte("\n"))
		data = rest
		line++
		err := errors.New("the line does not end: the file was cut off")
		switch {
		case whole && ended:
			err = errors.New("something follows the line of messages sent, which is the last")
		case whole:
			ended, err = f.parseLine(text, line)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w; %s", name, line, err, remedy)
		}
	}
	if !ended {
		return nil, fmt.Errorf("%s:%d: the line of messages sent is missing: the file was cut off; %s", name, line+1, remedy)
	}
	return f, nil
}

// parseLine adds one line; last reports that it is the one that ends a file.
func (f *File) parseLine(text []byte, line int) (last bool, err error) {
	if line == 1 {
		return false, f.parseHeader(text)
	}
	key, err := firstKey(text)
	if err != nil {
		return false, err
	}
	switch key {
	case "source":
		var s Source
		err = decode(text, &s)
		f.Sources = append(f.Sources, s)
	case "actor":
		var a Actor
		err = decode(text, &a)
		if err == nil && f.Actor(a.Name) != nil {
			err = fmt.Errorf("actor %s is here twice", a.Name)
		}
		f.Actors = append(f.Actors, a)
	case "handler":
		h := Handler{Line: line}
		if err = decode(text, &h); err == nil && f.Actor(h.Actor) == nil {
			err = fmt.Errorf("a handler of actor %q, which no line before tells of", h.Actor)
		}
		f.Handlers = append(f.Handlers, h)
	case "sent":
		var s sent
		err = decode(text, &s)
		f.Sent = s.Sent
		return true, err
	default:
		err = fmt.Errorf("%q: want a line that begins with source, actor, handler or sent", key)
	}
	return false, err
}

func (f *File) parseHeader(text []byte) error {
	var h header
	// A newer version may say more here.
	if err := json.Unmarshal(text, &h); err != nil {
		return fmt.Errorf("want a line that begins with {\"facts\":%d: %w", Version, err)
	}
	if h.Facts < 1 {
		return fmt.Errorf("want a line that begins with {\"facts\":%d, and a version above 0", Version)
	}
	if h.Facts > Version {
		return fmt.Errorf("it has version %d and this rehearse reads up to %d", h.Facts, Version)
	}
	f.Package, f.Tool, f.Go, f.Platform = h.Package, h.Tool, h.Go, h.On
	return nil
}

// firstKey gives the name of the first field of an object: it says what the line is.
func firstKey(text []byte) (string, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return "", errors.New("want a JSON object")
	}
	t, err := dec.Token()
	key, ok := t.(string)
	if err != nil || !ok {
		return "", errors.New("want a JSON object with a field")
	}
	return key, nil
}

// decode reads an object all of whose fields are known.
func decode(text []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return fmt.Errorf("%s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("something follows the object")
	}
	return nil
}
