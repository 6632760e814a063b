package broker

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

const (
	// ConnectTimeout bounds one attempt to connect.
	connectTimeout = 5 * time.Second
	againAfter     = 250 * time.Millisecond // between attempts
	jitter         = 500 * time.Millisecond // on top of it: a thousand workers must not come back at once
	pingEvery      = 5 * time.Second        // a connection whose other end vanished is noticed after two
)

// ConnectOptions say which servers to connect to, and how.
type ConnectOptions struct {
	// URL is nats://host:port or tls://host:port of a server, or several of one cluster with commas between them.
	URL string
	// Token is that of an embedded server: see Find.
	Token string
	// CA is a file with certificates of authorities, in PEM. With it the connection is encrypted, whatever the scheme.
	CA string
	// Cert and Key are files of a certificate and its key for this client, in PEM.
	Cert, Key string
	// Credentials is a credentials file of NATS (.creds); Seed a file with the seed of an nkey.
	Credentials, Seed string
	// Name is what the connection is called on the server.
	Name string
	// Wait is how long to try if nobody answers; 0: one attempt.
	Wait time.Duration
	// Log gets a line when the connection is lost and when it is back, without secrets; nil: nobody.
	Log func(line string)
}

// Local gives the options for an embedded server.
func (a Access) Local(name string) ConnectOptions {
	return ConnectOptions{URL: a.URL, Token: a.Token, Name: name}
}

// Connect connects to one of the servers. A connection that is lost later is made again, as often as it takes. Errors
// say what to do, and hold no secret. A server beyond loopback is refused unless the connection is encrypted: what is
// sent there is run by others.
func Connect(ctx context.Context, o ConnectOptions) (*nats.Conn, error) {
	places, err := o.places()
	if err != nil {
		return nil, err
	}
	config, err := o.tlsConfig(places)
	if err != nil {
		return nil, err
	}
	for _, p := range places {
		if !p.local && config == nil {
			return nil, fmt.Errorf("%s is beyond loopback, and the connection would not be encrypted: write tls:// "+
				"if a known authority signed its certificate, or name the authority's file (-tls-ca)", p.url.Host)
		}
	}
	if err := o.checkSecrets(); err != nil {
		return nil, err
	}
	options, err := o.options(config)
	if err != nil {
		return nil, err
	}
	return o.dial(ctx, places, options)
}

// options gives the client's own options.
func (o *ConnectOptions) options(config *tls.Config) ([]nats.Option, error) {
	options := []nats.Option{
		nats.Name(o.Name), nats.Timeout(connectTimeout), nats.MaxReconnects(-1), nats.ReconnectWait(againAfter),
		nats.ReconnectJitter(jitter, jitter), nats.PingInterval(pingEvery), nats.MaxPingsOutstanding(2),
		// a server that is set up anew may refuse for a while
		nats.IgnoreAuthErrorAbort(),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				o.log("the connection to the NATS server is lost, trying again: " + err.Error())
			}
		}),
		nats.ReconnectHandler(func(c *nats.Conn) { o.log("connected again to " + c.ConnectedUrlRedacted()) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			o.log("NATS: " + strings.TrimPrefix(err.Error(), "nats: "))
		}),
	}
	if config != nil {
		options = append(options, nats.Secure(config))
	} else {
		// SUBTLE: a server behind a tunnel is on loopback, and tells addresses that are not. They are not for us.
		options = append(options, nats.IgnoreDiscoveredServers())
	}
	if o.Token != "" {
		options = append(options, nats.Token(o.Token))
	}
	if o.Credentials != "" {
		options = append(options, nats.UserCredentials(o.Credentials))
	}
	if o.Seed != "" {
		option, err := nats.NkeyOptionFromSeed(o.Seed)
		if err != nil {
			return nil, fmt.Errorf("%s holds no seed of a user: want a file that `nk -gen user` writes", o.Seed)
		}
		options = append(options, option)
	}
	return options, nil
}

func (o *ConnectOptions) log(line string) {
	if o.Log != nil {
		o.Log(Redact(line, o.secrets()...))
	}
}

// dial tries until it has a connection, the time is over, or the error is one that stays.
func (o *ConnectOptions) dial(ctx context.Context, places []place, options []nats.Option) (*nats.Conn, error) {
	for until := time.Now().Add(o.Wait); ; {
		c, err := o.attempt(ctx, options)
		if err == nil {
			return c, nil
		}
		if !Passing(err) || time.Now().After(until) {
			return nil, o.plain(places, err)
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%w (the last attempt: %w)", ctx.Err(), o.plain(places, err))
		case <-time.After(againAfter):
		}
	}
}

// attempt connects once. The client has no context for that, and waits some seconds for each server that is silent.
func (o *ConnectOptions) attempt(ctx context.Context, options []nats.Option) (*nats.Conn, error) {
	type made struct {
		conn *nats.Conn
		err  error
	}
	attempt := make(chan made, 1)
	go func() {
		c, err := nats.Connect(o.URL, options...)
		attempt <- made{c, err}
	}()
	select {
	case m := <-attempt:
		return m.conn, m.err
	case <-ctx.Done():
		go func() {
			if m := <-attempt; m.err == nil {
				m.conn.Close()
			}
		}()
		return nil, ctx.Err()
	}
}

// Passing reports whether an attempt that failed may succeed later: nobody listened.
func Passing(err error) bool {
	var refused *net.OpError
	return errors.Is(err, nats.ErrNoServers) || errors.Is(err, nats.ErrTimeout) || errors.As(err, &refused)
}

// plain says in plain words why there is no connection.
func (o *ConnectOptions) plain(places []place, err error) error {
	var hosts []string
	for _, p := range places {
		hosts = append(hosts, p.url.Host)
	}
	to := "the NATS server at " + strings.Join(hosts, ", ")
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	switch {
	case errors.Is(err, nats.ErrNoServers), errors.Is(err, nats.ErrTimeout):
		return fmt.Errorf("%s does not answer: is it running, and can this machine reach it? (%w)", to, o.clean(err))
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired), errors.Is(err, nats.ErrAuthRevoked):
		return fmt.Errorf("%s refuses the credentials: give those of a user that it knows, with -creds, or -tls-cert and "+
			"-tls-key (%w)", to, o.clean(err))
	case errors.Is(err, nats.ErrSecureConnWanted):
		return fmt.Errorf("%s offers no encrypted connection: configure TLS there (%w)", to, o.clean(err))
	case errors.As(err, &unknown):
		return fmt.Errorf("%s has a certificate of an authority that is not known here: name its file (-tls-ca) (%w)", to,
			o.clean(err))
	case errors.As(err, &name):
		return fmt.Errorf("%s has a certificate for another name: use that name (%w)", to, o.clean(err))
	// An alert of the server has no type. If the client has written before it came, the connection is closed.
	case errors.Is(err, nats.ErrTLS), strings.Contains(err.Error(), "tls: certificate required"):
		return fmt.Errorf("%s has ended the connection when it was encrypted: if it wants a certificate of this client, "+
			"give one that it trusts, with -tls-cert and -tls-key (%w)", to, o.clean(err))
	}
	return fmt.Errorf("%s: %w", to, o.clean(err))
}

// cleaned is an error whose text holds no secret. What it wraps can be asked for.
type cleaned struct {
	text string
	err  error
}

func (c cleaned) Error() string        { return c.text }
func (c cleaned) Is(target error) bool { return errors.Is(c.err, target) }
func (c cleaned) As(target any) bool   { return errors.As(c.err, target) }

func (o *ConnectOptions) clean(err error) error {
	return cleaned{text: Redact(err.Error(), o.secrets()...), err: err}
}
