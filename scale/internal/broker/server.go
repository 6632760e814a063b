package broker

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/rehearse-go/rehearse/internal/files"
)

const (
	// DefaultMaxPayload is the longest message of an embedded server, in bytes.
	DefaultMaxPayload = 1 << 20

	loopback   = "127.0.0.1"
	readyAfter = 30 * time.Second // a store of gigabytes is read in seconds
	jetFolder  = "nats"           // in the store folder
	maxMemory  = 256 << 20
)

// Options say how an embedded server is started. The zero value lacks the folder.
type Options struct {
	// Folder is where the server keeps everything. It is made if it is not there, for this user alone.
	Folder string
	// Port of loopback to listen on; 0: any that is free.
	Port int
	// SyncAlways writes every message through to the disk before it is acknowledged. Without it a killed process loses
	// nothing, but a power cut loses what the system had not written yet: up to two minutes. It costs much: decision
	// 0035 has the measures.
	SyncAlways bool
	// MaxPayload is the longest message in bytes; 0: DefaultMaxPayload.
	MaxPayload int
	// MaxStore bounds the bytes on disk; 0: three quarters of what is free at the start.
	MaxStore int64
	// Log gets what the server reports as errors, a line each, without secrets; nil: nobody.
	Log func(line string)
}

// Server is an embedded server. Its methods may be called by several goroutines.
type Server struct {
	nats   *server.Server
	folder string
	token  string
	lock   *os.File
	log    *errorLog
}

// Start starts a server and waits until it serves. An error says what to do about it. The folder may hold the store of
// an earlier server. Then its streams are there again, and its clients find it: it has the same token, and the same
// port if that is free.
func Start(o Options) (*Server, error) { return start(o, nil) }

// start starts a server that is one of a cluster, if there is one.
func start(o Options, c *member) (_ *Server, err error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	s := &Server{folder: o.Folder}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	if s.lock, err = own(o.Folder); err != nil {
		return nil, err
	}
	if err := s.choose(&o, c); err != nil {
		return nil, err
	}
	if s.nats, err = server.NewServer(o.nats(s.token, c)); err != nil {
		return nil, fmt.Errorf("the NATS server cannot start: %s", Redact(err.Error(), s.token))
	}
	s.log = newLog(o.Folder, o.Log, s.token)
	s.nats.SetLoggerV2(s.log, false, false, false)
	go s.nats.Start()
	if err := s.ready(); err != nil {
		return nil, err
	}
	return s, writeAccess(o.Folder, s.Access())
}

// choose gives the server the port and the token that it had before, or new ones.
func (s *Server) choose(o *Options, c *member) (err error) {
	before, known := readAccess(o.Folder)
	s.token = before.Token
	switch {
	case c != nil:
		s.token = c.token
	case known != nil:
		if s.token, err = newToken(); err != nil {
			return err
		}
	}
	if o.Port != 0 {
		if !isFree(o.Port) {
			return fmt.Errorf("port %d of this machine is taken: name another one, or none", o.Port)
		}
		return nil
	}
	if p, err := parseURL(before.URL); known == nil && err == nil {
		if port, err := strconv.Atoi(p.url.Port()); err == nil && isFree(port) {
			o.Port = port
		}
	}
	return nil
}

// isFree reports whether nobody listens on a port of loopback.
func isFree(port int) bool {
	l, err := net.Listen("tcp", net.JoinHostPort(loopback, strconv.Itoa(port)))
	if err != nil {
		return false
	}
	l.Close()
	return true
}

// ready waits until the server serves.
func (s *Server) ready() error {
	const step = 10 * time.Millisecond
	for until := time.Now().Add(readyAfter); ; {
		switch {
		case s.nats.ReadyForConnections(step) && s.nats.JetStreamEnabled():
			return nil
		case s.log.isFatal():
			return fmt.Errorf("the NATS server does not start: %s", s.log.lastOr(""))
		case time.Now().After(until):
			return fmt.Errorf("the NATS server does not start: %s",
				s.log.lastOr("it said nothing for "+readyAfter.String()))
		}
	}
}

func (o *Options) validate() error {
	switch {
	case o.Folder == "":
		return errors.New("a NATS server needs a folder for its store")
	case o.Port < 0 || o.Port > 65535:
		return fmt.Errorf("port %d: want one from 0 to 65535, 0 for any that is free", o.Port)
	case o.MaxPayload < 0 || o.MaxPayload > 64<<20:
		return fmt.Errorf("messages of at most %d bytes: want at most 64 MB", o.MaxPayload)
	case o.MaxPayload > 0 && o.MaxPayload < 64<<10:
		return fmt.Errorf("messages of at most %d bytes: want at least 64 kB", o.MaxPayload)
	case o.MaxStore < 0:
		return fmt.Errorf("a store of %d bytes: want a number that is not negative", o.MaxStore)
	}
	return nil
}

// nats gives the server's own options.
func (o *Options) nats(token string, c *member) *server.Options {
	n := &server.Options{
		ServerName:             "rehearse",
		Host:                   loopback,
		Port:                   o.Port,
		Authorization:          token,
		NoSigs:                 true,
		DisableJetStreamBanner: true,
		MaxPayload:             int32(o.MaxPayload),
		JetStream:              true,
		JetStreamMaxMemory:     maxMemory,
		JetStreamMaxStore:      o.MaxStore,
		StoreDir:               filepath.Join(o.Folder, jetFolder),
		SyncAlways:             o.SyncAlways,
	}
	if o.Port == 0 {
		n.Port = server.RANDOM_PORT
	}
	if o.MaxPayload == 0 {
		n.MaxPayload = DefaultMaxPayload
	}
	c.join(n)
	return n
}

// Usable says what is wrong with a folder for a server: it cannot be made or written to, or another server uses it.
func Usable(folder string) error {
	f, err := own(folder)
	if err != nil {
		return err
	}
	return f.Close()
}

// own makes the folder and takes it: two servers on one store would destroy it.
func own(folder string) (*os.File, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("the folder of the NATS server: %w", err)
	}
	f, err := files.Open(filepath.Join(folder, lockFile), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the folder of the NATS server: %w", err)
	}
	switch err := files.TryLock(f); {
	case errors.Is(err, files.ErrLocked):
		f.Close()
		return nil, fmt.Errorf("%s is used by another server that runs: wait until it has ended, or name another "+
			"folder (-store)", folder)
	case err != nil:
		f.Close()
		return nil, err
	}
	return f, nil
}

// URL is where clients find the server. It holds no secret.
func (s *Server) URL() string { return s.nats.ClientURL() }

// Access is what clients need to connect.
func (s *Server) Access() Access { return Access{URL: s.URL(), Token: s.token} }

// Failed is closed when the server cannot write its store any more: most often the disk is full. It serves on, and does
// not answer those who publish. Err tells why.
func (s *Server) Failed() <-chan struct{} { return s.log.failed }

// Err tells why the store cannot be written, and what to do; nil: it can.
func (s *Server) Err() error {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	return s.log.why
}

// Close stops the server and waits until all that it acknowledged is written. Its store stays.
func (s *Server) Close() {
	if s.nats != nil {
		s.nats.Shutdown()
		s.nats.WaitForShutdown()
	}
	if s.lock != nil {
		s.lock.Close()
		s.lock = nil
	}
}
