package effect

import (
	"sync"

	"github.com/rivus/agentkit/errors"
)

// turn lets one fiber at a time through, in the order of their coming.
type turn struct {
	once  sync.Once
	token chan Unit
}

func (t *turn) channel() chan Unit {
	t.once.Do(func() {
		t.token = make(chan Unit, 1)
		t.token <- Unit{}
	})
	return t.token
}

// take waits for the turn; the region's interruption ends the waiting.
func (t *turn) take(v *env) *errors.Cause {
	select {
	case <-t.channel():
		return nil
	default:
	}
	if w := v.fiber.watched.Load(); w != nil {
		w.begin()
		defer w.end()
	}
	select {
	case <-t.channel():
		return nil
	case <-v.Done():
		return v.pending()
	}
}

// give lets the next one through.
func (t *turn) give() { t.channel() <- Unit{} }
