package processlock

import (
	"fmt"
	"reflect"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/platform"
)

// Options says how to take a lock. The zero value tries once.
type Options struct {
	// Wait makes the acquisition wait for the holder instead of failing with [*Held]. Defaults to false.
	Wait bool
	// Retry is the first pause between two full attempts of a waiting acquisition; the pause doubles up to 16 times this
	// value, each time 25 % more or less at random. A released lock is noticed sooner. Defaults to 50 ms.
	Retry mo.Option[time.Duration]
	// Platform reaches the operating system. Defaults to platform.OS().
	Platform *platform.Platform
	// OnReclaim, if set, is told of every lock file that this acquisition took away from a holder that is gone. It is
	// called on the acquiring goroutine. SQLite locks are never reclaimed: the kernel frees them.
	OnReclaim func(Reclaimed)
}

const (
	defaultRetry = 50 * time.Millisecond
	// maxBackoff is the longest pause as a multiple of the first.
	maxBackoff = 16
)

// Reclaimed tells of a lock file that was removed because nobody holds it any more.
type Reclaimed struct {
	// Path is the lock file: the lock's own, or that of a guard another reclaimer left behind.
	Path string
	// Holder is who had it, absent when the file held no readable record.
	Holder mo.Option[Holder]
	// Reason says how that is known.
	Reason string
}

// withDefaults returns the options with every default filled in, or [*ConfigInvalid].
func (o Options) withDefaults() (Options, error) {
	if o.Platform == nil {
		o.Platform = platform.OS()
	}
	p := o.Platform
	if p.Files == nil || p.Processes == nil || p.Clock == nil {
		return o, &ConfigInvalid{Message: "the platform lacks files, processes or a clock"}
	}
	if !reflect.TypeOf(owner(p)).Comparable() {
		return o, &ConfigInvalid{Message: fmt.Sprintf("%T cannot be compared, so the turns at a lock cannot be told apart; use a pointer", owner(p))}
	}
	retry := o.Retry.OrElse(defaultRetry)
	if retry <= 0 {
		return o, &ConfigInvalid{Message: fmt.Sprintf("Retry is %v; it must be above zero", retry)}
	}
	o.Retry = mo.Some(retry)
	if o.OnReclaim == nil {
		o.OnReclaim = func(Reclaimed) {}
	}
	return o, nil
}

// owner is the value that acquisitions share which share their turns.
func owner(p *platform.Platform) any {
	if p.SQLite != nil {
		return p.SQLite
	}
	return p.Files
}
