package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/explorer"
	"github.com/rehearse-go/rehearse/internal/command"
	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/internal/settings"
)

var exploreCommand = Command{
	Name: "explore", Args: "[flags] PACKAGE TEST [-- flags of go test]",
	Short: "step through a test by hand, on a page in the browser",
	Long: `Explore builds the test of PACKAGE and serves a page on this machine. There one steps through executions of the
Check in TEST: which messages could be handled next, how the actors stand, what is wrong. Pick another message, go back,
compare two orders, watch an exploration, and save an order as a schedule that rehearse replay and go test follow.

The address of the page has a token, and behind # the position. Who knows the token can run the test. The position may
be given to others: -at opens it. It has a digest of the program, so that a changed program is told from the same one.

The settings mean what they mean for rehearse test. What follows -- goes to go test -c as it is,
	as in: -- -tags=integration
`,
	Setup: func(fs *flag.FlagSet) func(Streams, Arguments) int {
		e := &exploreRun{}
		command.DeclareSettings(fs, &e.settings, "budget", "strategy", "seed", "model", "timers", "faults", "choices",
			"facts")
		fs.StringVar(&e.addr, "http", "127.0.0.1:0", "serve on this `address`, which must be of this machine; port 0 is any "+
			"free one")
		fs.StringVar(&e.at, "at", "", "open the page at this `position`, which is what the address of a page has behind #")
		fs.IntVar(&e.number, "check", 1, "show the `n`-th Check of the test")
		fs.BoolVar(&e.plain, "no-overlay", false, noOverlayDoc)
		return e.run
	},
}

// exploreRun is one `rehearse explore`. It is where the program comes from: explorer.Source.
type exploreRun struct {
	settings command.Values
	addr, at string
	number   int
	plain    bool

	dir, pkg, test string
	rest           []string
	streams        Streams
	temp           string
	builds         int
}

func (e *exploreRun) run(s Streams, a Arguments) int {
	if len(a.Operands) != 2 {
		return Usage(s, "explore", fmt.Errorf("got %d arguments: want a package and a test, as in ./account TestAccount",
			len(a.Operands)))
	}
	if e.number < 1 {
		return Usage(s, "explore", fmt.Errorf("-check %d: Checks are counted from 1", e.number))
	}
	e.pkg, e.test, e.rest, e.streams = a.Operands[0], a.Operands[1], a.Rest, s
	if err := e.serve(); err != nil {
		fmt.Fprintln(s.Err, "rehearse explore:", err)
		return ExitError
	}
	return ExitOK
}

func (e *exploreRun) serve() error {
	if err := settings.Unknown(os.Environ()); err != nil {
		return err
	}
	var remove func()
	var err error
	if e.temp, remove, err = files.TempFolder("rehearse-build"); err != nil {
		return err
	}
	defer remove()
	if e.dir, err = goList(".", e.pkg); err != nil {
		return err
	}
	if strings.Contains(e.dir, "\n") {
		return fmt.Errorf("%s is more than one package: want one", e.pkg)
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(stop)
	server, err := explorer.Listen(e.addr, e)
	if err != nil {
		return err
	}
	defer server.Close()
	if err := server.Check(); err != nil {
		return err
	}
	url := server.URL
	if e.at != "" {
		url += "#" + strings.TrimPrefix(e.at, "#")
	}
	fmt.Fprintf(e.streams.Out, "%s\n", url)
	fmt.Fprintln(e.streams.Err, "rehearse: open this address in a browser; interrupt (Ctrl-C) ends it")
	ended := make(chan error, 1)
	go func() { ended <- server.Serve() }()
	select {
	case <-stop:
		return nil
	case err := <-ended:
		return err
	}
}

// Build is explorer.Source.Build.
func (e *exploreRun) Build() (*explorer.Program, error) {
	digest, err := e.Digest()
	if err != nil {
		return nil, err
	}
	e.builds++
	p := &explorer.Program{Binary: filepath.Join(e.temp, fmt.Sprintf("test%d", e.builds)), Dir: e.dir, Test: e.test,
		Pattern: runPattern(e.test), Ordinal: e.number - 1, Digest: digest}
	var said strings.Builder
	g := &goTest{dir: e.dir, err: io.MultiWriter(e.streams.Err, &said),
		env: append(os.Environ(), command.Environment(&e.settings)...)}
	if !e.plain {
		g.numberDraws()
	}
	if err := g.compile(append([]string{"-o", p.Binary}, e.rest...)); errors.Is(err, errCompile) {
		return nil, &explorer.BuildError{Output: said.String()}
	} else if err != nil {
		return nil, err
	}
	if _, err := os.Stat(p.Binary); err != nil {
		return nil, fmt.Errorf("%s has no test files", e.pkg)
	}
	if e.builds > 1 {
		os.Remove(filepath.Join(e.temp, fmt.Sprintf("test%d", e.builds-1))) // whoever runs it has it open
	}
	p.Env = g.env
	return p, nil
}

// Digest is explorer.Source.Digest.
func (e *exploreRun) Digest() (string, error) { return digestOf(e.dir, e.rest) }

// errCompile says that the go command has told what is wrong.
var errCompile = errors.New("the test does not build")
