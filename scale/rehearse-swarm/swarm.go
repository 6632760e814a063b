package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/internal/command"
	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/scale/internal/broker"
	"github.com/rehearse-go/rehearse/scale/internal/bundle"
	"github.com/rehearse-go/rehearse/scale/internal/request"
	"github.com/rehearse-go/rehearse/scale/internal/streams"
	"github.com/rehearse-go/rehearse/scale/internal/swarm"
)

// swarmed has the explorations of a test made by all machines that work on them.
func swarmed(ctx context.Context, s command.Streams, r *request.Swarm) (int, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	failed := func() error { return nil }
	if r.URL == "" {
		server, err := broker.Start(broker.Options{Folder: r.Store, SyncAlways: r.Sync,
			Log: func(line string) { fmt.Fprintln(s.Err, "rehearse: "+line) }})
		if err != nil {
			return 0, err
		}
		defer server.Close()
		failed = server.Err
		go endWith(ctx, server.Failed(), cancel)
	}
	nc, err := connect(ctx, &r.Server, "coordinator "+machine(), s.Err)
	if err != nil {
		return 0, err
	}
	defer nc.Close()
	if r.Workers > 0 {
		end, err := help(ctx, s, r)
		if err != nil {
			return 0, err
		}
		defer end()
	}
	if r.Targets {
		return shareTargets(ctx, s, r, nc)
	}
	report := filepath.Join(filepath.Dir(r.Binary), "report")
	run := runOf(s, r, report)
	code, err := run.Coordinate(ctx, nc)
	if ctx.Err() != nil {
		// SUBTLE: whatever was under way has failed by that.
		return 0, cmp.Or(failed(), errors.New("interrupted: the same command goes on with what is kept"))
	}
	if err != nil {
		return 0, err
	}
	return conclude(s, r, report, code, run.Explorations())
}

// endWith cancels when the server has failed: it goes on, and answers nobody who publishes.
func endWith(ctx context.Context, failed <-chan struct{}, cancel func()) {
	select {
	case <-failed:
		cancel()
	case <-ctx.Done():
	}
}

// help has this machine work at the jobs too, until end is called.
func help(ctx context.Context, s command.Streams, r *request.Swarm) (end func(), err error) {
	a, err := ours(r)
	if err != nil {
		return nil, err
	}
	nc, err := connect(ctx, &r.Server, a.Name, s.Err)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := a.Serve(ctx, nc); err != nil {
			fmt.Fprintf(s.Err, "rehearse swarm: %v\n", err)
		}
	}()
	return func() {
		stop()
		<-ended // it may have something to answer
		nc.Close()
	}, nil
}

// conclude writes the results as JSON, if they are asked for. It makes the exit code of rehearse of that of the binary,
// which has asked for so many explorations.
func conclude(s command.Streams, r *request.Swarm, report string, code, explorations int) (int, error) {
	records, err := files.Read(report)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	if r.JSON {
		if _, err := s.Out.Write(records); err != nil {
			return 0, err
		}
	}
	refused := false
	for line := range bytes.Lines(records) {
		var one struct {
			Refused    bool
			Reason     string
			Executions int
			Findings   []json.RawMessage
		}
		if json.Unmarshal(line, &one) == nil {
			nothing := len(one.Findings) == 0 && (one.Reason == "error" || one.Executions == 0)
			refused = refused || one.Refused || nothing
		}
	}
	switch {
	case code == 0 && len(records) == 0 && explorations == 0:
		return 0, errors.New("nothing was shared: no test that -run matches calls rehearse.Check or rehearse.Explore, or " +
			"it takes the variables of Rehearse back and explores in its own process")
	case code == 0:
		if explorations == 0 {
			fmt.Fprintln(s.Err, "rehearse swarm: nothing was shared: what the tests had to do was done in their own process")
		}
		return command.ExitOK, nil
	case code == 1 && !refused:
		return command.ExitFound, nil
	}
	return command.ExitError, nil
}

// runOf is the run of the test here. Its Checks write their results to a file.
func runOf(s command.Streams, r *request.Swarm, report string) *swarm.Run {
	run := &swarm.Run{Manifest: r.Contents.Manifest, Pack: r.Contents.Pack, Binary: r.Binary, Args: r.Args, Dir: r.Dir,
		Sign: r.Sign, Job: r.Job, Streams: keptAs(r), Out: s.Out, Err: s.Err,
		Progress: &swarm.Progress{W: s.Err, JSON: r.JSON, Every: progressEvery(r.Environ, s)}}
	if r.JSON {
		run.Out, run.Progress.W = s.Err, s.Out // what the test prints is none
	}
	// Progress is told for all machines, here.
	run.Env = slices.Concat(r.Environ, []string{command.Variable("progress") + "=off",
		command.Variable("report") + "=" + report})
	return run
}

// keptAs is how the server is to keep the job.
func keptAs(r *request.Swarm) streams.Options {
	return streams.Options{Replicas: r.Replicas, MaxBytes: r.MaxBytes}
}

// ours is the agent of this machine. What it works on was signed here, or nobody signs.
func ours(r *request.Swarm) (*swarm.Agent, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	a := &swarm.Agent{Name: machine(), Hands: r.Workers, Cache: filepath.Join(cache, "rehearse", "bundles"),
		Tool: command.Version(), Most: r.Longest}
	if r.Sign == "" {
		return a, nil
	}
	seed, err := bundle.ReadSeed(r.Sign)
	if err != nil {
		return nil, err
	}
	defer seed.Wipe()
	public, err := seed.Public()
	a.Trust = []string{public}
	return a, err
}

// machine names this process among all that work on a job.
func machine() string {
	host, err := os.Hostname()
	if err != nil {
		host = "machine"
	}
	b := make([]byte, 3)
	_, _ = rand.Read(b) // the number of the process is enough mostly
	host = regexp.MustCompile(`[^A-Za-z0-9_-]+`).ReplaceAllString(host, "-")
	return fmt.Sprintf("%.60s-%d-%s", host, os.Getpid(), hex.EncodeToString(b))
}

// The time between two lines of progress.
const (
	onTerminal = 3 * time.Second
	elsewhere  = time.Minute
)

// progressEvery is the time that the setting says, or what suits.
func progressEvery(environ []string, s command.Streams) time.Duration {
	every := elsewhere
	if files.IsTerminal(s.Err) {
		every = onTerminal
	}
	for _, v := range environ { // the last one counts
		value, ok := strings.CutPrefix(v, command.Variable("progress")+"=")
		switch d, err := time.ParseDuration(value); {
		case !ok || value == "":
		case err == nil:
			every = d
		default:
			every = 0 // off
		}
	}
	return every
}
