package goroutine

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// This file reads what the execution tracer writes, as far as the starts of goroutines need it. All else is skipped,
// for which the number of arguments of each kind of event must be known.
//
// Source: the constants of internal/trace/tracev2 of Go 1.26. Their numbers are the format: later versions add to them,
// and a kind that is not known here is an error.

// Kinds of events that are looked at.
const (
	evBatch           = 1
	evStacks          = 2
	evStack           = 3
	evStrings         = 4
	evString          = 5
	evGoCreate        = 14
	evGoStart         = 16
	evGoDestroy       = 17
	evGoStop          = 19
	evGoBlock         = 20
	evGoStatus        = 25
	evGoSwitch        = 45
	evGoSwitchDestroy = 46
	evGoCreateBlocked = 47
	evGoStatusStack   = 48
	evExperimental    = 49
	evEndOfGeneration = 52
)

// numArgs is how many arguments an event has, by kind; 0: it is none that stands among others.
var numArgs = [evEndOfGeneration]byte{
	9: 3, 3, 1, 4, 3, // processors
	14: 4, 2, 3, 1, 1, 3, 3, 4, 3, 1, 1, 4, // goroutines
	26: 3, 1, // stops of the world
	28: 2, 3, 2, 2, 2, 3, 2, 2, 1, 2, 2, // collection
	39: 2, 5, 3, 4, 4, 5, // annotations
	45: 3, 3, 4, 5,
}

const (
	headerSize = 16
	running    = 2 // the status of a goroutine that has a thread
)

// parser reads the batches of one recording.
type parser struct {
	data    []byte
	at      int
	end     int               // of the batch
	current map[uint64]uint64 // goroutine, by thread
	stacks  map[key][]address
	strings map[key]string
	starts  []Start
	of      []key // the stack of each start
}

// key is a number that the tracer gave in one of its generations, each of which has tables of its own.
type key struct{ generation, id uint64 }

// address is a frame whose names are not looked up yet.
type address struct {
	function, file key
	line           int
}

// unreadable ends parsing, from wherever it is.
type unreadable struct{ error }

var errShort = unreadable{errors.New("the recording of the execution tracer ends in the middle")}

// parse gives the starts of goroutines that a recording holds, those of a thread in their order.
func parse(data []byte) (starts []Start, err error) {
	p := parser{data: data, at: headerSize, end: len(data), current: map[uint64]uint64{}, stacks: map[key][]address{},
		strings: map[key]string{}}
	if !bytes.HasPrefix(data, []byte("go 1.")) {
		return nil, errors.New("the execution tracer has written something else than a recording")
	}
	defer func() {
		if r := recover(); r != nil {
			u, ok := r.(unreadable)
			if !ok {
				panic(r)
			}
			starts, err = nil, u.error
		}
	}()
	for p.at < len(data) {
		p.batch()
	}
	for i, k := range p.of {
		for _, a := range p.stacks[k] {
			p.starts[i].Stack = append(p.starts[i].Stack, Frame{p.strings[a.function], p.strings[a.file], a.line})
		}
	}
	return p.starts, nil
}

// batch reads what one thread wrote together.
func (p *parser) batch() {
	p.end = len(p.data)
	kind := p.byte()
	switch kind {
	case evEndOfGeneration:
		return
	case evExperimental:
		p.byte()
	case evBatch:
	default:
		panic(unreadable{fmt.Errorf("the execution tracer of this version of Go writes batches of kind %d, which are not "+
			"known", kind)})
	}
	generation, thread := p.number(), p.number()
	p.number() // time
	size := p.number()
	if size > uint64(len(p.data)-p.at) {
		panic(errShort)
	}
	p.end = p.at + int(size)
	if kind == evExperimental || size == 0 {
		p.at = p.end
		return
	}
	switch kind = p.data[p.at]; {
	case kind == evStacks || kind == evStrings:
		p.at++
		p.table(generation)
	case int(kind) < len(numArgs) && numArgs[kind] > 0:
		p.events(generation, thread)
	}
	p.at = p.end // clocks, samples of the processor
}

// table reads stacks or strings.
func (p *parser) table(generation uint64) {
	for p.at < p.end {
		kind, k := p.byte(), key{generation, p.number()}
		n := int(p.number())
		switch {
		case kind == evString && n >= 0 && n <= p.end-p.at:
			p.strings[k] = string(p.data[p.at : p.at+n])
			p.at += n
		case kind == evStack:
			for range n {
				p.number() // the program counter
				function, file, line := p.number(), p.number(), p.number()
				p.stacks[k] = append(p.stacks[k], address{key{generation, function}, key{generation, file}, int(line)})
			}
		default:
			panic(errShort)
		}
	}
}

// events reads what happened on a thread.
func (p *parser) events(generation, thread uint64) {
	for p.at < p.end {
		kind := p.byte()
		if int(kind) >= len(numArgs) || numArgs[kind] == 0 {
			panic(unreadable{fmt.Errorf("the execution tracer of this version of Go writes events of kind %d, which are not "+
				"known", kind)})
		}
		var args [5]uint64
		for i := range numArgs[kind] {
			args[i] = p.number()
		}
		switch kind {
		case evGoStart, evGoSwitch, evGoSwitchDestroy:
			p.current[thread] = args[1]
		case evGoStop, evGoBlock, evGoDestroy:
			p.current[thread] = 0
		case evGoStatus, evGoStatusStack:
			if args[3] == running {
				p.current[args[2]] = args[1]
			}
		case evGoCreate, evGoCreateBlocked:
			p.starts = append(p.starts, Start{ID: args[1], By: p.current[thread], Coroutine: kind == evGoCreateBlocked})
			p.of = append(p.of, key{generation, args[3]})
		}
	}
}

func (p *parser) byte() byte {
	if p.at >= p.end {
		panic(errShort)
	}
	p.at++
	return p.data[p.at-1]
}

func (p *parser) number() uint64 {
	n, size := binary.Uvarint(p.data[p.at:p.end])
	if size <= 0 {
		panic(errShort)
	}
	p.at += size
	return n
}
