package layered

import (
	"testing"

	"github.com/rehearse-go/rehearse"
)

func TestReceived(t *testing.T)   { rehearse.Check(t, rehearse.Config{}, Received()) }
func TestSent(t *testing.T)       { rehearse.Check(t, rehearse.Config{}, Sent()) }
func TestSpawned(t *testing.T)    { rehearse.Check(t, rehearse.Config{}, Spawned()) }
func TestDecorated(t *testing.T)  { rehearse.Check(t, rehearse.Config{}, Decorated()) }
func TestSupervised(t *testing.T) { rehearse.Check(t, rehearse.Config{}, Supervised()) }
