package gentest

// share makes variables for what several of the values of a test lead to, such as the state and the message: a handler
// may compare the pointers. What it gives fills them in, since they may lead to the tested actor. That has a variable
// of its own.
func (w *writer) share(own *object, values ...*value) (fill func()) {
	met := map[*object]bool{}
	var shared []*object
	for _, v := range values {
		here := map[*object]bool{}
		reaches(v, map[*value]bool{}, func(o *object) (further bool) {
			switch {
			case here[o] || o.name != "":
				return false
			case met[o] && o != own:
				o.name = w.variable("v")
				shared = append(shared, o)
				return false
			}
			here[o] = true
			return true
		})
		for o := range here {
			met[o] = true
		}
	}
	for _, o := range shared {
		w.add("%s := new(%s)", o.name, w.names.typ(o.val.typ))
	}
	return func() {
		for _, o := range shared {
			if !o.val.isZero() {
				w.declare("v", o.val)
				w.add("*%s = %s", o.name, w.expr(o.val, o.val.typ))
			}
		}
	}
}

// object gives what a pointer leads to, nil for what is none.
func (v *value) object() *object {
	if v == nil {
		return nil
	}
	return v.to
}

// reaches visits what the pointers in a value lead to, and what these lead to where visit says so.
func reaches(v *value, seen map[*value]bool, visit func(*object) bool) {
	if v == nil || seen[v] {
		return
	}
	seen[v] = true
	for _, p := range v.keys {
		reaches(p, seen, visit)
	}
	for _, p := range v.parts {
		reaches(p, seen, visit)
	}
	if v.to != nil && visit(v.to) {
		reaches(v.to.val, seen, visit)
	}
}
