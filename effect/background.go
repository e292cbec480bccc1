package effect

import (
	"log/slog"
	"sync"

	"github.com/rivus/agentkit/errors"
)

// inBackground runs e now, on a goroutine that belongs to no effect, as a fiber that is not interrupted. Nobody is there to see
// how it ends: what goes wrong is logged with what e was for.
func (v *env) inBackground(e Effect[Unit], purpose string) {
	f := newFiber[Unit](v, launch{masked: true, name: purpose})
	f.main(e)
	if f.exit.Cause != nil {
		f.env.unhandled(purpose, f.exit.Cause)
	}
}

// unhandled reports a cause that no effect can be given.
func (v *env) unhandled(purpose string, c *errors.Cause) {
	slog.Default().ErrorContext(v, "effect: could not "+purpose, "cause", c)
}

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
	select {
	case <-t.channel():
		return nil
	case <-v.Done():
		return v.pending()
	}
}

// give lets the next one through.
func (t *turn) give() { t.channel() <- Unit{} }
