package explore

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// harmless are the fields that keep nothing from being complete: what people should know, and what is weighed
// elsewhere.
var harmless = map[string]bool{"Remarks": true, "Unseen": true, "Within": true, "Draws": true,
	"OnlyGoroutines": true}

// each calls f for every field, with a verdict that has only that one set, to value or true.
func each(value string, f func(name string, v *Verdict)) {
	for i := range reflect.TypeFor[Verdict]().NumField() {
		v := &Verdict{}
		field := reflect.ValueOf(v).Elem().Field(i)
		if field.Kind() == reflect.Bool {
			field.SetBool(true)
		} else {
			field.SetString(value)
		}
		f(reflect.TypeFor[Verdict]().Field(i).Name, v)
	}
}

// A field that is added counts, or is said to be harmless.
func TestFlawless(t *testing.T) {
	if !new(Verdict).Flawless() {
		t.Error("the zero Verdict is not flawless")
	}
	each("something", func(name string, v *Verdict) {
		if v.Flawless() != harmless[name] {
			t.Errorf("with %s set it is flawless: %v", name, v.Flawless())
		}
	})
}

// Join names all orders that the program chose, in whatever order it comes to know of them: the more exact ones alone,
// and not too many.
func TestOrdersJoin(t *testing.T) {
	parts := []string{"timers, at a:1", "goroutines", "goroutines, at b:2; they outlive", "goroutines, at b:2", "x", "y",
		"z"}
	const want = "goroutines, at b:2; they outlive; timers, at a:1; x"
	for range 100 {
		rand.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		var left, right, v Verdict
		for i, p := range parts {
			to := &left
			if i%2 == 0 {
				to = &right
			}
			to.Join(&Verdict{Uncontrolled: p})
		}
		v.Join(&left)
		if v.Join(&right); v.Uncontrolled != want {
			t.Fatalf("%q is %q, want %q", parts, v.Uncontrolled, want)
		}
	}
}

// Only goroutines are out of control where that is so in each part in which something is.
func TestOnlyGoroutines(t *testing.T) {
	parts := []Verdict{{}, {Uncontrolled: "goroutines", OnlyGoroutines: true}, {}, {Uncontrolled: "timers"}}
	for range 20 {
		rand.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		var all, some Verdict
		for i := range parts {
			all.Join(&parts[i])
			if parts[i].Uncontrolled != "timers" {
				some.Join(&parts[i])
			}
		}
		if all.OnlyGoroutines || !some.OnlyGoroutines {
			t.Errorf("%+v: with timers %v, without %v", parts, all.OnlyGoroutines, some.OnlyGoroutines)
		}
	}
}

// Join forgets no field, whichever part has it, and the order of the parts decides nothing.
func TestVerdictJoin(t *testing.T) {
	var all, back Verdict
	var parts []*Verdict
	for _, value := range []string{"b", "a", "c"} {
		each(value, func(name string, v *Verdict) {
			var left, right Verdict
			left.Join(v)
			right = *v
			right.Join(&Verdict{})
			if left != *v || right != *v {
				t.Errorf("%s: joined with nothing it is %+v and %+v", name, left, right)
			}
			parts = append(parts, v)
		})
	}
	for i := range parts {
		all.Join(parts[i])
		back.Join(parts[len(parts)-1-i])
	}
	if all != back {
		t.Errorf("in one order %+v\nin the other %+v", all, back)
	}
	again := all
	if again.Join(&all); again != all {
		t.Errorf("joined with itself %+v is %+v", all, again)
	}
}
