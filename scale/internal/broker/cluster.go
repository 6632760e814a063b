package broker

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

const (
	clusterName = "rehearse"
	clusterUser = "rehearse"
	electAfter  = 30 * time.Second
)

// member is one server of a cluster of embedded ones; nil: there is no cluster.
type member struct {
	number   int // from 0
	token    string
	password string
	routes   []*url.URL // of all members
}

func (m *member) join(n *server.Options) {
	if m == nil {
		return
	}
	port, _ := strconv.Atoi(m.routes[m.number].Port())
	n.ServerName = fmt.Sprintf("%s-%d", clusterName, m.number+1)
	n.Routes = m.routes
	n.Cluster = server.ClusterOpts{Name: clusterName, Host: loopback, Port: port, Username: clusterUser,
		Password: m.password, PoolSize: -1}
}

// Cluster is several embedded servers that hold copies of the same streams. They are on one machine: it shows what a
// cluster does, and outlives a broken server, but not a broken machine.
type Cluster struct {
	Servers []*Server // nil: stopped
	options Options
	lock    *os.File // of the folder of all
	token   string
	members []*member
}

// StartCluster starts n servers, in folders below that of the options. Each gets a free port. It waits until they have
// elected a leader.
func StartCluster(n int, o Options) (_ *Cluster, err error) {
	if n != 3 && n != 5 {
		return nil, fmt.Errorf("a cluster of %d servers: want 3 or 5, so that more than half are left if one fails", n)
	}
	if o.Port != 0 {
		return nil, errors.New("servers of a cluster cannot share a port: name none")
	}
	if err := o.validate(); err != nil {
		return nil, err
	}
	c := &Cluster{Servers: make([]*Server, n), options: o}
	defer func() {
		if err != nil {
			c.Close()
		}
	}()
	if c.lock, err = own(o.Folder); err != nil {
		return nil, err
	}
	if before, err := readAccess(o.Folder); err == nil {
		c.token = before.Token
	} else if c.token, err = newToken(); err != nil {
		return nil, err
	}
	if err := c.plan(n); err != nil {
		return nil, err
	}
	for i := range n {
		if err := c.Start(i); err != nil {
			return nil, err
		}
	}
	if err := c.wait(n); err != nil {
		return nil, err
	}
	return c, writeAccess(o.Folder, c.Access())
}

// plan chooses the ports of the routes. They must be known before the first server starts.
func (c *Cluster) plan(n int) error {
	password, err := newToken()
	if err != nil {
		return err
	}
	var routes []*url.URL
	for range n {
		l, err := net.Listen("tcp", net.JoinHostPort(loopback, "0"))
		if err != nil {
			return fmt.Errorf("a free port for a NATS server: %w", err)
		}
		defer l.Close() // all are held until each has one
		routes = append(routes, &url.URL{Scheme: "nats", Host: l.Addr().String(),
			User: url.UserPassword(clusterUser, password)})
	}
	for i := range n {
		c.members = append(c.members, &member{number: i, token: c.token, password: password, routes: routes})
	}
	return nil
}

// Start starts server i, from 0, which was stopped or never started.
func (c *Cluster) Start(i int) (err error) {
	o := c.options
	o.Folder = filepath.Join(o.Folder, fmt.Sprintf("server-%d", i+1))
	c.Servers[i], err = start(o, c.members[i])
	return err
}

// Stop ends server i, from 0.
func (c *Cluster) Stop(i int) {
	if s := c.Servers[i]; s != nil {
		s.Close()
		c.Servers[i] = nil
	}
}

// wait waits until n servers serve, know each other, and one leads.
func (c *Cluster) wait(n int) error {
	for until := time.Now().Add(electAfter); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		ready, leads := 0, false
		for _, s := range c.Servers {
			if s != nil && s.nats.ReadyForConnections(time.Millisecond) && s.nats.JetStreamIsCurrent() {
				ready++
				leads = leads || s.nats.JetStreamIsLeader() && len(s.nats.JetStreamClusterPeers()) == n
			}
		}
		if ready == n && leads {
			return nil
		}
	}
	return fmt.Errorf("the %d NATS servers have not found each other in %s", n, electAfter)
}

// Access is what clients need to connect to whichever server is there.
func (c *Cluster) Access() Access {
	a := Access{Token: c.token}
	for _, s := range c.Servers {
		if s != nil {
			a.add(s.URL())
		}
	}
	return a
}

// Close stops all servers. Their stores stay.
func (c *Cluster) Close() {
	for i := range c.Servers {
		c.Stop(i)
	}
	if c.lock != nil {
		c.lock.Close()
		c.lock = nil
	}
}
