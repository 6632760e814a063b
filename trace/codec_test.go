package trace

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the goldens of the current format anew")

// example has every field set somewhere.
func example() *Schedule {
	return &Schedule{
		Header: Header{Version: 1, Tool: "v0.1.0", Package: "example.org/bank", Test: "TestOverdraft/two_clients", Ordinal: 1,
			Model: Mailbox, Timers: Async, Strategy: "auto", Seed: 18446744073709551615,
			Violation: &Violation{Kind: Deadlock, ActorType: "bank.Account", MessageType: "bank.Withdraw",
				Site:  "bank.(*Account).Receive",
				Waits: []Wait{{"bank.A", "bank.Reply"}, {"bank.B", "<nil> & \"others\""}}, Text: "blocked:\nA and B",
				Where: "account.go:41", Event: 7, Actor: "Account"}},
		Steps: []Forced{
			{ID: ID{1, 2}, Kind: Deliver, First: ID{0xabc, 0xdef}, Actor: "Account", Message: "bank.Withdraw", From: "Client#2"},
			{ID: ID{0, 3}, Kind: Send, Actor: "Client#1", Message: "bank.Balance", From: "Client#1", To: "Account"},
			{ID: ID{4, 0}, Kind: Choose, Actor: "Client#1", Value: 3, Optional: true},
			{ID: ID{5, 5}, Kind: Start},
		},
	}
}

