package explorer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/internal/byhand"
	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has what the page can ask for. All of it is JSON; a request that cannot be answered gets a Problem.

// Problem is the answer to a request that has none.
type Problem struct {
	Error  string `json:"error"`
	Died   bool   `json:"died"`   // the program has not survived it; it is started again by the next request
	Output string `json:"output"` // of a program that died, or of the compiler
}

// About is what is shown.
type About struct {
	*byhand.About
	Digest string `json:"digest"`
	Dir    string `json:"dir"`
}

// Ask asks for a position: one of the ways to say which.
type Ask struct {
	Under    string `json:"under"`
	Position string `json:"position"`
	File     string `json:"file"`   // a saved schedule of the test, among About.Saved
	Found    string `json:"found"`  // the key of a violation of the exploration
	Node     int32  `json:"node"`   // of the tree
	Onward   bool   `json:"onward"` // to the end of the execution
	Fork     bool   `json:"fork"`   // on until there is something to choose
	Picture  bool   `json:"picture"`
	Save     bool   `json:"save"`
}

// Told is the answer to it.
type Told struct {
	View    *byhand.View `json:"view"`
	Digest  string       `json:"digest"`
	Picture string       `json:"picture"`
	File    string       `json:"file"`    // absolute
	Command string       `json:"command"` // that replays the file
}

// Rows are children of a node of the tree.
type Rows struct {
	Rows     []Row `json:"rows"`
	Children int   `json:"children"` // of the node, in all
}

// mostRows is how many rows of the tree are given at a time.
const mostRows = 200

// mostBuildText bounds what is told of what the compiler says, in bytes: its first errors count.
const mostBuildText = 16 << 10

// mostAsked bounds the body of a request, in bytes: a position of 100,000 steps is shorter.
const mostAsked = 4 << 20

func (s *Server) routes(mux *http.ServeMux) {
	mux.HandleFunc("GET /api/about", answers(s.tellAbout))
	mux.HandleFunc("GET /api/changed", answers(s.tellChanged))
	mux.HandleFunc("GET /api/progress", answers(func(*http.Request) (any, error) { return s.progress.now(), nil }))
	mux.HandleFunc("GET /api/tree", answers(s.tellTree))
	mux.HandleFunc("POST /api/position", answers(s.tellPosition))
	mux.HandleFunc("POST /api/explore", answers(s.tellExplore))
	mux.HandleFunc("POST /api/rebuild", answers(s.tellRebuild))
}

// answers writes what a function gives, or why it gives nothing.
func answers(f func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, mostAsked)
		v, err := f(r)
		status := http.StatusOK
		if err != nil {
			p := Problem{Error: err.Error()}
			var died *Died
			if errors.As(err, &died) {
				p.Died, p.Output = true, died.Output
			}
			var unbuilt *BuildError
			if errors.As(err, &unbuilt) {
				text := unbuilt.Output[:min(len(unbuilt.Output), mostBuildText)]
				p.Output = trace.Visible(strings.ToValidUTF8(text, "\ufffd"))
			}
			v, status = p, http.StatusUnprocessableEntity
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(v) // who asked is gone
	}
}

// read reads the body of a request.
func read(r *http.Request, v any) error {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("the request cannot be read: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("the request cannot be read: more than one JSON value")
	}
	return nil
}

func (s *Server) tellAbout(*http.Request) (any, error) {
	a, err := s.steps.know()
	if err != nil {
		return nil, err
	}
	p := s.now()
	return About{a, p.digest(a), p.Dir}, nil
}

// tellChanged says whether the sources are still what the program was made of.
func (s *Server) tellChanged(*http.Request) (any, error) {
	digest, err := s.source.Digest()
	if err != nil {
		return nil, err
	}
	return map[string]any{"changed": digest != s.now().Digest}, nil
}

func (s *Server) tellTree(r *http.Request) (any, error) {
	node, err := strconv.ParseInt(r.FormValue("node"), 10, 32)
	from, err2 := strconv.Atoi(r.FormValue("from"))
	if err != nil || err2 != nil || node < 0 || from < 0 {
		return nil, errors.New("want a node and from which child on, both numbers")
	}
	rows, children := s.progress.rows(int32(node), from, mostRows)
	return Rows{rows, children}, nil
}

func (s *Server) tellPosition(r *http.Request) (any, error) {
	var ask Ask
	if err := read(r, &ask); err != nil {
		return nil, err
	}
	request, err := s.request(&ask)
	if err != nil {
		return nil, err
	}
	a, digest, err := s.steps.ask(request)
	if err != nil {
		return nil, err
	}
	p := s.now()
	told := Told{View: a.View, Digest: digest, Picture: a.Picture}
	if a.File != "" {
		told.File = filepath.Join(p.Dir, filepath.FromSlash(a.File))
		told.Command = "rehearse replay " + quote(told.File)
	}
	return told, nil
}

// quote makes one word of a shell, as it stands where that is one.
func quote(s string) string {
	if !slices.ContainsFunc([]rune(s), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '/' || r == '.' || r == '_' ||
			r == '-')
	}) {
		return s
	}
	return render.ShellWord(s)
}

// request is what the program is asked.
func (s *Server) request(ask *Ask) (*byhand.Request, error) {
	r := &byhand.Request{Under: ask.Under, Position: ask.Position, Onward: ask.Onward, Fork: ask.Fork,
		Picture: ask.Picture,
		Save:    ask.Save}
	switch {
	case ask.File != "":
		about, err := s.steps.know()
		if err != nil {
			return nil, err
		}
		// Any other file of this machine is nobody's business.
		if !slices.ContainsFunc(about.Saved, func(f byhand.Saved) bool { return f.File == ask.File }) {
			return nil, fmt.Errorf("%s is no saved schedule of the test", ask.File)
		}
		text, err := os.ReadFile(filepath.Join(s.now().Dir, filepath.FromSlash(ask.File)))
		if err != nil {
			return nil, err
		}
		r.Schedule = string(text)
	case ask.Found != "":
		if r.Schedule = s.progress.schedule(ask.Found); r.Schedule == "" {
			return nil, errors.New("no schedule leads to this violation: the exploration is another one by now, or it " +
				"does not repeat")
		}
	case ask.Node > 0:
		ids, under, ok := s.progress.path(ask.Node)
		if !ok {
			return nil, errors.New("the tree has no such node: it is that of another exploration by now")
		}
		r.Path, r.Under = ids, under
	}
	return r, nil
}

// tellExplore starts an exploration or stops it.
func (s *Server) tellExplore(r *http.Request) (any, error) {
	var ask struct {
		Stop bool `json:"stop"`
	}
	if err := read(r, &ask); err != nil {
		return nil, err
	}
	if ask.Stop {
		s.progress.stop()
	} else {
		s.progress.start(s.now())
	}
	return s.progress.now(), nil
}

// tellRebuild goes on with the program as its sources are now.
func (s *Server) tellRebuild(r *http.Request) (any, error) {
	s.building.Lock()
	defer s.building.Unlock()
	p, err := s.source.Build()
	if err != nil {
		return nil, err
	}
	s.progress.stop()
	s.steps.use(p)
	s.mu.Lock()
	s.program = p
	s.mu.Unlock()
	return s.tellAbout(r)
}
