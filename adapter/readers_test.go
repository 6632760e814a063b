package adapter

import (
	"sync"
	"testing"
)

// A lock counts who reads, keeps nobody out meanwhile, and everybody out again when it is over.
func TestReaders(t *testing.T) {
	if wrong := CountsReaders(); wrong != "" {
		t.Fatal(wrong)
	}
	var lock sync.RWMutex
	var r Readers
	if r.Count(); r.Reads() != 0 {
		t.Error("what watches nothing counts")
	}
	r.Watch(&lock)
	r.Count()
	read := func() {
		lock.RLock()
		lock.RUnlock()
	}
	lock.Lock()
	read() // beside who writes
	lock.Unlock()
	for range 4 {
		read()
	}
	if n := r.Reads(); n != 5 {
		t.Errorf("%d reads", n)
	}
	if r.Forget(3); r.Reads() != 2 {
		t.Errorf("%d reads, when 3 of 5 are forgotten", r.Reads())
	}
	for range 3 * manyPermits / 2 { // more than there are permits
		lock.Lock()
		lock.Unlock()
		r.Forget(0)
	}
	r.Exclude()
	r.Count() // is over for good
	lock.RLock()
	if lock.TryLock() || r.Reads() != 0 {
		t.Error("the lock keeps nobody out")
	}
	lock.RUnlock()
	if !lock.TryLock() || lock.TryRLock() {
		t.Error("the lock is not free, or keeps no reader out")
	}
}
