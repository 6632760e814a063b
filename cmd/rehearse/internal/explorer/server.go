package explorer

import (
	"crypto/rand"
	"crypto/subtle"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rehearse-go/rehearse/internal/files"
)

//go:embed page/index.html page/style.css page/app.js
var pageFiles embed.FS

// Server shows one program on this machine.
type Server struct {
	// URL is that of the page. It holds the token: whoever knows it may ask.
	URL string

	source   Source
	listener net.Listener
	http     http.Server
	token    string
	hosts    []string // by which it may be called
	steps    stepper
	progress progress
	building sync.Mutex
	mu       sync.Mutex
	program  *Program
	remove   func()
}

// Listen opens a server for programs of a source on an address of this machine, such as 127.0.0.1:0. Serve answers, and
// Close ends it. The error says which address it refuses, or why there is no program.
func Listen(addr string, source Source) (*Server, error) {
	addr, err := loopback(addr)
	if err != nil {
		return nil, err
	}
	p, err := source.Build()
	if err != nil {
		return nil, err
	}
	temp, remove, err := files.TempFolder("rehearse-explore")
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		remove()
		return nil, err
	}
	secret := make([]byte, 16)
	rand.Read(secret)
	s := &Server{source: source, listener: l, token: hex.EncodeToString(secret), program: p, remove: remove}
	s.steps.temp, s.progress.temp, s.steps.within = temp, temp, answerWithin
	s.steps.use(p)
	s.hosts = hostsOf(l.Addr().(*net.TCPAddr))
	s.URL = "http://" + l.Addr().String() + "/" + s.token + "/"
	s.http = http.Server{Handler: s.handler(), ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 1 << 16}
	return s, nil
}

// hostsOf are the names by which a server on this address may be called. Browsers leave port 80 out.
func hostsOf(addr *net.TCPAddr) (hosts []string) {
	for _, name := range []string{"127.0.0.1", "localhost", "::1", addr.IP.String()} {
		host := net.JoinHostPort(name, strconv.Itoa(addr.Port))
		hosts = append(hosts, host)
		if addr.Port == 80 {
			hosts = append(hosts, strings.TrimSuffix(host, ":80"))
		}
	}
	return hosts
}

// loopback refuses addresses that others can reach.
func loopback(addr string) (string, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "", fmt.Errorf("-http %q: want an address of this machine with a port, such as 127.0.0.1:0", addr)
	}
	if host == "localhost" {
		host = "127.0.0.1"
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return "", fmt.Errorf("-http %q: other machines could reach it, and the page runs the program: want 127.0.0.1, "+
			"[::1] or localhost", addr)
	}
	return net.JoinHostPort(host, port), nil
}

// Check starts the program, to see whether it has the test that is to be shown.
func (s *Server) Check() error {
	_, err := s.steps.know()
	return err
}

// Serve answers until Close.
func (s *Server) Serve() error {
	if err := s.http.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Close ends the server and all processes that it has started.
func (s *Server) Close() {
	s.http.Close()
	s.listener.Close()
	s.progress.close()
	s.steps.close()
	s.remove()
}

// now is the program that is shown.
func (s *Server) now() *Program {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.program
}

// policy has the page load nothing but its own parts, and run no script that is written into it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src blob:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// handler refuses strangers, and answers the others.
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	sub, err := fs.Sub(pageFiles, "page")
	if err != nil {
		panic(err)
	}
	mux.Handle("GET /{$}", http.FileServerFS(sub))
	mux.Handle("GET /app.js", http.FileServerFS(sub))
	mux.Handle("GET /style.css", http.FileServerFS(sub))
	s.routes(mux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer") // the address holds the token
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		rest, why := s.admit(r)
		if why != "" {
			http.Error(w, "refused: "+why, http.StatusForbidden)
			return
		}
		r.URL.Path = rest
		r.URL.RawPath = ""
		mux.ServeHTTP(w, r)
	})
}

// header is set by the page. Another site cannot set it without being asked whether it may.
const header = "X-Rehearse"

// admit decides who may ask. It gives the path behind the token, or why the request is refused.
func (s *Server) admit(r *http.Request) (rest, why string) {
	if !contains(s.hosts, r.Host) {
		return "", "the Host is not this server: a name that leads here may belong to somebody else"
	}
	token, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1 {
		return "", "the address lacks the token that `rehearse explore` has printed"
	}
	if o := r.Header.Get("Origin"); o != "" && !contains(s.hosts, strings.TrimPrefix(o, "http://")) {
		return "", "another site asks"
	}
	site := r.Header.Get("Sec-Fetch-Site")
	page := r.Method == http.MethodGet && !strings.HasPrefix(rest, "api/")
	switch {
	case site == "" || site == "same-origin" || site == "none" && page:
	default:
		return "", "another site asks"
	}
	if !page && r.Header.Get(header) == "" {
		return "", "the page has not asked: its header " + header + " is missing"
	}
	if r.Method == http.MethodPost && r.Header.Get("Content-Type") != "application/json" {
		return "", "want Content-Type application/json"
	}
	return "/" + rest, ""
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if strings.EqualFold(x, s) {
			return true
		}
	}
	return false
}
