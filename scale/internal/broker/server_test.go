package broker

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

func startServer(t *testing.T, o Options) *Server {
	t.Helper()
	s, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func connectTo(t *testing.T, a Access) (*nats.Conn, jetstream.JetStream) {
	t.Helper()
	nc, err := Connect(context.Background(), a.Local(t.Name()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return nc, js
}

// wantError holds an error to texts that it must have.
func wantError(t *testing.T, what string, err error, texts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error, want %q", what, texts)
		return
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v: want %q in it", what, err, text)
		}
	}
}

// A server keeps its store, its port and its token when it is started again in its folder, and clients come back.
func TestServerStartsAgain(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "deep", "folder")
	s := startServer(t, Options{Folder: folder, SyncAlways: true})
	nc, js := connectTo(t, s.Access())
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if _, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: "s", Subjects: []string{"s"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := js.Publish(ctx, "s", []byte("text")); err != nil {
		t.Fatal(err)
	}
	before, url := s.Access(), s.URL()
	s.Close()
	s = startServer(t, Options{Folder: folder})
	if s.Access() != before || s.URL() != url {
		t.Errorf("it is at %s with another token or port, was at %s", s.URL(), url)
	}
	for !nc.IsConnected() && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	stream, err := js.Stream(ctx, "s")
	if err != nil || stream.CachedInfo().State.Msgs != 1 {
		t.Errorf("%v: want the stream with its message", err)
	}
	if !strings.HasPrefix(url, "nats://127.0.0.1:") || strings.Contains(url, before.Token) {
		t.Errorf("the server is at %s, which is not loopback or holds the token", url)
	}
}

func TestFind(t *testing.T) {
	folder := t.TempDir()
	_, err := Find(folder)
	wantError(t, "no server was there", err, "no NATS server of Rehearse runs in "+folder, "rehearse swarm")
	s := startServer(t, Options{Folder: folder})
	a, err := Find(folder)
	if err != nil || a != s.Access() {
		t.Errorf("found %v, %v: want %v", a, err, s.Access())
	}
	for name, mode := range map[string]fs.FileMode{accessFile: 0o600, lockFile: 0o600} {
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || runtime.GOOS != "windows" && info.Mode() != mode {
			t.Errorf("%s: %v, %v: others can read it", name, info.Mode(), err)
		}
	}
	_, err = Start(Options{Folder: folder})
	wantError(t, "a second server", err, "is used by another server that runs")
	wantError(t, "a folder that is used", Usable(folder), "is used by another server that runs")
	if err := Usable(t.TempDir()); err != nil {
		t.Errorf("a folder that nobody uses: %v", err)
	}
	if _, err := Find(folder); err != nil {
		t.Errorf("after a second one was refused: %v", err)
	}
	s.Close()
	if _, err = Find(folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after its end: %v", err)
	}
	for text, want := range map[string]string{
		`{`: "does not tell where a server is",
		`{"url":"nats://127.0.0.1:1","token":""}`:                               "does not tell where a server is",
		`{"url":"nats://127.0.0.1:1","token":"a","more":1}`:                     "does not tell where a server is",
		`{"url":"nats://127.0.0.1:1,nats://example.com:2","token":"a"}`:         "names a server beyond loopback",
		`{"url":"` + strings.Repeat("nats://127.0.0.1:1,", 999) + `"}`:          "does not tell where a server is",
		`{"url":"nats://127.0.0.1:1","token":"a"}` + strings.Repeat(" ", 1<<13): "does not tell where a server is",
	} {
		if err := os.WriteFile(filepath.Join(folder, accessFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Find(folder)
		wantError(t, text[:1], err, want)
	}
}

// Others on the machine can reach the port. Without the token they get nothing.
func TestTokenIsWanted(t *testing.T) {
	s := startServer(t, Options{Folder: t.TempDir()})
	for _, token := range []string{"", "wrong", s.token[1:]} {
		_, err := Connect(context.Background(), ConnectOptions{URL: s.URL(), Token: token})
		wantError(t, "token "+token, err, "refuses the credentials")
	}
	for _, text := range []string{s.Access().String(), Redact(s.token, s.token)} {
		if strings.Contains(text, s.token) {
			t.Errorf("%s holds the token", text)
		}
	}
}

func TestStartRefuses(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	taken := l.Addr().(*net.TCPAddr).Port
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string]Options{
		"needs a folder":           {},
		"want one from 0 to 65535": {Folder: "f", Port: 70000},
		"at most 64 MB":            {Folder: "f", MaxPayload: 65 << 20},
		"at least 64 kB":           {Folder: "f", MaxPayload: 1},
		"not negative":             {Folder: "f", MaxStore: -1},
		"of this machine is taken": {Folder: t.TempDir(), Port: taken},
		"the folder of the NATS":   {Folder: filepath.Join(file, "below")},
	} {
		s, err := Start(o)
		wantError(t, want, err, want)
		if s != nil {
			t.Errorf("%s: there is a server", want)
		}
	}
	_, err = StartCluster(2, Options{Folder: t.TempDir()})
	wantError(t, "two servers", err, "want 3 or 5")
}

// A store that cannot be read is said at once, and not by a server without one.
func TestStoreThatIsNone(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, jetFolder), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Start(Options{Folder: folder})
	wantError(t, "a file in the place of the store", err, "the NATS server")
	if _, err := Find(folder); err == nil {
		t.Error("a server that did not start is found")
	}
}

func TestLog(t *testing.T) {
	var lines []string
	l := newLog("the folder", func(line string) { lines = append(lines, line) }, "secret")
	l.Noticef("a notice")
	l.Warnf("a warning")
	for range 3 {
		l.Errorf("error %d with secret at nats://user:pass@host", 1)
	}
	l.Fatalf("the end")
	want := []string{"NATS server: error 1 with *** at nats://***@host", "NATS server: the end"}
	if strings.Join(lines, "\n") != strings.Join(want, "\n") || l.lastOr("") != want[1] || !l.isFatal() {
		t.Errorf("the log is %q, want %q", lines, want)
	}
}

// A store that cannot be written is noticed by what the server says: it says it to nobody else.
func TestStoreFails(t *testing.T) {
	const full = "the disk of folder is full: make room"
	for line, want := range map[string]string{
		"JetStream is fine": "",
		"Filestore [x] Critical write error: write /x/1.blk: no space left on device": full,
		"JetStream out of space, will be DISABLED":                                    full,
		"JetStream stream 'x' critical write error: input/output error":               "the store folder cannot be written",
	} {
		l := newLog("folder", nil)
		s := &Server{log: l}
		for range 2 {
			l.Errorf("%s", line)
		}
		select {
		case <-s.Failed():
			wantError(t, line, s.Err(), want, line)
		default:
			if s.Err() != nil || want != "" {
				t.Errorf("%s: %v, want %q", line, s.Err(), want)
			}
		}
	}
}
