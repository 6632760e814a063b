package broker

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
)

// authority makes certificates.
type authority struct {
	t    *testing.T
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	file string
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{t: t, dir: t.TempDir()}
	a.file, _ = a.issue("ca", "")
	return a
}

// issue writes a certificate and its key; the first one is the authority's own.
func (a *authority) issue(name, host string) (cert, key string) {
	a.t.Helper()
	own, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	fail(a.t, err)
	c := &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), BasicConstraintsValid: true,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}
	if ip := net.ParseIP(host); ip != nil {
		c.IPAddresses = []net.IP{ip}
	} else if host != "" {
		c.DNSNames = []string{host}
	}
	if a.cert == nil {
		c.IsCA, c.KeyUsage = true, x509.KeyUsageCertSign
		a.cert, a.key = c, own
	}
	der, err := x509.CreateCertificate(rand.Reader, c, a.cert, &own.PublicKey, a.key)
	fail(a.t, err)
	if c.IsCA {
		a.cert, err = x509.ParseCertificate(der)
		fail(a.t, err)
	}
	secret, err := x509.MarshalECPrivateKey(own)
	fail(a.t, err)
	return a.write(name+".pem", "CERTIFICATE", der), a.write(name+".key", "EC PRIVATE KEY", secret)
}

func (a *authority) write(name, kind string, der []byte) string {
	path := filepath.Join(a.dir, name)
	fail(a.t, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600))
	return path
}

func fail(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// elsewhere starts a server that is not ours, with a certificate for host if there is an authority.
func elsewhere(t *testing.T, a *authority, host string, change func(*server.Options)) string {
	t.Helper()
	o := &server.Options{Host: loopback, Port: server.RANDOM_PORT, NoSigs: true, NoLog: true}
	if a != nil {
		cert, key := a.issue("server", host)
		pair, err := tls.LoadX509KeyPair(cert, key)
		fail(t, err)
		o.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12,
			ClientCAs: x509.NewCertPool()}
		o.TLSConfig.ClientCAs.AddCert(a.cert)
		o.TLSTimeout = 10
	}
	if change != nil {
		change(o)
	}
	s, err := server.NewServer(o)
	fail(t, err)
	go s.Start()
	if !s.ReadyForConnections(readyAfter) {
		t.Fatal("the server does not start")
	}
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return strings.TrimPrefix(s.ClientURL()[strings.Index(s.ClientURL(), "://"):], "://")
}

// try connects; want is in the error, "" for none.
func try(t *testing.T, what string, o ConnectOptions, want string) {
	t.Helper()
	nc, err := Connect(context.Background(), o)
	if err == nil {
		nc.Close()
	}
	switch {
	case want == "" && err != nil:
		t.Errorf("%s: %v", what, err)
	case want != "":
		wantError(t, what, err, want)
	}
}

func TestConnectRefuses(t *testing.T) {
	const hint = "is beyond loopback, and the connection would not be encrypted"
	for url, want := range map[string]string{
		"nats://192.0.2.1:4222": "192.0.2.1:4222 " + hint,
		"192.0.2.1":             hint,
		"nats://127.0.0.1:1,nats://[2001:db8::1]:4222": hint,
		"nats://localhost.example.com":                 hint,
		"nats://0.0.0.0:4222":                          hint,
		"nats://user:secret@192.0.2.1":                 hint,
		"http://127.0.0.1":                             `"http://127.0.0.1" has another scheme`,
		"nats://127.0.0.1/path":                        "something behind host and port",
		"nats://:4222":                                 "is no address",
		"":                                             "is no address",
		"nats://user:pa,ss@192.0.2.1":                  "address 1, which is not shown",
	} {
		try(t, url, ConnectOptions{URL: url}, want)
	}
	file := filepath.Join(t.TempDir(), "file")
	fail(t, os.WriteFile(file, []byte("nothing of use"), 0o600))
	for want, o := range map[string]ConnectOptions{
		"no certificate of an authority":  {CA: file},
		"the certificates of authorities": {CA: file + "x"},
		"name both files":                 {Cert: file},
		"the certificate " + file:         {Cert: file, Key: file},
		"no credentials file":             {Credentials: file},
		"the credentials":                 {Credentials: file + "x"},
		"holds no seed":                   {Seed: file},
		"the seed":                        {Seed: file + "x"},
		"name one of them":                {Seed: file, Credentials: file},
		"does not answer: is it running":  {},
	} {
		o.URL = "nats://127.0.0.1:1"
		try(t, want, o, want)
	}
}

