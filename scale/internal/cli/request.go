package cli

import (
	"errors"
	"io"
	"net/netip"
	"net/url"
	"strings"

	"github.com/rehearse-go/rehearse/scale/internal/bundle"
)

// This file has what command lines ask for, once they were understood and checked. Who does it knows no flags.

// server says where the NATS server is: at a URL, or in a process of this machine that has a folder.
type server struct {
	url         string // one, or several of a cluster with commas between them; "": the server of store
	credentials string // file
	ca          string // file of certificates of authorities
	cert, key   string // files of the client's certificate
	store       string // folder of an embedded server
	beyond      bool   // the URL is not of this machine
}

// swarmRequest is a test that is to be explored by many.
type swarmRequest struct {
	server
	manifest *bundle.Manifest
	pack     func(io.Writer) error // the bundle with the manifest
	binary   string                // the test binary here; it is gone when all is done
	args     []string              // of it
	dir      string                // the package's folder here
	env      []string              // of the test here: that of this process, and the settings
	progress string                // how often it is told how far all is, as the setting says it
	workers  int                   // processes on this machine
	replicas int                   // of what the server keeps
	sync     bool                  // the server writes each message to its disk before it says so
	sign     string                // file of a seed; "": nobody vouches for the job
	json     bool                  // progress and results are lines of JSON
	cache    string                // folder of bundles
}

// workerRequest is a machine that is to work on jobs.
type workerRequest struct {
	server
	trust   []string // public keys; none: what is not signed is run too, which is only so on this machine
	workers int      // processes
	cache   string   // folder of bundles
	limits  bundle.Limits
	once    bool // end with the first job
}

// statusRequest asks how far jobs are.
type statusRequest struct {
	server
	job  string // "": all
	json bool
}

// stopRequest ends a job.
type stopRequest struct {
	server
	job     string
	discard bool // and forget it
}

// isBeyond reports whether a URL, or one of several with commas between them, is of another machine. What is not surely
// this one is another.
func isBeyond(servers string) (bool, error) {
	for text := range strings.SplitSeq(servers, ",") {
		u, err := url.Parse(strings.TrimSpace(text))
		// SUBTLE: the error of Parse would show a password.
		if err != nil || u.Hostname() == "" || u.Scheme != "nats" && u.Scheme != "tls" {
			return false, errors.New("want nats://HOST:PORT or tls://HOST:PORT, or several with commas between them")
		}
		address, err := netip.ParseAddr(u.Hostname())
		if u.Hostname() != "localhost" && (err != nil || !address.IsLoopback()) {
			return true, nil
		}
	}
	return false, nil
}
