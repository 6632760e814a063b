package swarm

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/rehearse-go/rehearse/scale/internal/broker"
)

// play is what a process of a swarm does that is killed: REHEARSE_TEST_ROLE is the role and the folder of the server.
func play(role string) error {
	role, folder, _ := strings.Cut(role, " ")
	go func() { // not longer than the test
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(4)
	}()
	ctx := context.Background()
	if role == "server" {
		port, err := strconv.Atoi(os.Getenv("REHEARSE_TEST_PORT"))
		if err != nil {
			return err
		}
		if _, err := broker.Start(broker.Options{Folder: filepath.Join(folder, "server"), Port: port,
			Log: func(line string) { fmt.Println("server:", line) }}); err != nil {
			return err
		}
		select {}
	}
	nc, err := join(ctx, filepath.Join(folder, "server"), role)
	if err != nil {
		return err
	}
	if name, ok := strings.CutPrefix(role, "agent"); ok {
		a := &Agent{Name: fmt.Sprintf("agent%s-%d", name, os.Getpid()), Hands: 1, Cache: filepath.Join(folder, "cache"),
			Tool: "test", Most: 300 * time.Millisecond, Log: func(line string) { fmt.Println(role, line) }}
		return a.Serve(ctx, nc)
	}
	if role == "targets" {
		r, err := newTargets(folder, strings.Fields(os.Getenv("REHEARSE_TEST_PROGRAM")), os.Stdout)
		if err == nil {
			_, err = r.ShareTargets(ctx, nc)
		}
		return err
	}
	r, err := newRun(os.Getenv("REHEARSE_TEST_BINARY"), folder, os.Getenv("REHEARSE_TEST_PROGRAM"), os.Stdout)
	if err != nil {
		return err
	}
	code, err := r.Coordinate(ctx, nc)
	if err == nil && code != 0 {
		err = fmt.Errorf("exit code %d", code)
	}
	return err
}

// join connects to a server that may be about to start.
func join(ctx context.Context, folder, name string) (*nats.Conn, error) {
	for until := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		access, err := broker.Find(folder)
		if err == nil {
			var nc *nats.Conn
			o := access.Local(name)
			o.Wait = time.Second
			if nc, err = broker.Connect(ctx, o); err == nil {
				return nc, nil
			}
		}
		if time.Now().After(until) {
			return nil, err
		}
	}
}

// player is a process of a swarm.
type player struct {
	role string
	cmd  *exec.Cmd
	in   io.Closer
	out  *strings.Builder
	over chan error
}

func (p *player) start(t *testing.T, folder, port, program string) {
	t.Helper()
	p.cmd = exec.Command(os.Args[0])
	p.cmd.Env = append(os.Environ(), "REHEARSE_TEST_ROLE="+p.role+" "+folder, "REHEARSE_TEST_PORT="+port,
		"REHEARSE_TEST_PROGRAM="+program, "REHEARSE_TEST_BINARY="+binaryOf(t), "TMPDIR="+folder)
	p.out = &strings.Builder{}
	p.cmd.Stdout, p.cmd.Stderr = p.out, p.out
	in, err := p.cmd.StdinPipe()
	if err == nil {
		p.in = in
		err = p.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	over := make(chan error, 1)
	p.over = over
	go func(cmd *exec.Cmd) { over <- cmd.Wait() }(p.cmd)
}

func (p *player) kill() {
	_ = p.cmd.Process.Kill()
	<-p.over
}

// kills is how many processes are killed: REHEARSE_TEST_KILLS, or ten.
func kills() int {
	if n, err := strconv.Atoi(os.Getenv("REHEARSE_TEST_KILLS")); err == nil {
		return n
	}
	return 10
}

// Whichever of server, agents and coordinator is killed whenever: nothing is lost, and nothing counted twice.
func TestKilled(t *testing.T) {
	if !whole(t) {
		return
	}
	t.Parallel()
	program := "pi9"
	want := "RESULT " + alone(t, program) + "\n"
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for left := kills(); left > 0; {
		n := killedRun(t, program, want, left, random)
		left -= n
		t.Logf("%d kills in one run", n)
		if t.Failed() {
			return
		}
	}
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

func portOf(url string) int {
	n, _ := strconv.Atoi(url[strings.LastIndex(url, ":")+1:])
	return n
}

// killedRun lets a swarm explore, and kills up to so many of its processes meanwhile.
func killedRun(t *testing.T, program, want string, most int, random *rand.Rand) (killed int) {
	t.Helper()
	folder := t.TempDir()
	port := freePort(t)
	players := []*player{{role: "server"}, {role: "coordinator"}, {role: "agent1"}, {role: "agent2"}}
	for _, p := range players {
		p.start(t, folder, port, program)
		defer p.kill()
	}
	coordinator := players[1]
	deadline := time.After(2 * time.Minute)
	for {
		select {
		case err := <-coordinator.over:
			coordinator.over <- nil
			if err != nil || !strings.Contains(coordinator.out.String(), want) {
				t.Errorf("%v, %d kills\n%s\nwant %s", err, killed, coordinator.out, want)
				for _, p := range players {
					p.kill()
					t.Logf("%s: %s", p.role, p.out)
					p.over <- nil
				}
			}
			return killed
		case <-deadline:
			t.Errorf("it does not end, %d kills", killed)
			for _, p := range players {
				p.kill()
				t.Logf("%s: %s", p.role, p.out)
				p.over <- nil
			}
			return killed
		case <-time.After(time.Duration(100+random.IntN(900)) * time.Millisecond):
		}
		if killed < most {
			p := players[random.IntN(len(players))]
			select {
			case err := <-p.over: // it has ended by itself
				p.over <- err
				if p != coordinator {
					t.Errorf("%s ended: %v\n%s", p.role, err, p.out)
					return killed
				}
			default:
				p.kill()
				killed++
				p.start(t, folder, port, program)
			}
		}
	}
}
