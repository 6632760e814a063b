package broker

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/nats-io/nkeys"

	"github.com/rehearse-go/rehearse/internal/files"
)

// place is the URL of one server, taken apart.
type place struct {
	url   *url.URL
	local bool // on loopback
}

// parseURL takes a URL apart. Errors repeat nothing of it.
func parseURL(text string) (place, error) {
	text = strings.TrimSpace(text)
	if !strings.Contains(text, "://") {
		text = "nats://" + text
	}
	switch u, err := url.Parse(text); {
	case err != nil || !hasHost(u) || u.User != nil && u.User.String() == "":
		return place{}, errors.New("is no address of a NATS server: want nats://host:port or tls://host:port")
	case u.Scheme != "nats" && u.Scheme != "tls":
		return place{}, errors.New("has another scheme: want nats:// or tls://")
	case u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "":
		return place{}, errors.New("has something behind host and port: want nats://host:port or tls://host:port")
	default:
		return place{url: u, local: isLoopback(u.Hostname())}, nil
	}
}

// hasHost reports whether a URL names a host, with a port or without. What is cut off a password that has a comma may
// end like one whose port is missing.
func hasHost(u *url.URL) bool {
	bare := strings.Contains(u.Hostname(), ":") && !strings.HasPrefix(u.Host, "[")
	return u.Hostname() != "" && !strings.HasSuffix(u.Host, ":") && !bare
}

// places takes the URLs apart.
//
// SUBTLE: a password that is not escaped as it must be takes the URL apart elsewhere. So an error repeats none in which
// there may be one.
func (o *ConnectOptions) places() (all []place, err error) {
	n := 0
	for text := range strings.SplitSeq(o.URL, ",") {
		n++
		p, err := parseURL(text)
		switch {
		case n > 1 && strings.Contains(text, "@") && !strings.Contains(text, "://"):
			return nil, fmt.Errorf("address %d has a user and no scheme, so that the comma before it may be one of a password: "+
				"write nats:// or tls:// before it, or %%2C for the comma", n)
		case err != nil && strings.Contains(o.URL, "@"):
			return nil, fmt.Errorf("address %d, which is not shown since there may be a password in it, %w (in a password "+
				"write %%40 for @, %%2F for /, %%2C for a comma)", n, err)
		case err != nil:
			return nil, fmt.Errorf("%q %w", text, err)
		}
		all = append(all, p)
	}
	return all, nil
}

// secrets are the texts that no error may hold.
func (o *ConnectOptions) secrets() []string {
	all := []string{o.Token}
	places, _ := o.places() // an error of it holds none
	for _, p := range places {
		if p.url.User == nil {
			continue
		}
		password, _ := p.url.User.Password()
		all = append(all, p.url.User.String(), password)
		if password == "" { // it is a token
			all = append(all, p.url.User.Username())
		}
	}
	return all
}

// isLoopback reports whether a host is this machine for certain. Other names that lead to it are not known to.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback() || strings.EqualFold(host, "localhost")
}

// tlsConfig reads the certificates that the options name; nil: TLS is not asked for.
func (o *ConnectOptions) tlsConfig(places []place) (*tls.Config, error) {
	wanted := o.CA != "" || o.Cert != "" || o.Key != ""
	for _, p := range places {
		wanted = wanted || p.url.Scheme == "tls"
	}
	if !wanted {
		return nil, nil
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if o.CA != "" {
		text, err := files.Read(o.CA)
		if err != nil {
			return nil, fmt.Errorf("the certificates of authorities: %w", err)
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("%s holds no certificate of an authority: want PEM", o.CA)
		}
	}
	switch {
	case (o.Cert == "") != (o.Key == ""):
		return nil, errors.New("a certificate and its key belong together: name both files")
	case o.Cert != "":
		pair, err := tls.LoadX509KeyPair(o.Cert, o.Key)
		if err != nil {
			return nil, fmt.Errorf("the certificate %s with the key %s: %w", o.Cert, o.Key, err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}

// checkSecrets looks at the files of credentials before anything is sent: the client's own errors are not for people.
func (o *ConnectOptions) checkSecrets() error {
	if o.Credentials != "" && o.Seed != "" {
		return errors.New("a credentials file and a seed: name one of them")
	}
	if o.Credentials != "" {
		text, err := files.Read(o.Credentials)
		if err != nil {
			return fmt.Errorf("the credentials: %w", err)
		}
		if !webToken.Match(text) {
			return fmt.Errorf("%s is no credentials file of NATS: want one that `nsc generate creds` writes", o.Credentials)
		}
		if _, err := nkeys.ParseDecoratedUserNKey(text); err != nil {
			return fmt.Errorf("%s holds no seed of a user: want a file that `nsc generate creds` writes", o.Credentials)
		}
	}
	if o.Seed != "" {
		text, err := files.Read(o.Seed)
		if err != nil {
			return fmt.Errorf("the seed: %w", err)
		}
		if _, err := nkeys.ParseDecoratedNKey(text); err != nil {
			return fmt.Errorf("%s holds no seed of a user: want a file that `nk -gen user` writes", o.Seed)
		}
	}
	return nil
}

// Trusted reports whether everybody who can write to the servers is this user: they are embedded servers of this
// machine, whose token nobody else can read.
func (o *ConnectOptions) Trusted() bool {
	if o.Token == "" {
		return false
	}
	places, err := o.places()
	if err != nil {
		return false
	}
	for _, p := range places {
		if !p.local {
			return false
		}
	}
	return true
}
