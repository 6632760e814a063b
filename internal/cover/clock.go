package cover

// clock is a vector clock. It has for each chain how many of its first places come before something. Entries beyond its
// end are 0. Clocks are shared: they are never written to once they are in a place.
type clock []int32

// has reports whether place at of the chain is among those that come before.
func (c clock) has(chain, at int32) bool { return int(chain) < len(c) && at < c[chain] }

// covers reports whether c says all that d says.
func (c clock) covers(d clock) bool {
	for i, n := range d {
		if n > 0 && (i >= len(c) || c[i] < n) {
			return false
		}
	}
	return true
}

// join adds what d says, in the memory of c.
func (c clock) join(d clock) clock {
	for len(c) < len(d) {
		c = append(c, 0)
	}
	for i, n := range d {
		if n > c[i] {
			c[i] = n
		}
	}
	return c
}

// raise says that place at of the chain, and all before it, come before.
func (c clock) raise(chain, at int32) clock {
	for int(chain) >= len(c) {
		c = append(c, 0)
	}
	if at >= c[chain] {
		c[chain] = at + 1
	}
	return c
}

// joined is c and d together, one of them if that says it all.
func joined(c, d clock) clock {
	switch {
	case c.covers(d):
		return c
	case d.covers(c):
		return d
	}
	return append(clock(nil), c...).join(d)
}
