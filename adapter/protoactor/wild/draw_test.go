package wild

import (
	"math/rand/v2"
	"strings"
)

// feature is what a program is made of.
type feature struct {
	name     string
	deeds    string // what handlers do,
	test     string // what the test does,
	setUp    string // and what it does in set-up
	routers  string // of which a program has one or two
	rules    string // strategies of supervision
	around   string // what may be around an actor
	events   int    // up to here handlers do something
	roots    int    // at most
	guarded  bool   // there may be a guardian
	listens  bool   // and a listener
	clock    bool   // needs time
	chance   int    // one of so many handlers of what the framework tells is there
	handlers int    // deeds of a handler, at most; 0: 3
}

// inSetUp is what the test does in set-up unless a feature says otherwise.
const inSetUp = "send send request callFor introduce"

// features are those of programs.
var features = []feature{
	{name: "routers", deeds: "send send request respond addRoutee removeRoutee routees broadcast stop choose forward", test: "send send request addRoutee removeRoutee broadcast routees",
		setUp: "send request addRoutee", routers: "round round broadcast random random hash roundPool broadcastPool randomPool", events: 2, roots: 2, handlers: 2},
	{name: "supervised", deeds: "panic panic spawn spawn send introduce respond watch stop stash", test: "send send spawn", setUp: "send spawn callFor", rules: "one one all all restarting own", events: onRestarting + 1, roots: 2,
		guarded: true, listens: true},
	{name: "families", deeds: "spawn spawn spawn panic stop poison stopSelf watch unwatch children send introduce stopWait", test: "send send stop poison spawn", setUp: "send spawn", rules: "one all own", events: onRestarting + 1, roots: 2},
	{name: "middleware", deeds: "send send request respond forward spawn introduce call self panic", test: "send send request call", setUp: inSetUp, around: "receiver receiver sender spawn decorator mailbox init", events: 2, roots: 3},
	{name: "clocks", deeds: "timeout timeout noTimeout after after cancel send quiet callFor reenterFor now respond stopSelf afterFunc", test: "send send after sleep", setUp: "send after callFor", events: events, roots: 2, clock: true, handlers: 2},
	{name: "repeats", deeds: "repeat cancel cancel send timeout now stop after stash", test: "send send", setUp: "send", events: events, roots: 2, clock: true, handlers: 2},
	{name: "behaviours", deeds: "become stack stack unstack unstack send request respond introduce stash panic", test: "send send send", setUp: inSetUp, rules: "one all", events: 2, roots: 2},
	{name: "futures", deeds: "reenter reenter ask ask await pipe pipeOld own respond respond send call stopWait poisonWait forward", test: "send send ask await call", setUp: "send callFor ask", events: 2, roots: 3},
	{name: "streams", deeds: "subscribe subscribe subscribe unsubscribe publish publish send stop choose", test: "send send send publish", setUp: "send publish", events: onStart + 1, roots: 3, listens: true, handlers: 2},
	{name: "letters", deeds: "batch auto onBehalf claim byName rootSend forward self send respond stop rootSpawn", test: "send request batch auto claim", setUp: "send request", events: 2, roots: 2, listens: true},
	{name: "escalates", deeds: "spawn spawn panic panic send introduce", test: "send send spawn", setUp: "send spawn", rules: "one all", events: onRestarting, roots: 2, guarded: true, chance: 4},
	{name: "backoff", deeds: "panic panic send spawn introduce stop now", test: "send send spawn", setUp: "send spawn", rules: "backoff", events: 2, roots: 2, clock: true, handlers: 2},
	{name: "errors", deeds: "error error choose send introduce panic publish subscribe call respond", test: "send send error", setUp: inSetUp, events: 2, roots: 3},
	{name: "watched", deeds: "watch watch unwatch stop poison stopWait send broadcast respond", test: "send send send stop poison", setUp: "send", routers: "round broadcast random hash roundPool", events: onGone + 1, roots: 2,
		chance: 3, handlers: 2, clock: true},
	{name: "boxes", deeds: "send send request respond spawn stop panic call publish subscribe forward", test: "send send send publish", setUp: inSetUp, around: "counting counting mailbox receiver", events: 2, roots: 2, clock: true},
	{name: "sleepy", deeds: "sleep send request respond after call now reenterFor timeout", test: "send send sleep call", setUp: "send sleep", events: 2, roots: 2, clock: true, handlers: 2},
	{name: "faulty", deeds: "send send request respond spawn watch call reenter stop panic become after timeout", test: "send send request spawn call", setUp: "send spawn", rules: "one all own", events: onTimeout + 1, roots: 2, clock: true,
		chance: 4, handlers: 2},
	{name: "all", deeds: everything, test: "send send send request spawn stop call publish ask await", setUp: "send request callFor spawn publish", routers: "round broadcast random", rules: "one all restarting own",
		around: "receiver sender spawn decorator init", events: events, roots: 2, guarded: true, listens: true, chance: 4, handlers: 2},
	{name: "all timed", deeds: everything + " " + timed, test: "send send send request spawn stop call callFor publish after sleep", setUp: "send request callFor spawn after", routers: "round broadcast random", rules: "one all restarting own",
		around: "receiver sender spawn decorator init", events: events, roots: 2, guarded: true, listens: true, clock: true, chance: 4, handlers: 2},
}

