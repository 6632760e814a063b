package boxoffice

import (
	"fmt"
	"net/http"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// Config configures the application.
type Config struct {
	Patience time.Duration // how long a request waits for the hall; 0: 5 s
	Fixed    bool          // the hall decides, not the handler
}

// office is the application: an actor system, and the HTTP handlers in front of it.
type office struct {
	cfg    Config
	system *actor.ActorSystem
	hall   *actor.PID
}

// Run is the whole application, but for the network: it starts the actors and has serve serve what is in front of them.
// main gives it http.ListenAndServe, a test whatever sends requests.
func Run(cfg Config, serve func(http.Handler) error) error {
	if cfg.Patience == 0 {
		cfg.Patience = 5 * time.Second
	}
	o := &office{cfg: cfg, system: actor.NewActorSystem()}
	var err error
	o.hall, err = o.system.Root.SpawnNamed(actor.PropsFromProducer(cfg.hall), "hall")
	if err != nil {
		return fmt.Errorf("box office: start hall: %w", err)
	}
	return serve(o.handler())
}

func (cfg Config) hall() actor.Actor {
	h := hall{guests: map[string]string{}}
	if cfg.Fixed {
		return &carefulHall{h}
	}
	return &h
}

// handler sells a seat with POST /seats/{seat}?guest=NAME: 201 if the guest has it, 409 if somebody else does.
func (o *office) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /seats/{seat}", o.sell)
	return mux
}

func (o *office) sell(w http.ResponseWriter, r *http.Request) {
	seat, guest := r.PathValue("seat"), r.FormValue("guest")
	if guest == "" {
		http.Error(w, "who is the guest?", http.StatusBadRequest)
		return
	}
	seen, err := ask[Seen](o, Look{seat})
	if err == nil && seen.Free {
		var sold Sold
		if sold, err = ask[Sold](o, Sell{seat, guest}); err == nil && sold.OK {
			w.WriteHeader(http.StatusCreated)
			return
		}
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	http.Error(w, "seat "+seat+" is taken", http.StatusConflict)
}

// ask asks the hall and waits for the answer.
func ask[Answer any](o *office, question any) (answer Answer, err error) {
	got, err := o.system.Root.RequestFuture(o.hall, question, o.cfg.Patience).Result()
	if err != nil {
		return answer, fmt.Errorf("the hall does not answer: %w", err)
	}
	return got.(Answer), nil
}
