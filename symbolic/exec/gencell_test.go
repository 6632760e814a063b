package exec_test

// cell is a statement on embedded structs, or on what packages sync and sync/atomic hold.
func (g *gen) cell(depth int) {
	k := g.v("*K")
	switch g.IntN(9) {
	case 0:
		g.embedded(k)
	case 1, 2:
		g.number(k, depth)
	case 3:
		g.truth(k, depth)
	case 4:
		g.held(k)
	case 5:
		if g.doing { // two of them may be one, which would wait for itself for ever
			return
		}
		g.doing = true
		g.p("%s.Once.Do(func() {\nr++", k)
		g.nested(depth)
		g.p("})")
		g.doing = false
	case 6:
		g.p("func() {\n%s.Mu.Lock()\ndefer %s.Mu.Unlock()", k, k)
		g.p("r -= 2\n}()")
	default:
		g.syncMap(k)
	}
}

// nested is a block of a function literal without results.
func (g *gen) nested(depth int) {
	if depth <= 0 {
		return
	}
	g.closures++
	old := g.plain
	g.plain = true
	g.block(depth)
	g.plain = old
	g.closures--
}

func (g *gen) embedded(k string) {
	g.p("%s", []string{k + ".N -= " + g.v("int"), k + ".A++", "r += " + k + ".Add(" + g.v("int") + ")", "r ^= " + k + ".Sum()", k + ".X = " + g.v("int"), "r += " + k + ".X", k + ".P = " + g.v("*P"),
		"s = " + k + ".P", "s = " + k + ".Next", k + ".Shape = " + g.v("Shape"), "r += " + k + ".Area(" + g.v("int") + ")", k + ".Base.V = " + g.v("V"), "v = " + k + ".Base.V"}[g.IntN(13)])
}

// number does something with a cell of numbers.
func (g *gen) number(k string, depth int) {
	switch g.IntN(8) {
	case 0:
		g.p("%s.Hits.Store(%s)", k, g.v("int64"))
	case 1:
		g.p("d = %s.Hits.Add(%s)", k, g.v("int64"))
	case 2:
		g.p("d = %s.Hits.Swap(d)", k)
	case 3:
		g.p("if %s.Hits.CompareAndSwap(%s, %s) {", k, g.v("int64"), g.v("int64"))
		g.block(depth)
		g.p("}")
	case 4:
		g.p("%s.Cell.Add(uint32(%s))", k, g.v("int"))
	case 5:
		g.p("r += int(%s.Cell.Load())", k)
	case 6:
		g.p("d ^= atomic.AddInt64(&%s, 3)", g.v("int64"))
	case 7:
		g.p("r += int(atomic.LoadInt32(&%s.V.B[1]))", g.v("*P"))
	}
}

// truth does something with a cell of a truth value, or of a pointer.
func (g *gen) truth(k string, depth int) {
	switch g.IntN(8) {
	case 0:
		g.p("%s.On.Store(%s)", k, g.v("bool"))
	case 1:
		g.p("f = %s.On.Load()", k)
	case 2:
		g.p("f = %s.On.Swap(!f)", k)
	case 3:
		g.p("if %s.On.CompareAndSwap(f, true) {", k)
		g.block(depth)
		g.p("}")
	case 4:
		g.p("%s.To.Store(%s)", k, g.v("*P"))
	case 5:
		g.p("s = %s.To.Load()", k)
	case 6:
		g.p("s = %s.To.Swap(%s)", k, g.v("*P"))
	case 7:
		g.p("if %s.To.CompareAndSwap(s, %s) {\nr--\n}", k, g.v("*P"))
	}
}

// held does something with a cell of values of any type.
func (g *gen) held(k string) {
	switch g.IntN(4) {
	case 0:
		g.p("%s.Any.Store(%s)", k, g.v("any"))
	case 1:
		g.p("i = %s.Any.Load()", k)
	case 2:
		g.p("i = %s.Any.Swap(%s)", k, g.v("any"))
	case 3:
		g.p("%s.Any.Store(%s)", k, g.v([]string{"int", "string", "*P"}[g.IntN(3)]))
	}
}

// syncMap does something with a sync.Map, whose keys are numbers and strings.
func (g *gen) syncMap(k string) {
	key := g.v([]string{"int", "string"}[g.IntN(2)])
	value := g.v([]string{"int", "any", "*P", "string"}[g.IntN(4)])
	switch g.IntN(8) {
	case 0:
		g.p("%s.Map.Store(%s, %s)", k, key, value)
	case 1:
		g.p("if z, ok := %s.Map.Load(%s); ok {\ni = z\nr++\n}", k, key)
	case 2:
		g.p("%s.Map.Delete(%s)", k, key)
	case 3:
		g.p("if z, ok := %s.Map.LoadOrStore(%s, %s); !ok {\ni = z\nr--\n}", k, key, value)
	case 4:
		g.p("if z, ok := %s.Map.LoadAndDelete(%s); ok {\ni = z\n}", k, key)
	case 5:
		g.p("i, f = %s.Map.Swap(%s, %s)", k, key, value)
	case 6:
		g.p("%s.Map.Clear()", k)
	case 7:
		g.p("%s.Map.Range(func(_, z any) bool {\nif n, ok := z.(int); ok {\nr += n\n}\nreturn true\n})", k)
	}
}
