package explorer

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/internal/byhand"
	"github.com/rehearse-go/rehearse/trace"
)

// serve shows a test of this binary until the end of the test.
func serve(t *testing.T, source *testSource) *Server {
	t.Helper()
	source.dir = t.TempDir()
	s, err := Listen("127.0.0.1:0", source)
	if err != nil {
		t.Fatal(err)
	}
	go s.Serve()
	t.Cleanup(s.Close)
	return s
}

// call asks as the page does, and reads the answer into v.
func call(t *testing.T, s *Server, what string, body, v any) {
	t.Helper()
	status, b := request(t, s, what, body)
	if status != http.StatusOK {
		t.Fatalf("%s %+v: %d %s", what, body, status, b)
	}
	if err := json.Unmarshal(b, v); err != nil {
		t.Fatalf("%s: %v: %.300s", what, err, b)
	}
}

func request(t *testing.T, s *Server, what string, body any) (int, []byte) {
	t.Helper()
	method, from := http.MethodGet, io.Reader(nil)
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		method, from = http.MethodPost, bytes.NewReader(b)
	}
	r, err := http.NewRequest(method, s.URL+what, from)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set(header, "1")
	r.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, b
}

// take goes one step on, by the step with that name.
func take(t *testing.T, s *Server, v *byhand.View, name string) *byhand.View {
	t.Helper()
	i := slices.IndexFunc(v.Enabled, func(o byhand.Option) bool { return strings.HasPrefix(o.Name, name) })
	if i < 0 {
		t.Fatalf("%s is not possible: %+v", name, v.Enabled)
	}
	var told Told
	p := byhand.Position(append(slices.Clone(v.Choices), v.Enabled[i].Choice))
	call(t, s, "api/position", Ask{Under: v.Under, Position: p.String()}, &told)
	return told.View
}

// TestByHand: the failure is reached step by step, saved, and the file leads there again.
func TestByHand(t *testing.T) {
	s := serve(t, &testSource{test: "TestBank", digest: "abc"})
	var about About
	call(t, s, "api/about", nil, &about)
	if about.Test != "TestBank" || about.Model != "bag" || !strings.HasPrefix(about.Digest, "abc-") || len(about.Saved) != 0 {
		t.Errorf("%+v", about)
	}
	var told Told
	call(t, s, "api/position", Ask{}, &told)
	if len(told.View.Enabled) != 3 || told.Digest != about.Digest {
		t.Fatalf("%+v", told)
	}
	v := take(t, s, told.View, "withdraw from Driver")
	if len(v.Violations) != 1 || v.Question != "" {
		t.Fatalf("%+v", v)
	}
	call(t, s, "api/position", Ask{Position: v.Position, Save: true, Picture: true}, &told)
	if !strings.HasPrefix(told.Picture, "<svg") || !strings.HasPrefix(told.Command, "rehearse replay "+s.program.Dir) {
		t.Errorf("%+v", told)
	}
	f, err := os.Open(told.File)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sched, err := trace.DecodeSchedule(f, told.File)
	if err != nil || sched.Header.Test != "TestBank" || sched.Header.Violation == nil || len(sched.Steps) == 0 {
		t.Errorf("saved: %+v, %v", sched, err)
	}
	call(t, s, "api/about", nil, &about)
	if len(about.Saved) != 1 {
		t.Fatalf("saved are %+v", about.Saved)
	}
	call(t, s, "api/position", Ask{File: about.Saved[0].File}, &told)
	if told.View.Position != v.Position || len(told.View.Violations) != 1 {
		t.Errorf("the file leads to %+v", told.View)
	}
	if status, b := request(t, s, "api/position", Ask{File: "../../etc/passwd"}); status != 422 ||
		!strings.Contains(string(b), "is no saved schedule") {
		t.Errorf("another file: %d %s", status, b)
	}
}

