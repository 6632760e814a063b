package swarm

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// This file: the epochs of a job whose budget was changed very often. All of them are needed for ever, since results
// are folded under the budget of their time. The state of a job has room for some 1,600. So it has the last ones, and
// names a file by its digest, which has those before, and names the next one.
//
//	invariants: I1 a file is never changed, and is there before a state names it. Two coordinators that write it at the
//	               same time write the same bytes
//	            I2 agents need the number of the last epoch alone, which the state says

const (
	epochsFile    = "epochs-" // and its digest
	mostInState   = 256       // epochs: some 18 kB
	mostEpochs    = 1 << 20   // of a job: who reads them asks the server 4,096 times
	maxEpochsFile = 1 << 20   // bytes
)

// earlier names the epochs before others.
type earlier struct {
	File   string `json:"file"`   // SHA-256 of its bytes
	Number int    `json:"number"` // how many there are, in this file and before
}

// number is how many there are, also of nil.
func (e *earlier) number() int {
	if e == nil {
		return 0
	}
	return e.Number
}

// epochs are the last ones of a job, or some before these.
type epochs struct {
	Earlier *earlier `json:"earlier,omitempty"` // nil: none
	Epochs  []epoch  `json:"epochs"`
}

// number is that of the last one.
func (e *epochs) number() int { return e.Earlier.number() + len(e.Epochs) }

// check says what is wrong with what came over the network.
func (e *epochs) check() error {
	if n := e.Earlier.number(); n < 0 || e.Earlier != nil && n == 0 || n > mostEpochs {
		return fmt.Errorf("there are %d epochs before the last ones: want at least 1 and at most %d", n, mostEpochs)
	}
	return checkEpochs(e.Epochs, e.Earlier.number())
}

// begin adds an epoch. If there are too many for the state, the others go to a file.
func (e *epochs) begin(ctx context.Context, j *streams.Job, next epoch) error {
	if len(e.Epochs) < mostInState {
		e.Epochs = append(slices.Clone(e.Epochs), next)
		return nil
	}
	n := e.number()
	if n >= mostEpochs {
		return spoilt(j, fmt.Errorf("its budget, or a setting, was changed %d times: it cannot be changed again", n))
	}
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	file := hex.EncodeToString(sum[:])
	*e = epochs{&earlier{file, n}, []epoch{next}}
	return j.PutFile(ctx, epochsFile+file, bytes.NewReader(data))
}

// all gives all epochs, the first one first.
func (e *epochs) all(ctx context.Context, j *streams.Job) ([]epoch, error) {
	parts := [][]epoch{e.Epochs}
	for at := e.Earlier; at != nil; {
		before, err := fetchEpochs(ctx, j, at)
		if err != nil && !streams.Passing(err) && ctx.Err() == nil {
			err = spoilt(j, err)
		}
		if err != nil {
			return nil, err
		}
		parts = append(parts, before.Epochs)
		at = before.Earlier
	}
	slices.Reverse(parts)
	list := slices.Concat(parts...)
	if err := checkEpochs(list, 0); err != nil {
		return nil, spoilt(j, err)
	}
	return list, nil
}

// fetchEpochs fetches a file of epochs. It has one at least, so that the next file has fewer.
func fetchEpochs(ctx context.Context, j *streams.Job, at *earlier) (*epochs, error) {
	e := &epochs{}
	err := fetchNamed(ctx, j, epochsFile, at.File, maxEpochsFile, func(data []byte) error {
		if err := strictly(data, e); err != nil {
			return err
		}
		if e.number() != at.Number {
			return fmt.Errorf("%d epochs are there and before: the state of the job says %d", e.number(), at.Number)
		}
		return e.check()
	})
	return e, err
}
