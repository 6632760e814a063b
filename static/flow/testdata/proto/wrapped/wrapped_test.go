package wrapped

import (
	"testing"

	"github.com/rehearse-go/rehearse"
)

func TestPacked(t *testing.T)    { rehearse.Check(t, rehearse.Config{}, Packed()) }
func TestAnswered(t *testing.T)  { rehearse.Check(t, rehearse.Config{}, Answered()) }
func TestChanging(t *testing.T)  { rehearse.Check(t, rehearse.Config{}, Changing()) }
func TestPublished(t *testing.T) { rehearse.Check(t, rehearse.Config{}, Published()) }
func TestKept(t *testing.T)      { rehearse.Check(t, rehearse.Config{}, Kept()) }
