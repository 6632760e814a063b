package trace

import (
	"reflect"
	"testing"
)

// Begin empties events of earlier executions field by field: it must know all of them.
func TestBeginEmptiesEveryField(t *testing.T) {
	var tr Trace
	tr.Begin(StartStep(0))
	e := reflect.ValueOf(&tr.Events[0]).Elem()
	for i := range e.NumField() {
		switch f := e.Field(i); f.Kind() {
		case reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 3, 3))
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Int, reflect.Int32, reflect.Int64:
			f.SetInt(7)
		case reflect.Uint8:
			f.SetUint(7)
		case reflect.Pointer:
			f.Set(reflect.New(f.Type().Elem()))
		case reflect.Struct: // Step
		default:
			t.Fatalf("a new kind of field: %s", e.Type().Field(i).Name)
		}
	}
	tr.Reset()
	tr.Begin(AdvanceStep(0))
	for i := range e.NumField() {
		f, name := e.Field(i), e.Type().Field(i).Name
		switch {
		case name == "Step" || name == "Released" && f.Int() == -1:
		case f.Kind() == reflect.Slice && f.Len() > 0, f.Kind() != reflect.Slice && !f.IsZero():
			t.Errorf("%s is left over: %v", name, f)
		}
	}
	if tr.Events[0].Step != AdvanceStep(0) {
		t.Errorf("the step is %v", tr.Events[0].Step)
	}
}

// A message in the memory of an earlier one is as new.
func TestAddMessageEmptiesEveryField(t *testing.T) {
	add := func(tr *Trace, fill bool) Message {
		tr.Reset()
		tr.AddDriver()
		tr.Begin(StartStep(0))
		i := tr.AddMessage(tr.TypeNamed("m"), System, 0, 0, 0, 5)
		m := tr.Messages[i]
		if fill {
			v := reflect.ValueOf(&tr.Messages[i]).Elem()
			for i := range v.NumField() {
				switch f := v.Field(i); f.Kind() {
				case reflect.Int32:
					f.SetInt(99)
				case reflect.Uint8:
					f.SetUint(9)
				case reflect.Bool:
					f.SetBool(true)
				}
			}
		}
		return m
	}
	var tr Trace
	first := add(&tr, true)
	if second := add(&tr, false); second != first {
		t.Errorf("got %+v, want %+v", second, first)
	}
}
