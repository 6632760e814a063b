package lobby

import "github.com/anthdm/hollywood/actor"

// Config configures a Lobby.
type Config struct {
	Board *Board // takes the results; nil: a new one
	Fixed bool   // the room alone stops its players
}

// Board lists what happened. The scoreboard actor alone writes it; read it when the lobby is at rest.
type Board struct {
	Banned []string
	Closed bool
}

// Lobby runs the actors.
type Lobby struct {
	engine          *actor.Engine
	room, moderator *actor.PID
}

// Open starts a lobby on an engine.
func Open(engine *actor.Engine, cfg Config) *Lobby {
	if cfg.Board == nil {
		cfg.Board = &Board{}
	}
	l := &Lobby{engine: engine}
	board := engine.Spawn(func() actor.Receiver { return &scoreboard{cfg.Board} }, "scoreboard")
	l.room = engine.Spawn(func() actor.Receiver {
		return &room{board: board, players: map[string]*actor.PID{}}
	}, "room")
	l.moderator = engine.Spawn(func() actor.Receiver { return &moderator{l.room, board, cfg.Fixed} }, "moderator")
	return l
}

// Join lets a player in.
func (l *Lobby) Join(name string) { l.engine.Send(l.room, Join{name}) }

// Ban bans a player.
func (l *Lobby) Ban(name string) { l.engine.Send(l.moderator, Ban{name}) }

// Close closes the room.
func (l *Lobby) Close() { l.engine.Send(l.room, Close{}) }

// scoreboard writes the board.
type scoreboard struct{ board *Board }

// Receive implements actor.Receiver.
func (s *scoreboard) Receive(c *actor.Context) {
	switch m := c.Message().(type) {
	case Removed:
		s.board.Banned = append(s.board.Banned, m.Name)
	case Closed:
		s.board.Closed = true
	}
}

// room has the players.
type room struct {
	board   *actor.PID
	players map[string]*actor.PID
	order   []string // of joining
}

// Receive implements actor.Receiver.
func (r *room) Receive(c *actor.Context) {
	switch m := c.Message().(type) {
	case Join:
		r.players[m.Name] = c.Engine().Spawn(func() actor.Receiver { return &session{} }, "player", actor.WithID(m.Name))
		r.order = append(r.order, m.Name)
	case Ask:
		c.Respond(Player{m.Name, r.players[m.Name]})
	case Remove:
		if pid := r.players[m.Name]; pid != nil {
			delete(r.players, m.Name)
			<-c.Engine().Stop(pid).Done()
		}
		c.Send(r.board, Removed{m.Name})
	case Close:
		for _, name := range r.order {
			if pid := r.players[name]; pid != nil {
				delete(r.players, name)
				c.Engine().Stop(pid)
			}
		}
		c.Send(r.board, Closed{})
	}
}

// session is the actor of a player.
type session struct{ moves int }

// Receive implements actor.Receiver.
func (s *session) Receive(c *actor.Context) {
	if _, ok := c.Message().(Move); ok {
		s.moves++
	}
}

// moderator bans players.
type moderator struct {
	room, board *actor.PID
	fixed       bool
}

// Receive implements actor.Receiver.
func (m *moderator) Receive(c *actor.Context) {
	switch msg := c.Message().(type) {
	case Ban:
		if m.fixed {
			c.Send(m.room, Remove(msg))
		} else {
			c.Send(m.room, Ask(msg))
		}
	case Player:
		if msg.PID != nil {
			<-c.Engine().Stop(msg.PID).Done() // nobody ends this wait if another Stop is in the mailbox before
		}
		c.Send(m.board, Removed{msg.Name})
	}
}
