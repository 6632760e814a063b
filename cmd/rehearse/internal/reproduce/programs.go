package reproduce

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/published"
	"github.com/rehearse-go/rehearse/subjects"
)

// program is a subject at the size at which a table has it.
type program struct {
	name string
	make func() *actor.System
}

// smaller are the programs of tables 3.1 to 3.3, by subject and language. Their sizes are not printed: these are the
// ones whose counts without reduction are the published ones.
var smaller = map[string]program{
	"fibonacci foundry": {"fib(4)", func() *actor.System { return subjects.Fib(4) }},
	"fibonacci scala":   {"fib(4), direct", func() *actor.System { return subjects.FibDirect(4) }},
	"leader foundry":    {"leader(3)", func() *actor.System { return subjects.Leader(3) }},
	"leader scala":      {"leader(3) created 1 0 2", func() *actor.System { return subjects.LeaderCreated(1, 0, 2) }},
	"mergesort foundry": {"mergesort(4)", func() *actor.System { return subjects.Mergesort(4) }},
	"mergesort scala":   {"mergesort(4), direct", func() *actor.System { return subjects.MergesortDirect(4) }},
	"pi foundry":        {"pi(4)", func() *actor.System { return subjects.Pi(4) }},
	"pi scala":          {"pi(4), direct", func() *actor.System { return subjects.PiDirect(4) }},
	"quicksort foundry": {"quicksort of 4 0 3 1 2", func() *actor.System { return subjects.QuicksortBoot(4, 0, 3, 1, 2) }},
	"quicksort scala":   {"quicksort of 3 0 1 2, direct", func() *actor.System { return subjects.QuicksortOf(3, 0, 1, 2) }},
	"server foundry":    {"server", func() *actor.System { return subjects.Server(false) }},
	"server scala":      {"server, direct", subjects.ServerDirect},
	"shortpath foundry": {"shortpath, detour", subjects.ShortpathDetour},
	"shortpath scala":   {"shortpath, detour", subjects.ShortpathDetour},
	"spinsort foundry":  {"spinsort(4), booted", func() *actor.System { return subjects.SpinsortBoot(4) }},
	"spinsort scala":    {"spinsort(4)", func() *actor.System { return subjects.Spinsort(4) }},
}

// larger are those of tables 4.1, 4.2 and classes, by subject.
var larger = map[string]program{
	"chameneos":  {"chameneos(2)", func() *actor.System { return subjects.Chameneos(2) }},
	"chameneos1": {"chameneos(1)", func() *actor.System { return subjects.Chameneos(1) }},
	"chameneos2": {"chameneos(2)", func() *actor.System { return subjects.Chameneos(2) }},
	"fib4":       {"fib(4)", func() *actor.System { return subjects.Fib(4) }},
	"fib5":       {"fib(5)", func() *actor.System { return subjects.Fib(5) }},
	"leader":     {"leader(3)", func() *actor.System { return subjects.Leader(3) }},
	"leader3":    {"leader(3)", func() *actor.System { return subjects.Leader(3) }},
	"pi3":        {"pi(3)", func() *actor.System { return subjects.Pi(3) }},
	"pi4":        {"pi(4)", func() *actor.System { return subjects.Pi(4) }},
	"pi5":        {"pi(5)", func() *actor.System { return subjects.Pi(5) }},
	"pipesort3":  {"pipesort(3)", func() *actor.System { return subjects.Pipesort(3) }},
	"pipesort4":  {"pipesort(4)", func() *actor.System { return subjects.Pipesort(4) }},
	"quicksort4": {"quicksort(4)", func() *actor.System { return subjects.Quicksort(4) }},
	"quicksort6": {"quicksort(6)", func() *actor.System { return subjects.Quicksort(6) }},
	"registry":   {"registry", subjects.Registry},
	"server":     {"server", func() *actor.System { return subjects.Server(false) }},
	"shortpath3": {"shortpath, triangle", subjects.ShortpathTriangle},
	"shortpathA": {"shortpath, graph A", subjects.ShortpathA},
	"shortpathB": {"shortpath, graph B", subjects.ShortpathB},
	"shortpathD": {"shortpath, detour", subjects.ShortpathDetour},
	"mergesort4": {"mergesort(4)", func() *actor.System { return subjects.Mergesort(4) }},
	"spinsort4":  {"spinsort(4)", func() *actor.System { return subjects.Spinsort(4) }},
	"regsim4":    {"regsim(4)", func() *actor.System { return subjects.Regsim(4) }},
	"fibtasks4":  {"fib(4) of tasks", func() *actor.System { return subjects.FibTasks(4) }},
}

// programOf gives the program of a row; false: there is none, because its source is not published.
func programOf(r *published.Row) (program, bool) {
	if r.Language == "" {
		p, ok := larger[r.Subject]
		return p, ok
	}
	subject := r.Subject
	if subject == "fib" {
		subject = "fibonacci" // table 3.3 abbreviates
	}
	p, ok := smaller[subject+" "+r.Language]
	return p, ok
}
