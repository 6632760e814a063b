package trace

import "testing"

func TestEffects(t *testing.T) {
	ty := func(name string) *Type { return &Type{Name: name} }
	s := Effects{{Actor: "door", Message: "house.Open", Writes: []string{"open"}},
		{Actor: "shop.door", Message: "Ring", Reads: []string{"bell"}}}
	for _, tt := range []struct {
		actor, message string
		want           *Effect
	}{
		{"house.door", "house.Open", &s[0]},
		{"shop.door", "house.Open", &s[0]},
		{"house.door", "shop.Open", nil},
		{"shop.door", "house.Ring", &s[1]},
		{"house.door", "house.Ring", nil},
		{"house.trapdoor", "house.Open", nil},
	} {
		if got := s.Of(ty(tt.actor), ty(tt.message)); got != tt.want {
			t.Errorf("%s by %s: %v, want %v", tt.message, tt.actor, got, tt.want)
		}
	}
	f := func(reads, writes []string) *Effect { return &Effect{Reads: reads, Writes: writes} }
	a, b := []string{"a"}, []string{"b", "a"}
	for _, tt := range []struct {
		x, y *Effect
		want bool
	}{
		{f(a, nil), f(b, nil), false},
		{f(a, nil), f(nil, b), true},
		{f(nil, a), f(nil, b), true},
		{f(nil, a), f(nil, []string{"b"}), false},
		{f(nil, nil), f(b, b), false},
	} {
		if tt.x.Meets(tt.y) != tt.want || tt.y.Meets(tt.x) != tt.want {
			t.Errorf("%v and %v: want %t", tt.x, tt.y, tt.want)
		}
	}
}
