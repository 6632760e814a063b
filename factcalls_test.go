package rehearse_test

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/internal/facts"
	"github.com/rehearse-go/rehearse/subjects"
)

// Facts tell select who may call whom, which is held against what handlers send.
func TestFactsOfCalls(t *testing.T) {
	withWorkers := func(to string) string {
		return registryFacts(t, func(f *facts.File) {
			f.Actors = append(f.Actors, facts.Actor{Name: "subjects.registryWorker", Package: f.Package, Framework: "native"})
			for message, sent := range map[string]string{"taskQ": "taskM", "taskH": "taskT"} {
				f.Handlers = append(f.Handlers,
					facts.Handler{Actor: "subjects.registryWorker", Message: "subjects." + message, At: "registry.go:66",
						Sends: []facts.Send{{Message: "subjects." + sent, To: []string{to}, At: "registry.go:69"}}})
			}
		})
	}
	for _, strategy := range []string{"select", "optimal/stable"} {
		c := rehearse.Config{Strategy: strategy, Budget: "unlimited", Facts: withWorkers("subjects.registry")}
		r, err := rehearse.Explore(c, subjects.Registry())
		if err != nil || r.Executions != 2 || !strings.Contains(r.Facts, "facts of 5 handlers were used") {
			t.Errorf("%s: %d executions, %q, %v; want 2 with facts of 5 handlers", strategy, r.Executions, r.Facts, err)
		}
		c.Facts = withWorkers("subjects.registryWorker")
		_, err = rehearse.Explore(c, subjects.Registry())
		if err == nil || !strings.Contains(err.Error(), "a broken fact (") ||
			!strings.Contains(err.Error(), "to subjects.registry and is not declared to") {
			t.Errorf("%s with a false receiver: error %v", strategy, err)
		}
	}
	// Who does not go by calls does not hold handlers to them.
	c := rehearse.Config{Strategy: "optimal", Budget: "unlimited", Facts: withWorkers("subjects.registryWorker")}
	if r, err := rehearse.Explore(c, subjects.Registry()); err != nil || r.Executions != 2 {
		t.Errorf("optimal: %d executions, %v; want 2", r.Executions, err)
	}
}

// Declared calls are part of the configuration: what cannot be meant is refused, and what is false ends the
// exploration.
func TestCalls(t *testing.T) {
	c := rehearse.Config{Strategy: "select", Budget: "unlimited", Facts: "off", Calls: subjects.RegistryCalls(),
		Effects: subjects.RegistryEffects()}
	if r, err := rehearse.Explore(c, subjects.Registry()); err != nil || r.Executions != 2 || !r.Complete {
		t.Errorf("%d executions, complete %v, %v; want 2, complete", r.Executions, r.Complete, err)
	}
	c.Calls = append(subjects.RegistryCalls()[2:], subjects.RegistryCalls()[2])
	if _, err := rehearse.Explore(c, subjects.Registry()); err == nil ||
		!strings.Contains(err.Error(), "Calls: caller 3") {
		t.Errorf("declared twice: error %v", err)
	}
	c.Calls = subjects.RegistryCalls()[:1]
	c.Calls[0].May = nil
	if _, err := rehearse.Explore(c, subjects.Registry()); err == nil ||
		!strings.Contains(err.Error(), "and is not declared to") {
		t.Errorf("a send that is not declared: error %v", err)
	}
}