func encode(t testing.TB, s *Schedule) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := EncodeSchedule(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// faulty is example with faults.
func faulty() *Schedule {
	s := example()
	s.Header.Version, s.Header.Faults = 2, Faults{Max: 2, Kinds: FaultKindsOf(Drop, CrashLosing, Restart)}
	s.Steps = append(s.Steps,
		Forced{ID: ID{6, 1}, Kind: Fault, Value: int(Drop), Actor: "Client#1", Message: "bank.Balance",
			From: "Client#1", To: "Account"},
		Forced{ID: ID{6, 2}, Kind: Fault, Value: int(CrashLosing), Actor: "Account",
			Message: "bank.Withdraw", From: "Client#2"},
		Forced{ID: ID{6, 3}, Kind: Fault, Value: int(Restart), Actor: "Account"})
	return s
}

// split is example with a release that names what it releases.
func split() *Schedule {
	s := example()
	s.Header.Version = 3
	s.Steps[0].First, s.Steps[1].First = ID{}, s.Steps[0].First
	return s
}

// drawing is example with what Go chooses.
func drawing() *Schedule {
	s := example()
	s.Header.Version, s.Header.Choices, s.Header.Go = 4, 3, "go1.26.8 linux/amd64"
	s.Steps = append(s.Steps, Forced{ID: ID{7, 2}, Kind: Draw, Actor: "Account", Value: 2,
		Draw: "the map at bank.go:12 begins at its place 3 of 5"})
	return s
}

// drawingLast is drawing with what Go chooses in a final check.
func drawingLast() *Schedule {
	s := drawing()
	s.Header.Version, s.Header.Layer = 5, 2
	s.Header.Ends = []ForcedEnd{{Value: 0}, {Value: 1, Draw: "the select at bank_test.go:40 takes ready case 2 of 2"}}
	return s
}

// The file of each version so far is read for ever, and written exactly so: by the oldest version that can say it.
func TestScheduleVersions(t *testing.T) {
	for name, want := range map[string]*Schedule{"v1": example(), "v2": faulty(), "v3": split(), "v4": drawing(),
		"v5": drawingLast()} {
		file := filepath.Join("testdata", name+".schedule")
		if *update {
			if err := os.WriteFile(file, encode(t, want), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got, err := DecodeSchedule(bytes.NewReader(data), file)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
		if again := encode(t, got); !bytes.Equal(again, data) {
			t.Errorf("written anew:\n%s\nwant:\n%s", again, data)
		}
	}
}

// What newer writers of the same version add, what editors add, and a missing last newline do not matter.
func TestScheduleForgives(t *testing.T) {
	plain := string(encode(t, example()))
	for name, data := range map[string]string{
		"unknown fields":      strings.ReplaceAll(plain, `"id":`, `"colour":{"a":[1]},"id":`),
		"windows line ends":   strings.ReplaceAll(plain, "\n", "\r\n"),
		"blank lines":         "\n\n" + strings.ReplaceAll(plain, "\n", "\n\n"),
		"no newline at end":   strings.TrimSuffix(plain, "\n"),
		"spaces between":      strings.ReplaceAll(plain, `,"`, ` , "`),
		"upper case identity": strings.ReplaceAll(plain, "0abc", "0ABC"),
	} {
		got, err := DecodeSchedule(strings.NewReader(data), name)
		if err != nil || !reflect.DeepEqual(got, example()) {
			t.Errorf("%s: %v, %+v", name, err, got)
		}
	}
}

func TestScheduleErrors(t *testing.T) {
	const header = `{"rehearse_schedule":1,"model":"bag","timers":"async"}` + "\n"
	const id = `"id":"00000000000000010000000000000002"`
	for _, c := range []struct{ name, data, want string }{
		{"empty", "", "f.schedule: the file is empty"},
		{"blank", "\n \n", "f.schedule: the file is empty"},
		{"text", "hello", "f.schedule:1: this is no schedule: the first line is not the header (not JSON at column 1"},
		{"array", "[1]", "f.schedule:1: this is no schedule"},
		{"other JSON", `{"name":"x"}`, `f.schedule:1: this is no schedule: the first line has no "rehearse_schedule"`},
		{"newer", `{"rehearse_schedule":6,"model":7}`,
			"f.schedule:1: written by a newer Rehearse (format 6, this one reads up to 5): update"},
		{"version 0", `{"rehearse_schedule":0}`, "f.schedule:1: format 0 does not exist"},
		{"model", `{"rehearse_schedule":1,"model":"pigeon"}`,
			`f.schedule:1: header: unknown delivery model "pigeon": want one of default, bag,`},
		{"timers", `{"rehearse_schedule":1,"timers":"x"}`, `f.schedule:1: header: unknown timer mode "x"`},
		{"violation", `{"rehearse_schedule":1,"violation":{"kind":"sadness"}}`,
			`f.schedule:1: header: unknown kind of violation "sadness"`},
		{"faults", `{"rehearse_schedule":2,"faults":"sloth"}`,
			`f.schedule:1: header: faults "sloth": "sloth" is no kind of fault: want off, all, or some of drop,`},
		{"type in header", `{"rehearse_schedule":1,"seed":"x"}`, "f.schedule:1: header: json"},
		{"step is no JSON", header + "\n" + `{"step":"deliver"`,
			"f.schedule:3: step 1: not JSON at column 17: unexpected end of JSON input; restore"},
		{"two objects", header + `{"step":"deliver",` + id + `} {}`, "f.schedule:2: step 1: not JSON"},
		{"no identity", header + `{"step":"deliver",` + id + "}\n" + `{"step":"deliver"}`,
			"f.schedule:3: step 2 is truncated"},
		{"no kind", header + `{` + id + `}`, "f.schedule:2: step 1 is truncated"},
		{"kind", header + `{"step":"teleport",` + id + `}`, `f.schedule:2: step 1: unknown kind of step "teleport"`},
		{"no fault", header + `{"step":"fault",` + id + `}`,
			`f.schedule:2: step 1: "fault" is "": want one of drop, duplicate, crash-losing, crash, restart`},
		{"short identity", header + `{"step":"deliver","id":"12"}`,
			`f.schedule:2: step 1: identity "12": want 32 hexadecimal digits`},
		{"zero identity", header + `{"step":"deliver","id":"00000000000000000000000000000000"}`,
			"f.schedule:2: step 1: identity 0000"},
		{"first", header + `{"step":"deliver",` + id + `,"first":"xyz"}`, `f.schedule:2: step 1: first: identity "xyz"`},
	} {
		_, err := DecodeSchedule(strings.NewReader(c.data), "f.schedule")
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: error %v\nwant %s", c.name, err, c.want)
		}
	}
}

type brokenDisk struct{}

var errDisk = errors.New("disk full")

func (brokenDisk) Write([]byte) (int, error) { return 0, errDisk }
func (brokenDisk) Read([]byte) (int, error)  { return 0, errDisk }

func TestScheduleDisk(t *testing.T) {
	if err := EncodeSchedule(brokenDisk{}, example()); !errors.Is(err, errDisk) {
		t.Errorf("write: %v", err)
	}
	if _, err := DecodeSchedule(brokenDisk{}, "f"); !errors.Is(err, errDisk) {
		t.Errorf("read: %v", err)
	}
}

// What DecodeSchedule would refuse is not written.
func TestEncodeScheduleRefuses(t *testing.T) {
	for name, change := range map[string]func(*Schedule){
		"model":     func(s *Schedule) { s.Header.Model = 99 },
		"timers":    func(s *Schedule) { s.Header.Timers = 99 },
		"violation": func(s *Schedule) { s.Header.Violation.Kind = 99 },
		"kind":      func(s *Schedule) { s.Steps[1].Kind = 99 },
		"identity":  func(s *Schedule) { s.Steps[1].ID = ID{} },
	} {
		s := example()
		change(s)
		if err := EncodeSchedule(&bytes.Buffer{}, s); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// The hash depends on all that decides and on nothing else.
func TestScheduleHash(t *testing.T) {
	base := example().Hash()
	if len(base) != 12 || base != example().Hash() {
		t.Errorf("hash %q", base)
	}
	for name, c := range map[string]struct {
		change func(*Schedule)
		same   bool
	}{
		"names": {func(s *Schedule) { s.Steps[0].Actor, s.Steps[0].Message = "x", "y" }, true},
		"found": {func(s *Schedule) {
			s.Header.Seed, s.Header.Strategy, s.Header.Tool, s.Header.Version = 1, "pct", "v9", 0
		}, true},
		"text":    {func(s *Schedule) { s.Header.Violation = nil }, true},
		"model":   {func(s *Schedule) { s.Header.Model = Bag }, false},
		"timers":  {func(s *Schedule) { s.Header.Timers = Quiescent }, false},
		"step":    {func(s *Schedule) { s.Steps[1].ID.Lo++ }, false},
		"first":   {func(s *Schedule) { s.Steps[1].First.Lo++ }, false},
		"order":   {func(s *Schedule) { s.Steps[0], s.Steps[1] = s.Steps[1], s.Steps[0] }, false},
		"shorter": {func(s *Schedule) { s.Steps = s.Steps[:3] }, false},
		"empty":   {func(s *Schedule) { s.Steps = nil }, false},
		"second":  {func(s *Schedule) { s.Header.Ordinal = 2 }, false},
		"choices": {func(s *Schedule) { s.Header.Choices = 2 }, false},
		"go":      {func(s *Schedule) { s.Header.Go = "go1.26.8 linux/amd64" }, true},
	} {
		s := example()
		c.change(s)
		if got := s.Hash(); (got == base) != c.same {
			t.Errorf("%s: %s, base %s", name, got, base)
		}
	}
}

// Whatever can be read is written so that it reads the same, and writing that again changes no byte.
func FuzzSchedule(f *testing.F) {
	f.Add(encode(f, example()))
	f.Add(encode(f, faulty()))
	f.Add(encode(f, &Schedule{}))
	f.Add([]byte(`{"rehearse_schedule":1}` + "\n" +
		`{"step":"send","id":"ffffffffffffffffffffffffffffffff","value":-1,"actor":"\u2028\ud800<&>","new":null}`))
	f.Add([]byte(`{"rehearse_schedule":1,"violation":{"kind":"panic","waits":[]}}`))
	f.Add([]byte(`{"rehearse_schedule":2}`))
	f.Add([]byte("\xff{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := DecodeSchedule(bytes.NewReader(data), "fuzz")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "fuzz:") {
				t.Errorf("the error does not name the file: %v", err)
			}
			return
		}
		once := encode(t, s)
		again, err := DecodeSchedule(bytes.NewReader(once), "again")
		if err != nil {
			t.Fatalf("%v in\n%s", err, once)
		}
		s.Header.Version = s.version() // the oldest that can say it
		if !reflect.DeepEqual(s, again) || s.Hash() != again.Hash() {
			t.Fatalf("got  %+v\nwant %+v", again, s)
		}
		if twice := encode(t, again); !bytes.Equal(once, twice) {
			t.Fatalf("%s\n%s", once, twice)
		}
	})
}

// What Go chose is part of a schedule; those that say nothing of it are as they were before it was.
func TestScheduleChoices(t *testing.T) {
	s := example()
	s.Header.Choices, s.Header.Go = 7, "go1.26.8 linux/amd64"
	var b bytes.Buffer
	if err := EncodeSchedule(&b, s); err != nil {
		t.Fatal(err)
	}
	got, err := DecodeSchedule(&b, "x")
	if err != nil || got.Header.Choices != 7 || got.Header.Go != s.Header.Go || got.Hash() != s.Hash() {
		t.Errorf("error %v, header %+v", err, got.Header)
	}
	b.Reset()
	if err := EncodeSchedule(&b, example()); err != nil || bytes.Contains(b.Bytes(), []byte("choices")) ||
		bytes.Contains(b.Bytes(), []byte(`"go"`)) {
		t.Errorf("error %v:\n%s", err, b.String())
	}
}
