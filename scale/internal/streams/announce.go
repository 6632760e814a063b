package streams

import (
	"strings"

	"github.com/nats-io/nats.go"
)

// announced is where jobs are announced. Nobody stores that.
const announced = prefix + ".announced"

// Announce tells idle workers of the job. Whoever coordinates does so every second or so.
func (j *Job) Announce() error {
	return j.plain("announcing it", j.nc.Publish(announced, []byte(j.job+" "+j.id)))
}

// OnAnnounce has f called with the name and the id of each job that is announced. It is called on one goroutine.
func OnAnnounce(nc *nats.Conn, f func(job, id string)) (cancel func(), err error) {
	s, err := nc.Subscribe(announced, func(m *nats.Msg) {
		job, id, ok := strings.Cut(string(m.Data), " ")
		if ok && CheckJob(job) == nil && idText.MatchString(id) {
			f(job, id)
		}
	})
	if err != nil {
		return nil, names{}.plain("listening to announcements", err)
	}
	return func() { _ = s.Unsubscribe() }, nil
}
