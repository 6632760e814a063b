package cli

import (
	"flag"
	"os"
	"path/filepath"
	"slices"

	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/scale/internal/request"
)

// serverFlags say where the server is.
var serverFlags = []string{"nats", "creds", "tls-ca", "tls-cert", "tls-key", "store"}

func declareServer(fs *flag.FlagSet, s *request.Server, store string) {
	fs.StringVar(&s.URL, "nats", "", "use the NATS server, or cluster, at this `URL`: nats://HOST:PORT or "+
		"tls://HOST:PORT, several with commas between them")
	fs.StringVar(&s.Credentials, "creds", "", "credentials `file` for that server")
	fs.StringVar(&s.CA, "tls-ca", "", "`file` with certificates of the authorities that its certificate is checked by; "+
		"default: those of the system")
	fs.StringVar(&s.Cert, "tls-cert", "", "`file` with the certificate of this client")
	fs.StringVar(&s.Key, "tls-key", "", "`file` with its key")
	fs.StringVar(&s.Store, "store", "", store)
}

// checkServer says what is wrong with these flags, and fills in what was not given.
func checkServer(fs *flag.FlagSet, s *request.Server) (err error) {
	names := given(fs)
	if s.URL == "" {
		for _, name := range serverFlags[1:5] {
			if slices.Contains(names, name) {
				return usage("-%s is about the server of -nats, which is not given", name)
			}
		}
		if s.Store == "" {
			s.Store, err = inCache("swarm")
		}
		if err == nil {
			s.Store, err = filepath.Abs(s.Store)
		}
		return err
	}
	if slices.Contains(names, "store") {
		return usage("-store is the folder of a server in this process, and -nats names another: give one of them")
	}
	if s.Beyond, err = request.Beyond(s.URL); err != nil {
		return usage("-nats: %w", err)
	}
	if (s.Cert == "") != (s.Key == "") {
		return usage("-tls-cert and -tls-key belong together: give both")
	}
	for i, path := range []string{s.Credentials, s.CA, s.Cert, s.Key} {
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