// TestStrangers: who is not the page on this machine gets nothing.
func TestStrangers(t *testing.T) {
	s := serve(t, &testSource{test: "TestBank"})
	for _, x := range []struct {
		name, path string
		post       bool
		set        map[string]string
		want       int
	}{
		{"the page", "", false, nil, 200},
		{"its script", "app.js", false, nil, 200},
		{"the page, typed", "", false, map[string]string{"Sec-Fetch-Site": "none"}, 200},
		{"data, from the page", "api/progress", false, map[string]string{header: "1", "Sec-Fetch-Site": "same-origin"}, 200},
		{"a name of somebody else", "", false, map[string]string{"Host": "evil.example"}, 403},
		{"the right name, another port", "", false, map[string]string{"Host": "127.0.0.1:1"}, 403},
		{"no token", "../", false, nil, 403},
		{"another token", "../0123456789abcdef0123456789abcdef/", false, nil, 403},
		{"data without the header", "api/progress", false, nil, 403},
		{"data, typed", "api/progress", false, map[string]string{header: "1", "Sec-Fetch-Site": "none"}, 403},
		{"data for another site", "api/progress", false, map[string]string{header: "1", "Sec-Fetch-Site": "cross-site"}, 403},
		{"data for another port", "api/progress", false, map[string]string{header: "1", "Sec-Fetch-Site": "same-site"}, 403},
		{"the page inside of another site", "", false, map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{"data for another origin", "api/progress", false, map[string]string{header: "1", "Origin": "http://evil.example"},
			403},
		{"data for no origin", "api/progress", false, map[string]string{header: "1", "Origin": "null"}, 403},
		{"a form", "api/explore", true, map[string]string{header: "1", "Content-Type": "text/plain"}, 403},
		{"a post without the header", "api/explore", true, map[string]string{"Content-Type": "application/json"}, 403},
		{"a post without sense", "api/explore", true, map[string]string{header: "1", "Content-Type": "application/json"},
			422},
		{"a source file", "src/main.ts", false, nil, 404},
		{"a folder above", "../../server.go", false, nil, 403},
	} {
		method := http.MethodGet
		if x.post {
			method = http.MethodPost
		}
		r, err := http.NewRequest(method, s.URL, strings.NewReader(""))
		if err != nil {
			t.Fatal(err)
		}
		r.URL.Path += x.path
		if up, ok := strings.CutPrefix(x.path, "../"); ok {
			r.URL.Path = "/" + up
		}
		for name, value := range x.set {
			r.Header.Set(name, value)
			if name == "Host" {
				r.Host = value
			}
		}
		res, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != x.want {
			t.Errorf("%s: %d, want %d", x.name, res.StatusCode, x.want)
		}
		if p := res.Header.Get("Content-Security-Policy"); !strings.Contains(p, "default-src 'none'") || strings.Contains(p,
			"unsafe") {
			t.Errorf("%s: policy %q", x.name, p)
		}
	}
}

// TestAddresses: other machines cannot be let in.
func TestAddresses(t *testing.T) {
	for _, addr := range []string{":0", "0.0.0.0:0", "[::]:0", "192.168.0.1:80", "example.com:80", "127.0.0.1", "",
		"10.0.0.1:0"} {
		if got, err := loopback(addr); err == nil {
			t.Errorf("%q is taken for %s", addr, got)
		}
	}
	for _, addr := range []string{"127.0.0.1:0", "localhost:8080", "[::1]:0", "127.0.0.9:1"} {
		if _, err := loopback(addr); err != nil {
			t.Error(err)
		}
	}
}

// TestHostile: what the program sends is text in an answer of bounded size.
func TestHostile(t *testing.T) {
	s := serve(t, &testSource{test: "TestHostileProgram"})
	status, b := request(t, s, "api/position", Ask{Onward: true, Picture: true})
	if status != 200 || len(b) > 200_000 {
		t.Fatalf("%d, %d bytes: %.300s", status, len(b), b)
	}
	if bytes.ContainsAny(b, "<>\x00\x1b") || bytes.Contains(b, []byte("\u202e")) || bytes.Contains(b, []byte("\u2028")) {
		t.Error("the answer has characters that are not escaped")
	}
	var told Told
	if err := json.Unmarshal(b, &told); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(told.Picture, "<script") || strings.Contains(told.Picture, "<img") {
		t.Error("the picture has an element of the program's")
	}
	if len(told.View.Steps) != 5 || !slices.ContainsFunc(told.View.Steps, func(s byhand.Step) bool {
		return strings.Contains(s.Content, "<script>alert(1)</script>")
	}) {
		t.Errorf("%+v", told.View.Steps)
	}
}

// TestDeaths: a program that dies or hangs is told of, and the next request is answered.
func TestDeaths(t *testing.T) {
	s := serve(t, &testSource{test: "TestDeadlyProgram"})
	s.steps.within = 2 * time.Second
	var told Told
	call(t, s, "api/position", Ask{}, &told)
	ready := take(t, s, told.View, "deposit")
	for _, x := range []struct{ name, want, output string }{
		{"dies", "exit status 7", "last words"}, {"hangs", "", ""},
	} {
		i := slices.IndexFunc(ready.Enabled, func(o byhand.Option) bool { return strings.HasPrefix(o.Name, x.name) })
		p := byhand.Position(append(slices.Clone(ready.Choices), ready.Enabled[i].Choice))
		status, b := request(t, s, "api/position", Ask{Position: p.String()})
		var problem Problem
		if err := json.Unmarshal(b, &problem); err != nil || status != 422 {
			t.Fatalf("%d %s", status, b)
		}
		if !problem.Died && x.name == "dies" || !strings.Contains(problem.Error, x.want) ||
			!strings.Contains(problem.Output, x.output) {
			t.Errorf("%s: %+v", x.name, problem)
		}
		call(t, s, "api/position", Ask{Position: ready.Position}, &told)
		if told.View.Position != ready.Position {
			t.Errorf("after that: %+v", told.View)
		}
	}
}

// TestWhichCheck: each Check of a test can be shown, and one that is not there says so.
func TestWhichCheck(t *testing.T) {
	for n, want := range []string{"first", "second"} {
		s := serve(t, &testSource{test: "TestTwoChecks", number: n})
		var told Told
		call(t, s, "api/position", Ask{}, &told)
		if a := told.View.Actors; len(a) != 1 || a[0].Name != want {
			t.Errorf("Check %d has %+v", n+1, a)
		}
	}
	s := serve(t, &testSource{test: "TestTwoChecks", number: 2})
	if err := s.Check(); err == nil || !strings.Contains(err.Error(), "ran no Check number 3") {
		t.Errorf("a third Check: %v", err)
	}
}

// TestExploration: an exploration in the page finds what there is, and its findings and nodes lead to positions.
func TestExploration(t *testing.T) {
	s := serve(t, &testSource{test: "TestBank"})
	var p Progress
	call(t, s, "api/explore", map[string]bool{"stop": false}, &p)
	for deadline := time.Now().Add(time.Minute); p.Running; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it does not end: %+v", p)
		}
		call(t, s, "api/progress", nil, &p)
	}
	if p.Error != "" || p.Done == nil || !p.Done.Complete || p.Counters.Executions != 4 || len(p.Found) != 1 ||
		!p.Found[0].Minimal {
		t.Fatalf("%+v", p)
	}
	var told Told
	call(t, s, "api/position", Ask{Found: p.Found[0].Key}, &told)
	if len(told.View.Violations) != 1 || told.View.Violations[0].Key != p.Found[0].Key {
		t.Errorf("the finding leads to %+v", told.View)
	}
	var rows Rows
	call(t, s, "api/tree?node=0&from=0", nil, &rows)
	if len(rows.Rows) != 3 || rows.Children != 3 || !rows.Rows[0].Wrong && !rows.Rows[1].Wrong && !rows.Rows[2].Wrong {
		t.Errorf("%+v", rows)
	}
	for _, r := range rows.Rows {
		call(t, s, "api/position", Ask{Node: r.Node}, &told)
		if got := told.View.Steps[len(told.View.Steps)-1].Name; got != r.Names[len(r.Names)-1] {
			t.Errorf("node %d leads behind %s, want %q", r.Node, got, r.Names)
		}
	}
	if status, _ := request(t, s, "api/position", Ask{Node: 99999}); status != 422 {
		t.Errorf("no such node: %d", status)
	}
}

