package cli

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/rehearse-go/rehearse/internal/command"
	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/internal/settings"
	"github.com/rehearse-go/rehearse/scale/internal/broker"
	"github.com/rehearse-go/rehearse/scale/internal/bundle"
	"github.com/rehearse-go/rehearse/scale/internal/streams"
	"github.com/rehearse-go/rehearse/scale/internal/swarm"
)

const (
	// waitForServer is how long to try to connect: machines of a swarm start in any order.
	waitForServer = time.Minute
	// keptUnused is how long a bundle stays in a cache that nobody opens.
	keptUnused = 30 * 24 * time.Hour
)

// beginSwarm runs the test. Its explorations are shared by all who pull from the server, this machine too.
func beginSwarm(ctx context.Context, s command.Streams, r *swarmRequest) (int, error) {
	log := logger(s.Err, "swarm")
	reach := func(string) (broker.ConnectOptions, error) { return r.reach() }
	if r.url == "" {
		server, err := broker.Start(broker.Options{Folder: r.store, SyncAlways: r.sync, Log: log})
		if err != nil {
			return 0, err
		}
		defer server.Close()
		reach = func(name string) (broker.ConnectOptions, error) { return server.Access().Local(name), nil }
	}
	nc, err := connect(ctx, reach, "coordinator", log)
	if err != nil {
		return 0, err
	}
	defer nc.Close()
	if r.workers > 0 {
		stop, err := r.workHere(ctx, reach, log)
		if err != nil {
			return 0, err
		}
		defer stop()
	}
	return r.coordinate(ctx, nc, s)
}

// coordinate runs the test binary and gives the exit code of rehearse.
func (r *swarmRequest) coordinate(ctx context.Context, nc *nats.Conn, s command.Streams) (int, error) {
	every, err := r.every(s.Err)
	if err != nil {
		return 0, err
	}
	report := filepath.Join(filepath.Dir(r.binary), "report")
	job := &swarm.Run{Manifest: r.manifest, Pack: r.pack, Binary: r.binary, Args: r.args, Dir: r.dir, Sign: r.sign,
		Env:     append(r.env, command.Variable("progress")+"=off", command.Variable("report")+"="+report),
		Streams: streams.Options{Replicas: r.replicas}, Out: s.Out, Err: s.Err,
		Progress: &swarm.Progress{W: s.Err, JSON: r.json, Every: every}}
	if r.json {
		job.Out, job.Progress.W = s.Err, s.Out
	}
	code, err := job.Coordinate(ctx, nc)
	if ctx.Err() != nil {
		// SUBTLE: whatever was under way has failed by that.
		return 0, errors.New("interrupted: the same command goes on with what is kept")
	}
	if err != nil {
		return 0, err
	}
	return r.conclude(s, report, code)
}

// conclude writes the results as JSON, if they are asked for, and makes the exit code of rehearse of the binary's.
func (r *swarmRequest) conclude(s command.Streams, report string, code int) (int, error) {
	records, err := files.Read(report)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	if r.json {
		if _, err := s.Out.Write(records); err != nil {
			return 0, err
		}
	}
	refused := false
	for line := range bytes.Lines(records) {
		var one struct{ Refused bool }
		refused = json.Unmarshal(line, &one) == nil && one.Refused || refused
	}
	switch {
	case code == 0:
		if len(records) == 0 {
			return 0, errors.New("no Check ran: no test that -run matches calls rehearse.Check")
		}
		return command.ExitOK, nil
	case code == 1 && !refused:
		return command.ExitFound, nil
	}
	return command.ExitError, nil
}

// every is how often progress is told: as the setting says, else as rehearse test does.
func (r *swarmRequest) every(w io.Writer) (time.Duration, error) {
	v, err := settings.Read(func(name string) string {
		if name == command.Variable("progress") {
			return r.progress
		}
		return ""
	})
	switch {
	case err != nil:
		return 0, err
	case v.Progress != 0:
		return max(v.Progress, 0), nil // 0: never
	case r.json || files.IsTerminal(w):
		return 3 * time.Second, nil
	}
	return time.Minute, nil
}

// workHere starts an agent of this process. It runs what this user has signed, or, where nothing is signed, what is on
// the server of this machine.
func (r *swarmRequest) workHere(ctx context.Context, reach reached, log func(string)) (stop func(), err error) {
	var trust []string
	if r.sign != "" {
		seed, err := bundle.ReadSeed(r.sign)
		if err != nil {
			return nil, err
		}
		defer seed.Wipe()
		public, err := seed.Public()
		if err != nil {
			return nil, err
		}
		trust = []string{public}
	}
	a := &swarm.Agent{Name: agentName(), Hands: r.workers, Cache: r.cache, Trust: trust, Tool: r.manifest.Tool,
		Limits: bundle.Limits{Total: max(r.manifest.Total(), bundle.DefaultTotal)}, Log: log}
	nc, err := connect(ctx, reach, a.Name, log)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() {
		if err := a.Serve(ctx, nc); err != nil {
			log(err.Error())
		}
	})
	return func() { cancel(); running.Wait(); nc.Close() }, nil
}

// beginWorker works on jobs until it is interrupted.
func beginWorker(ctx context.Context, s command.Streams, w *workerRequest) (int, error) {
	log := logger(s.Err, "worker")
	bundle.Sweep(w.cache, keptUnused)
	a := &swarm.Agent{Name: agentName(), Hands: w.workers, Cache: w.cache, Trust: w.trust, Tool: command.Version(),
		Limits: w.limits, Log: log, Once: w.once}
	nc, err := connect(ctx, func(string) (broker.ConnectOptions, error) { return w.reach() }, a.Name, log)
	if err != nil {
		return 0, err
	}
	defer nc.Close()
	return command.ExitOK, a.Serve(ctx, nc)
}

// reach says how the server is reached.
func (s *server) reach() (broker.ConnectOptions, error) {
	if s.url == "" {
		a, err := broker.Find(s.store)
		return a.Local(""), err
	}
	return broker.ConnectOptions{URL: s.url, CA: s.ca, Cert: s.cert, Key: s.key, Credentials: s.credentials,
		Wait: waitForServer}, nil
}

// reached gives the options of a connection with a name.
type reached = func(name string) (broker.ConnectOptions, error)

func connect(ctx context.Context, reach reached, name string, log func(string)) (*nats.Conn, error) {
	o, err := reach(name)
	if err != nil {
		return nil, err
	}
	o.Name, o.Log = name, log
	return broker.Connect(ctx, o)
}

// notInNames is what the name of an agent does not have.
var notInNames = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// agentName is one that no other agent has.
func agentName() string {
	host, _ := os.Hostname()
	host = notInNames.ReplaceAllString(host, "-")
	random := make([]byte, 4)
	rand.Read(random) // it does not fail
	return fmt.Sprintf("%.40s-%d-%s", cmp.Or(host, "machine"), os.Getpid(), hex.EncodeToString(random))
}

// logger writes lines for people. Many may call it at the same time.
func logger(w io.Writer, name string) func(string) {
	var mu sync.Mutex
	return func(line string) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(w, "rehearse %s: %s\n", name, line)
	}
}
