package cli

import (
	"flag"
	"os"
	"path/filepath"
	"slices"

	"github.com/rehearse-go/rehearse/internal/files"
)

// serverFlags say where the server is.
var serverFlags = []string{"nats", "creds", "tls-ca", "tls-cert", "tls-key", "store"}

func declareServer(fs *flag.FlagSet, s *server, store string) {
	fs.StringVar(&s.url, "nats", "", "use the NATS server, or cluster, at this `URL`: nats://HOST:PORT or "+
		"tls://HOST:PORT, several with commas between them")
	fs.StringVar(&s.credentials, "creds", "", "credentials `file` for that server")
	fs.StringVar(&s.ca, "tls-ca", "", "`file` with certificates of the authorities that its certificate is checked by; "+
		"default: those of the system")
	fs.StringVar(&s.cert, "tls-cert", "", "`file` with the certificate of this client")
	fs.StringVar(&s.key, "tls-key", "", "`file` with its key")
	fs.StringVar(&s.store, "store", "", store)
}

// checkServer says what is wrong with these flags, and fills in what was not given.
func checkServer(fs *flag.FlagSet, s *server) (err error) {
	names := given(fs)
	if s.url == "" {
		for _, name := range serverFlags[1:5] {
			if slices.Contains(names, name) {
				return usage("-%s is about the server of -nats, which is not given", name)
			}
		}
		if s.store == "" {
			s.store, err = inCache("swarm")
		}
		if err == nil {
			s.store, err = filepath.Abs(s.store)
		}
		return err
	}
	if slices.Contains(names, "store") {
		return usage("-store is the folder of a server in this process, and -nats names another: give one of them")
	}
	if s.beyond, err = isBeyond(s.url); err != nil {
		return usage("-nats: %w", err)
	}
	if (s.cert == "") != (s.key == "") {
		return usage("-tls-cert and -tls-key belong together: give both")
	}
	for i, path := range []string{s.credentials, s.ca, s.cert, s.key} {
		if path == "" {
			continue
		}
		if err := isThere(path); err != nil {
			return usage("-%s: %w", serverFlags[1+i], err)
		}
	}
	return nil
}

// isThere says why a path is no file that can be read.
func isThere(path string) error {
	f, err := files.Open(path, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// inCache is a folder below that of Rehearse in the user's cache.
func inCache(name string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "rehearse", name), nil
}