// TestChanged: that the sources have changed is said, and building again shows them.
func TestChanged(t *testing.T) {
	source := &testSource{test: "TestBank", digest: "one"}
	s := serve(t, source)
	var changed struct{ Changed bool }
	call(t, s, "api/changed", nil, &changed)
	if changed.Changed {
		t.Error("it has changed")
	}
	source.digest, source.test = "two", "TestHostileProgram"
	call(t, s, "api/changed", nil, &changed)
	if !changed.Changed {
		t.Error("it has not changed")
	}
	var about About
	call(t, s, "api/rebuild", struct{}{}, &about)
	source.broken = "a.go:3:1: \x1b[31mwrong"
	status, b := request(t, s, "api/rebuild", struct{}{})
	var p Problem
	if err := json.Unmarshal(b, &p); err != nil || status != 422 || p.Died || !strings.Contains(p.Output, "a.go:3:1") ||
		strings.Contains(p.Output, "\x1b") {
		t.Errorf("it does not build: %d %s", status, b)
	}
	if !strings.HasPrefix(about.Digest, "two-") || about.Test != "TestHostileProgram" {
		t.Errorf("%+v", about)
	}
}

// TestDigestOfConditions: an address from other settings is told from one of these, since its choices may lead elsewhere.
func TestDigestOfConditions(t *testing.T) {
	digests := map[string]string{}
	for _, set := range []string{"", "REHEARSE_MODEL=fifo", "REHEARSE_FAULTS=drop", "REHEARSE_SEED=7",
		"REHEARSE_TIMERS=async"} {
		s := serve(t, &testSource{test: "TestBank", digest: "abc", env: set})
		var about About
		call(t, s, "api/about", nil, &about)
		if other, known := digests[about.Digest]; known {
			t.Errorf("%q and %q have digest %s", set, other, about.Digest)
		}
		digests[about.Digest] = set
	}
}

