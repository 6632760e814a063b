package render

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
)

// Field is a part of a value, for people who compare two states of it.
type Field struct {
	Path  string `json:"path"` // as in Go: "balance", "orders[3].sum"; "" for a value that has no parts
	Value string `json:"value"`
}

// fieldDepth is how deep parts have parts of their own; deeper ones are printed in one piece.
const fieldDepth = 3

// Fields takes a value apart: the fields of structs, the entries of maps, and the elements of lists. At most so many
// are given; more counts those left out, a part with parts of its own mostly once. name names native actors, as in
// ValueNamed.
func Fields(v any, most int, name func(actor int32) string) (fields []Field, more int) {
	s := &splitter{most: most, name: name}
	s.split(reflect.ValueOf(v), "", fieldDepth)
	return s.fields, s.more
}

type splitter struct {
	most, more int
	fields     []Field
	path       []visit // pointers being followed
	name       func(int32) string
}

// split adds the parts of v, or v in one piece where it has none that people want to read.
func (s *splitter) split(v reflect.Value, path string, depth int) {
	before := len(s.path)
	defer func() { s.path = s.path[:before] }()
	for v.IsValid() && (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) && !v.IsNil() && !s.whole(v) {
		if v.Kind() == reflect.Pointer {
			at := visit{v.Pointer(), 0, v.Type()}
			if slices.Contains(s.path, at) {
				s.put(path, "<cycle>")
				return
			}
			s.path = append(s.path, at)
		}
		v = v.Elem()
	}
	if depth == 0 || !v.IsValid() || s.whole(v) {
		s.add(v, path)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		s.ofStruct(v, path, depth)
	case reflect.Map:
		s.ofMap(v, path, depth)
	case reflect.Slice, reflect.Array:
		s.ofList(v, path, depth)
	default:
		s.add(v, path)
	}
}

// whole reports whether a value is printed as one thing, such as a time or the name of an actor.
func (s *splitter) whole(v reflect.Value) bool {
	if _, ok := (&printer{name: s.name}).actor(v); ok {
		return true
	}
	_, ok := known(v)
	return ok
}

func (s *splitter) ofStruct(v reflect.Value, path string, depth int) {
	t := v.Type()
	empty := true
	for i := range t.NumField() {
		if !noise(t, i) {
			empty = false
			s.split(v.Field(i), join(path, t.Field(i).Name), depth-1)
		}
	}
	if empty && path != "" {
		s.add(v, path)
	}
}

func join(path, field string) string {
	if path == "" {
		return field
	}
	return path + "." + field
}

func (s *splitter) ofMap(v reflect.Value, path string, depth int) {
	p := s.printer()
	if v.Len() == 0 || v.Len() > MaxEntries {
		s.add(v, path)
		return
	}
	for i, e := range p.entries(v, MaxDepth) {
		if len(s.fields) >= s.most {
			s.more += v.Len() - i
			return
		}
		s.split(v.MapIndex(e.key), path+"["+Shorten(e.name, MaxString)+"]", depth-1)
	}
}

func (s *splitter) ofList(v reflect.Value, path string, depth int) {
	if v.Len() == 0 || v.Type().Elem().Kind() == reflect.Uint8 {
		s.add(v, path)
		return
	}
	for i := range v.Len() {
		if len(s.fields) >= s.most {
			s.more += v.Len() - i
			return
		}
		s.split(v.Index(i), path+"["+strconv.Itoa(i)+"]", depth-1)
	}
}

// fieldText bounds the text of one part, in runes.
const fieldText = 300

func (s *splitter) printer() *printer { return &printer{left: fieldText * 4, name: s.name} }

func (s *splitter) add(v reflect.Value, path string) {
	p := s.printer()
	if len(s.fields) < s.most {
		p.value(v, MaxDepth)
	}
	s.put(path, p.b.String())
}

func (s *splitter) put(path, value string) {
	if len(s.fields) >= s.most {
		s.more++
		return
	}
	s.fields = append(s.fields, Field{Shorten(path, fieldText), Shorten(value, fieldText)})
}

// String is a field as a line.
func (f Field) String() string {
	if f.Path == "" {
		return f.Value
	}
	return fmt.Sprintf("%s: %s", f.Path, f.Value)
}