func TestConnectEncrypted(t *testing.T) {
	a := newAuthority(t)
	host := elsewhere(t, a, loopback, nil)
	try(t, "the authority's file", ConnectOptions{URL: "nats://" + host, CA: a.file}, "")
	try(t, "tls and the authority's file", ConnectOptions{URL: "tls://" + host, CA: a.file}, "")
	try(t, "an authority that is not known", ConnectOptions{URL: "tls://" + host},
		"is not known here: name its file (-tls-ca)")
	try(t, "not encrypted", ConnectOptions{URL: "nats://" + host}, "authority that is not known here")
	other := elsewhere(t, a, "example.com", nil)
	try(t, "another name", ConnectOptions{URL: "tls://" + other, CA: a.file}, "certificate for another name")
	plain := elsewhere(t, nil, "", nil)
	try(t, "a server without TLS", ConnectOptions{URL: "nats://" + plain, CA: a.file}, "offers no encrypted connection")
	mutual := elsewhere(t, a, loopback,
		func(o *server.Options) { o.TLSConfig.ClientAuth = tls.RequireAndVerifyClientCert })
	cert, key := a.issue("client", "")
	try(t, "a certificate of the client", ConnectOptions{URL: "tls://" + mutual, CA: a.file, Cert: cert, Key: key}, "")
	try(t, "without it", ConnectOptions{URL: "tls://" + mutual, CA: a.file}, "if it wants a certificate of this client")
}

func TestConnectWithSeed(t *testing.T) {
	user, err := nkeys.CreateUser()
	fail(t, err)
	public, err := user.PublicKey()
	fail(t, err)
	seed, err := user.Seed()
	fail(t, err)
	host := elsewhere(t, nil, "", func(o *server.Options) { o.Nkeys = []*server.NkeyUser{{Nkey: public}} })
	file := filepath.Join(t.TempDir(), "user.nk")
	fail(t, os.WriteFile(file, seed, 0o600))
	try(t, "the seed", ConnectOptions{URL: "nats://" + host, Seed: file}, "")
	try(t, "nothing", ConnectOptions{URL: "nats://" + host}, "refuses the credentials")
	try(t, "a password", ConnectOptions{URL: "nats://user:secret@" + host}, "refuses the credentials")
}

func TestConnectWithCredentials(t *testing.T) {
	operator, err := nkeys.CreateOperator()
	fail(t, err)
	account, err := nkeys.CreateAccount()
	fail(t, err)
	user, err := nkeys.CreateUser()
	fail(t, err)
	public := func(k nkeys.KeyPair) string {
		p, err := k.PublicKey()
		fail(t, err)
		return p
	}
	accountToken, err := jwt.NewAccountClaims(public(account)).Encode(operator)
	fail(t, err)
	userToken, err := jwt.NewUserClaims(public(user)).Encode(account)
	fail(t, err)
	seed, err := user.Seed()
	fail(t, err)
	text, err := jwt.FormatUserConfig(userToken, seed)
	fail(t, err)
	file := filepath.Join(t.TempDir(), "user.creds")
	fail(t, os.WriteFile(file, text, 0o600))
	host := elsewhere(t, nil, "", func(o *server.Options) {
		o.TrustedKeys = []string{public(operator)}
		r := &server.MemAccResolver{}
		fail(t, r.Store(public(account), accountToken))
		o.AccountResolver = r
	})
	try(t, "the file", ConnectOptions{URL: "nats://" + host, Credentials: file}, "")
	try(t, "nothing", ConnectOptions{URL: "nats://" + host}, "refuses the credentials")
}

// Workers may start before the server.
func TestConnectWaits(t *testing.T) {
	folder := t.TempDir()
	s := startServer(t, Options{Folder: folder})
	a := s.Access()
	s.Close()
	o := a.Local(t.Name())
	o.Wait = time.Minute
	done := make(chan error)
	go func() {
		nc, err := Connect(context.Background(), o)
		if err == nil {
			nc.Close()
		}
		done <- err
	}()
	startServer(t, Options{Folder: folder})
	if err := <-done; err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	o.URL = "nats://127.0.0.1:1"
	_, err := Connect(ctx, o)
	wantError(t, "a wait that is ended", err, "127.0.0.1:1", "canceled")
}

// Whoever is interrupted does not wait for a server that says nothing.
func TestConnectingToASilentServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fail(t, err)
	defer l.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		if c, err := l.Accept(); err == nil {
			defer c.Close()
			cancel()
			<-t.Context().Done()
		}
	}()
	began := time.Now()
	_, err = Connect(ctx, ConnectOptions{URL: "nats://" + l.Addr().String()})
	if took := time.Since(began); !errors.Is(err, context.Canceled) || took > connectTimeout/2 {
		t.Errorf("%v after %v", err, took)
	}
}
