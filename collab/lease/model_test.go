package lease_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/platform/platformtest"
)

// action is one step of a random program over processes that share a store.
type action struct {
	what    string
	member  int
	key     string
	applied bool
	wait    time.Duration
}

var actions = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) action {
	return action{
		what:    rapid.SampledFrom([]string{"acquire", "acquire", "release", "break the store", "mend the store", "sleep", "sleep"}).Draw(t, "what"),
		member:  rapid.IntRange(0, 2).Draw(t, "member"),
		key:     rapid.SampledFrom([]string{"a", "a", "a", "b"}).Draw(t, "key"),
		applied: rapid.Bool().Draw(t, "applied"),
		wait:    rapid.SampledFrom([]time.Duration{time.Millisecond, beat / 2, beat, ttl - beat, ttl - 1, ttl, 2 * ttl}).Draw(t, "wait"),
	}
}), 5, 40)

// frozen is a clock on which no time passes, so that a lease never expires for its owner.
type frozen struct{ *platformtest.Clock }

func (frozen) Monotonic() time.Duration { return 0 }
func (frozen) Boot() time.Duration      { return 0 }

// members are the processes, each with faults of its own between it and the store.
type members struct {
	managers []*lease.Manager
	stores   []*faultyStore
	handles  map[string][]*lease.Lease
	highest  map[string]int64
}

func newMembers(t *testing.T, seeded bool) *members {
	fake := platformtest.New()
	shared := lease.NewMemory()
	m := &members{handles: map[string][]*lease.Lease{}, highest: map[string]int64{}}
	for i := range 3 {
		fake.Processes.Start(2000 + i)
		p := fake.As(2000 + i)
		if seeded {
			p.Clock = frozen{fake.Clock}
			if i > 0 {
				p.Clock = fake.Clock
			}
		}
		store := &faultyStore{Repository: shared}
		m.stores = append(m.stores, store)
		m.managers = append(m.managers, newManager(t, store, on(p)))
	}
	return m
}

// act does one action and says what is wrong then.
func (m *members) act(do effect.Do, a action) string {
	switch a.what {
	case "acquire":
		l, err := effect.Await(do, m.managers[a.member].Acquire(a.key))
		if err != nil {
			break
		}
		m.handles[a.key] = append(m.handles[a.key], l)
		if l.Token().Generation <= m.highest[a.key] {
			return fmt.Sprintf("%v was acquired after generation %d", l.Token(), m.highest[a.key])
		}
		m.highest[a.key] = l.Token().Generation
	case "release":
		for _, l := range m.handles[a.key] {
			_, _ = effect.Await(do, l.Release())
		}
	case "break the store":
		m.stores[a.member].failSaves(func(_ context.Context, _ lease.Record, save func() error) error {
			if a.applied {
				_ = save()
			}
			return errDisk
		})
	case "mend the store":
		m.stores[a.member].failSaves(nil)
	case "sleep":
		do.Await(effect.Sleep(a.wait))
	}
	for key, handles := range m.handles {
		holding := 0
		for _, l := range handles {
			if l.Context().Err() == nil {
				holding++
			}
		}
		if holding > 1 {
			return fmt.Sprintf("%d handles hold %s at once", holding, key)
		}
	}
	return ""
}

// play runs a program in virtual time and returns the first thing that is wrong.
func play(t *testing.T, program []action, seeded bool) (wrong string) {
	virtual(t, func(t *testing.T, do effect.Do) {
		m := newMembers(t, seeded)
		for _, a := range program {
			if wrong = m.act(do, a); wrong != "" {
				break
			}
		}
		for _, store := range m.stores {
			store.failSaves(nil)
		}
	})
	return wrong
}

func TestNoTwoHandlesEverHoldAKeyWhateverTheStoreDoes(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		if wrong := play(t, actions.Draw(r, "program"), false); wrong != "" {
			r.Fatal(wrong)
		}
	})
}

func TestTheModelFindsAHolderWhoseClockStandsStill(t *testing.T) {
	for seed := range 5000 {
		if wrong := play(t, actions.Example(seed), true); wrong != "" {
			t.Logf("found: %s", wrong)
			return
		}
	}
	t.Error("two handles were never seen to hold one key")
}
