package profile

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// random makes a profile of few names, so that two of them share rows. Some names need quotes.
func random(r *rand.Rand) *Profile {
	pick := func(names ...string) string { return names[r.IntN(len(names))] }
	p := New()
	for range r.IntN(12) {
		t := Test{pick("example.com/bank", "example.com/b"), pick("TestX", "TestX/two_clients#1", ""), pick("bag", "mailbox")}
		c := p.Of(t, pick("bank.Account", "worker 1", `"quoted"`, "bank.Box[example.com/bank.T]", "\xff\n"))
		message := func() string { return pick("bank.Deposit", "bank.Withdraw", "struct { X int }", "Größe", "") }
		c.Received[message()] = true
		if r.IntN(3) > 0 {
			c.see(message(), message(), Flags(r.IntN(int(allFlags)+1)))
		}
	}
	return p
}

func merged(ps ...*Profile) *Profile {
	all := New()
	for _, p := range ps {
		all.Merge(p)
	}
	return all
}

// Merging is a join, and what was written is read.
func TestMergeIsAJoin(t *testing.T) {
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 1))
		a, b, c := random(r), random(r), random(r)
		texts := []string{a.String(), b.String(), c.String()}
		equal := func(law string, p, q *Profile) {
			t.Helper()
			if p.String() != q.String() {
				t.Fatalf("seed %d: %s:\n%s\n%s", seed, law, p, q)
			}
		}
		equal("associative", merged(merged(a, b), c), merged(a, merged(b, c)))
		equal("commutative", merged(a, b), merged(b, a))
		equal("idempotent", merged(a, a), a)
		equal("absorbing", merged(merged(a, b), b), merged(a, b))
		equal("neutral", merged(New(), a), a)
		for i, p := range []*Profile{a, b, c} {
			if p.String() != texts[i] {
				t.Fatalf("seed %d: merging changed what it merged:\n%s\n%s", seed, texts[i], p)
			}
			q, err := Decode(strings.NewReader(p.String()), "x")
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, p)
			}
			equal("round trip", p, q)
		}
		// A file is a set of rows: one text behind the other is a text of both.
		_, rows, _ := strings.Cut(b.String(), "\n")
		q, err := Decode(strings.NewReader(a.String()+rows), "x")
		if err != nil {
			t.Fatal(err)
		}
		equal("concatenated", merged(a, b), q)
	}
}

// Every version stays readable, and says the same for ever.
func TestVersions(t *testing.T) {
	p, err := ReadFile("testdata/version1.coverage")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, a := range p.Classify() {
		n := a.Count()
		percent, ok := n.Percent()
		fmt.Fprintf(&b, "%s %v %.1f %v\n", a.Type, n, percent, ok)
		for _, q := range a.Pairs {
			fmt.Fprintf(&b, "\t%s %q %q %v\n", q.Standing, q.First, q.Second, q.Changes)
		}
	}
	const golden = "testdata/version1.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || b.String() != string(want) {
		t.Errorf("%v; got\n%s\nwant\n%s", err, b.String(), want)
	}
	if text, _ := os.ReadFile("testdata/version1.coverage"); Version == 1 && p.String() != string(text) {
		t.Errorf("written differently:\n%s", p)
	}
}

func TestBadProfiles(t *testing.T) {
	const first = "rehearse_coverage 1\n"
	for text, want := range map[string]string{
		"":                    "f: the file is empty: want a coverage profile",
		"mode: set\n":         "f:1: this is no coverage profile: want a first line such as \"rehearse_coverage 1\"",
		"rehearse_coverage 0": "f:1: this is no coverage profile",
		"rehearse_coverage 2\n": "f:1: written by a newer Rehearse (format 2, this one reads up to 1): update " +
			"github.com/rehearse-go/rehearse",
		first + "p T bag A received": "f:2: a row of 5 words: want package, test, " +
			"model, actor type and what it received",
		first + "p T bag A received M N":                                  `f:2: "received M N": want received and a message type, or ordered and two`,
		first + "p T bag A ordered M":                                     `f:2: "ordered M": want received`,
		first + "p T bag A lost M":                                        `f:2: "lost M": want received`,
		first + "p T bag A ordered M N free\np T bag A ordered M N often": `f:3: "often": want free, forced, reversed or changes behind the message types`,
		first + `p T bag A received "M`:                                   "f:2: a quotation mark that nothing closes",
		first + `p T bag "A"received M`:                                   `f:2: "A": want a space behind the closing quotation mark`,
		first + "p T bag  A received M":                                   "f:2: two spaces, or one at the end of the line",
		first + "p T bag A received M ":                                   "f:2: two spaces, or one at the end of the line",
		first + "\n":                                                      "f:2: a row of 0 words",
		first + strings.Repeat("x", 2<<20):                                "f:2: bufio.Scanner: token too long",
		"rehearse_coverage 1 \n":                                          "f:1: this is no coverage profile",
		first + "p T bag A ordered M N free ":                             "f:2: two spaces, or one at the end",
	} {
		_, err := Decode(strings.NewReader(text), "f")
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.60q: %v, want %s", text, err, want)
		}
	}
}

// What the rows of two tests amount to. Rows: first, second and flags of orders.
func TestStandings(t *testing.T) {
	for _, c := range []struct {
		rows []string // of a test each
		want string
	}{
		{[]string{"received A\nreceived B"}, "never A B"},
		{[]string{"received A", "received B"}, "never A B"},
		{[]string{"ordered A B"}, "one way A B"},
		{[]string{"ordered B A free"}, "one way B A"},
		{[]string{"ordered A B forced"}, "impossible A B"},
		{[]string{"ordered A B forced", "ordered A B free"}, "one way A B"},
		{[]string{"ordered A B forced", "ordered B A forced"}, "both A B"},
		{[]string{"ordered A A"}, "one way A A"},
		{[]string{"ordered A A forced"}, "impossible A A"},
		{[]string{"ordered A A forced", "ordered A A reversed changes"}, "both A A changes"},
		{[]string{"received A"}, ""},
		{[]string{"ordered A B changes", "received C"}, "never A C, never B C, one way A B changes"},
	} {
		p := New()
		for i, rows := range c.rows {
			for row := range strings.Lines(rows) {
				if err := p.parse(fmt.Sprintf("p Test%d bag T ", i) + strings.TrimSpace(row)); err != nil {
					t.Fatal(err)
				}
			}
		}
		var got []string
		for _, q := range p.Classify()[0].Pairs {
			text := fmt.Sprintf("%s %s %s", q.Standing, q.First, q.Second)
			if q.Changes {
				text += " changes"
			}
			got = append(got, text)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%q: %q, want %s", c.rows, got, c.want)
		}
	}
	if _, ok := new(Count).Percent(); ok {
		t.Error("nothing has a percentage")
	}
	n := Count{Never: 1, OneWay: 2, Both: 3, Impossible: 4}
	if p, ok := n.Percent(); !ok || p != 50 || n.Total() != 6 {
		t.Errorf("%v of %d", p, n.Total())
	}
}

// Whatever is read is written so that it is read again.
func FuzzDecode(f *testing.F) {
	text, err := os.ReadFile("testdata/version1.coverage")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Add("rehearse_coverage 1\n\"\" \"\\xff\" \" \" \"\\\"\" ordered a a reversed\n")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Decode(strings.NewReader(text), "f")
		if err != nil {
			return
		}
		q, err := Decode(strings.NewReader(p.String()), "f")
		if err != nil || q.String() != p.String() {
			t.Errorf("%v\n%s\n%s", err, p, q)
		}
	})
}