const (
	everything = "send send send introduce request respond forward self spawn stop poison stopSelf watch unwatch children panic panic stash become stack unstack reenter ask await pipe pipeOld own call " +
		"stopWait poisonWait subscribe unsubscribe publish batch auto onBehalf claim byName rootSend rootSpawn choose addRoutee removeRoutee routees broadcast"
	timed = "timeout timeout noTimeout after cancel afterFunc quiet callFor reenterFor now"
)

// draw makes the program of a seed.
func draw(seed uint64, f feature) *program {
	r := rand.New(rand.NewPCG(seed, 0x77696c64))
	p := &program{feature: f.name, hops: 1 + r.IntN(2), guarded: f.guarded && r.IntN(3) == 0, listens: f.listens && r.IntN(3) == 0}
	for i := range p.kinds {
		f.kind(r, &p.kinds[i])
	}
	for range max(2, 1+r.IntN(f.roots)) {
		p.roots = append(p.roots, r.IntN(kinds))
	}
	if f.routers != "" && (f.name == "routers" || r.IntN(2) == 0) {
		for range 1 + r.IntN(2) {
			p.routers = append(p.routers, word(r, f.routers))
		}
	}
	for range max(0, r.IntN(4)-1) {
		var part []deed
		for range 1 + r.IntN(2) {
			part = append(part, f.deed(r, f.setUp))
		}
		p.setUps = append(p.setUps, part)
	}
	for range 2 + r.IntN(3) {
		p.first = append(p.first, f.deed(r, f.test))
	}
	return p
}

// word draws one of some words.
func word(r *rand.Rand, words string) string {
	all := strings.Fields(words)
	if len(all) == 0 {
		return ""
	}
	return all[r.IntN(len(all))]
}

// deed draws one of those named.
func (f *feature) deed(r *rand.Rand, words string) deed {
	d := deed{what: word(r, words), to: r.IntN(4), typ: r.IntN(2)}
	if strings.HasPrefix(d.what, "reenter") {
		for range r.IntN(3) {
			d.then = append(d.then, deed{what: "send", to: r.IntN(4), typ: r.IntN(2)})
		}
	}
	return d
}

// kind draws what actors of one type do.
func (f *feature) kind(r *rand.Rand, k *kind) {
	for mode := range k.handlers {
		for event := range f.events {
			n := 1 + r.IntN(max(f.handlers, 2))
			if event >= onStart && r.IntN(max(3, f.chance)) > 0 {
				n = 0
			} else if event >= onStart {
				n = 1
			}
			for range n {
				k.handlers[mode][event] = append(k.handlers[mode][event], f.deed(r, f.deeds))
			}
		}
	}
	if r.IntN(3) > 0 {
		k.strategy = word(r, f.rules)
	}
	k.decides, k.retries = [2]int{r.IntN(3), r.IntN(3)}, r.IntN(3)
	if f.name == "escalates" || f.name == "all" {
		k.decides[r.IntN(2)] = 3
	}
	for range r.IntN(3) {
		if what := word(r, f.around); !strings.Contains(k.around, what) {
			k.around += what + " "
		}
	}
}
