package subjects

import "github.com/rehearse-go/rehearse/actor"

// Basset gives the programs of Tables 3.1 to 3.3 of [Basset11], by subject and language.
func Basset() map[string]func() *actor.System {
	return map[string]func() *actor.System{
		"fibonacci foundry": func() *actor.System { return Fib(4) },
		"fibonacci scala":   func() *actor.System { return FibDirect(4) },
		"leader foundry":    func() *actor.System { return Leader(3) },
		"leader scala":      func() *actor.System { return LeaderCreated(1, 0, 2) },
		"mergesort foundry": func() *actor.System { return Mergesort(4) },
		"mergesort scala":   func() *actor.System { return MergesortDirect(4) },
		"pi foundry":        func() *actor.System { return Pi(4) },
		"pi scala":          func() *actor.System { return PiDirect(4) },
		"quicksort foundry": func() *actor.System { return QuicksortBoot(4, 0, 3, 1, 2) },
		"quicksort scala":   func() *actor.System { return QuicksortOf(3, 0, 1, 2) },
		"server foundry":    func() *actor.System { return Server(false) },
		"server scala":      ServerDirect,
		"shortpath foundry": ShortpathDetour,
		"shortpath scala":   ShortpathDetour,
		"spinsort foundry":  func() *actor.System { return SpinsortBoot(4) },
		"spinsort scala":    func() *actor.System { return Spinsort(4) },
	}
}
