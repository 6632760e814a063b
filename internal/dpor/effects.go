package dpor

import "fmt"

// errEffects says why a strategy refuses declared effects.
func errEffects(name string) error {
	return fmt.Errorf("strategy %s does not fit declared effects (Config.Effects) under this delivery model: it reads the order of an actor's steps from "+
		"each of them depending on those before, and would miss classes; use optimal or source, or declare none", name)
}
