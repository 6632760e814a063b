package facts

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// sample has everything that a file can say.
func sample() *File {
	return &File{Package: "example.com/bank", Tool: "0.1", Go: "go1.26.1", Platform: "linux/amd64",
		Sources: []Source{{Dir: "../..", Package: "example.com/bank", Tests: true, Hash: "00ff"}},
		Actors: []Actor{
			{Name: "bank.account", Package: "example.com/bank", At: "account.go:10", Fields: []string{"balance", "log", "owner"},
				Constants: []string{"owner"},
				Opaque:    []string{"log"}, Framework: "native"},
			{Name: "bank.Serve", Package: "example.com/bank", At: "serve.go:3", Function: true, Constraints: true,
				Ambiguous: true, Framework: "protoactor",
				Matched: Matched{Cases: []string{"*bank.Close", "bank.Open"}, Ignored: []string{"bank.Count"}, Ignores: true,
					Unclear: "its behaviour changes"}},
		},
		Handlers: []Handler{
			{Actor: "bank.account", Message: "bank.Deposit", At: "account.go:10", Reads: []string{"balance"},
				Writes: []string{"balance", "log[].text"},
				Sends:  []Send{{Message: "bank.Done", To: []string{"bank.client"}, Conditions: 2, At: "account.go:14"}}},
			{Actor: "bank.account", Message: Rest, Unknown: "it starts a goroutine (account.go:20)"},
			{Actor: "bank.Serve", Message: "bank.Open", Spawns: []string{"bank.account"}, Becomes: true, Stops: true,
				Blocks: true, Shares: true, Other: []string{"timer"}},
		},
		Sent: []string{"bank.Deposit", "bank.Done"}}
}

func TestCodec(t *testing.T) {
	want := sample()
	text := want.Marshal()
	got, err := Parse("x", text)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got.Handlers {
		if got.Handlers[i].Line != 5+i {
			t.Errorf("handler %d is on line %d, want %d", i, got.Handlers[i].Line, 5+i)
		}
		got.Handlers[i].Line = 0
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v\nwant %+v", got, want)
	}
}

// Files of every version that was ever written stay readable.
func TestOldVersions(t *testing.T) {
	first, second := sample(), sample()
	first.Actors[1].Matched = Matched{} // what version 2 added
	second.Actors[1].Ignored = nil      // what version 3 added
	for file, want := range map[string]*File{"testdata/v1.facts": first, "testdata/v2.facts": second,
		"testdata/v3.facts": sample()} {
		f, err := Load(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := range f.Handlers {
			f.Handlers[i].Line = 0
		}
		if !reflect.DeepEqual(f, want) {
			t.Errorf("%s: read %+v\nwant %+v", file, f, want)
		}
	}
}

// What is wrong with a file is said with its line, and what to do.
func TestBadFiles(t *testing.T) {
	good := string(sample().Marshal())
	lines := strings.SplitAfter(good, "\n")
	change := func(line int, text string) string {
		all := append([]string(nil), lines...)
		all[line-1] = text
		return strings.Join(all, "")
	}
	for name, tt := range map[string]struct{ text, want string }{
		"empty":   {"", "f:1: the line of messages sent is missing"},
		"no JSON": {"facts\n", "f:1: want a line that begins with {\"facts\":3"},
		"newer": {change(1, `{"facts":4,"more":true}`+"\n"),
			"f:1: it has version 4 and this rehearse reads up to 3"},
		"version 0":   {change(1, "{}\n"), "f:1: want a line that begins with {\"facts\":3, and a version above 0"},
		"cut off":     {good[:len(good)-1], "f:8: the line does not end"},
		"a line less": {strings.Join(lines[:7], ""), "f:8: the line of messages sent is missing"},
		"a line more": {good + good, "f:9: something follows the line of messages sent"},
		"unknown field": {change(5, `{"handler":"bank.account","message":"x","raeds":[]}`+"\n"),
			`f:5: unknown field "raeds"`},
		"unknown line": {change(2, `{"sauce":"."}`+"\n"),
			`f:2: "sauce": want a line that begins with source, actor, handler or sent`},
		"no object":    {change(2, "[]\n"), "f:2: want a JSON object"},
		"empty object": {change(2, "{}\n"), "f:2: want a JSON object with a field"},
		"two objects":  {change(2, `{"source":"."}{}`+"\n"), "f:2: something follows the object"},
		"wrong kind":   {change(3, `{"actor":7}`+"\n"), "f:3: "},
		"nobody's": {change(5, `{"handler":"bank.nobody","message":"x"}`+"\n"),
			`f:5: a handler of actor "bank.nobody", which no line before tells of`},
		"an actor twice": {change(4, lines[2]), "f:4: actor bank.account is here twice"},
	} {
		_, err := Parse("f", []byte(tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasSuffix(err.Error(), remedy) {
			t.Errorf("%s: error %v, want %q and what to do", name, err, tt.want)
		}
	}
}

// Whatever is read is written and read again as the same; nothing panics.
func FuzzParse(f *testing.F) {
	f.Add(sample().Marshal())
	f.Add([]byte("{\"facts\":1}\n{\"sent\":null}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		once, err := Parse("f", data)
		if err != nil {
			return
		}
		text := once.Marshal()
		again, err := Parse("f", text)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, text)
		}
		if string(again.Marshal()) != string(text) {
			t.Errorf("written twice:\n%s%s", text, again.Marshal())
		}
		once.Effects("f")
	})
}

// A change of any file that was read, and a new one, make the facts stale; other files do not.
func TestStale(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("a.go", "package a")
	write("a_test.go", "package a")
	path := filepath.Join(dir, filepath.FromSlash(Place))
	fresh := func(tests bool) *File {
		t.Helper()
		hash, err := HashSource(dir, tests)
		if err != nil {
			t.Fatal(err)
		}
		f := &File{Tool: Analysis, Sources: []Source{{Dir: "../..", Package: "example.com/a", Tests: tests, Hash: hash}}}
		if err := f.Write(path); err != nil {
			t.Fatal(err)
		}
		if f, err = Load(path); err != nil {
			t.Fatal(err)
		}
		return f
	}
	for _, tt := range []struct {
		name, text  string
		tests, want bool
	}{
		{"a.go", "package a // new", false, true},
		{"b.go", "package a", false, true},
		{"a_test.go", "package a // new", false, false},
		{"a_test.go", "package a // newer", true, true},
		{"notes.txt", "none", true, false},
	} {
		f := fresh(tt.tests)
		if why := f.Stale(path); why != "" {
			t.Errorf("stale at once: %s", why)
		}
		write(tt.name, tt.text)
		if why := f.Stale(path); (why != "") != tt.want {
			t.Errorf("%s has changed, tests %t: stale %q, want %t", tt.name, tt.tests, why, tt.want)
		}
	}
	if why := (&File{Tool: "0"}).Stale(path); !strings.Contains(why, "from version 0") {
		t.Errorf("of another analysis: %q", why)
	}
	f := fresh(true)
	if why := f.Stale(filepath.Join(dir, "elsewhere", "x", "y", "facts")); !strings.Contains(why,
		"package example.com/a cannot be read") {
		t.Errorf("of a folder that is not there: %q", why)
	}
	if _, err := Load(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}
