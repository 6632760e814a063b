// Package request is what the command line asks a swarm for, once it was understood and checked. Who does it knows no
// flags.
package request

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/scale/internal/bundle"
)

// Server says where the NATS server is: at a URL, or in a process of this machine that has a folder.
type Server struct {
	URL         string // one, or several of a cluster with commas between them; "": the server of Store
	Credentials string // file
	CA          string // file of certificates of authorities
	Cert, Key   string // files of the client's certificate
	Store       string // folder of an embedded server
	Beyond      bool   // the URL is not of this machine
}

// Swarm is a job that begins, or goes on.
type Swarm struct {
	Server
	Job      string           // its name; "": one is made
	Contents *bundle.Contents // what travels
	Binary   string           // the test binary here; it is gone when the job is over
	Args     []string         // of the test binary here
	Dir      string           // the package's folder here
	Environ  []string         // of the test here: that of this process, the settings, and how rehearse was called
	Workers  int              // processes on this machine
	Longest  time.Duration    // that a task takes there
	Replicas int              // of what the server keeps
	MaxBytes int64            // of tasks, of results and of large data there, each; 0: the server's bound
	First    bool             // the first finding ends the job
	Sync     bool             // the server writes each message to its disk before it says so
	Sign     string           // file of a seed; "": the job is not signed
	JSON     bool             // progress is lines of JSON
	Targets  bool             // it is of rehearse target: the binary reads sources, in the place of a test
}

// Worker is a machine that works on jobs.
type Worker struct {
	Server
	Job     string        // work on this one alone; "": on all
	Trust   []string      // public keys; none: what is not signed is run too, which is only so on this machine
	Workers int           // processes
	Longest time.Duration // that a task takes
	Cache   string        // folder of bundles
	Limits  bundle.Limits
	Once    bool // end with the job
	// Patience is how long a process may work at one task until it is taken for one that hangs; 0: for ever.
	Patience time.Duration
}

// Status asks how far jobs are.
type Status struct {
	Server
	Job  string // "": all
	JSON bool
}

// Stop ends a job. What it has counted is kept, to go on later.
type Stop struct {
	Server
	Job     string
	Discard bool // nothing is kept
}

// Beyond reports whether a URL, or one of several with commas between them, is of another machine. What is not surely
// this one is another.
func Beyond(servers string) (bool, error) {
	for text := range strings.SplitSeq(servers, ",") {
		u, err := url.Parse(strings.TrimSpace(text))
		// SUBTLE: the error of Parse would show a password.
		if err != nil || u.Hostname() == "" || u.Scheme != "nats" && u.Scheme != "tls" {
			return false, fmt.Errorf("want nats://HOST:PORT or tls://HOST:PORT, or several with commas between them")
		}
		address, err := netip.ParseAddr(u.Hostname())
		if u.Hostname() != "localhost" && (err != nil || !address.IsLoopback()) {
			return true, nil
		}
	}
	return false, nil
}