// TestHosts: every address that is accepted can be called by its own name, at port 80 also without the port.
func TestHosts(t *testing.T) {
	for addr, host := range map[string]string{"127.0.0.2:8080": "127.0.0.2:8080", "[::1]:80": "[::1]",
		"127.0.0.1:80": "localhost", "127.0.0.3:80": "127.0.0.3"} {
		a, err := net.ResolveTCPAddr("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		if hosts := hostsOf(a); !contains(hosts, host) || a.Port != 80 && contains(hosts, "localhost") {
			t.Errorf("%s may be called %q, want also %s", addr, hosts, host)
		}
	}
}

// TestClosed: after the end nothing is started again, and what starts just then is ended.
func TestClosed(t *testing.T) {
	source := &testSource{test: "TestSleeps", dir: t.TempDir()}
	s, err := Listen("127.0.0.1:0", source)
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan error)
	go func() {
		_, err := s.steps.know()
		asked <- err
	}()
	s.progress.start(s.now())
	for s.steps.running.now() == nil || s.progress.running.now() == nil {
		time.Sleep(time.Millisecond)
	}
	s.progress.stop()
	s.progress.follows.Wait() // not until it comes to its Check
	s.progress.start(s.now())
	s.Close()
	if err := <-asked; err == nil {
		t.Error("a program that is not ready is known")
	}
	if _, _, err := s.steps.ask(&byhand.Request{}); !errors.Is(err, errClosed) {
		t.Errorf("asked after the end: %v", err)
	}
	s.progress.start(s.now())
	if p := s.progress.now(); p.Running {
		t.Errorf("an exploration runs after the end: %+v", p)
	}
}
