package lease

import (
	"fmt"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/platform"
)

// Config is how a [Manager] holds and judges leases. Everybody who shares a store uses the same TTL.
type Config struct {
	// TTL is how long a holder may be silent before others take its lease. Required, at least twice Heartbeat.
	TTL time.Duration

	// Heartbeat is the pause between two renewals of a held lease. Required.
	Heartbeat time.Duration

	// Retry is the pause between two attempts of an acquisition that waits. A cheap look at the holder and the record in
	// between ends the pause early, so a released or dead holder's lease is taken within milliseconds whatever Retry is.
	// It must be positive. Defaults to Heartbeat.
	Retry mo.Option[time.Duration]

	// Platform is where processes and clocks come from.
	// Defaults to platform.OS().
	Platform *platform.Platform

	// OnEvent, when not nil, hears what happens to the manager's leases. It is called on the goroutine where the event
	// happens, a timer's among them: it must return quickly and not panic.
	OnEvent func(Event)
}

// resolve returns c with its defaults, or *ConfigInvalid.
func (c Config) resolve() (Config, error) {
	c.Retry = mo.Some(c.Retry.OrElse(c.Heartbeat))
	if c.Platform == nil {
		c.Platform = platform.OS()
	}
	for _, d := range []struct {
		name  string
		value time.Duration
	}{{"TTL", c.TTL}, {"Heartbeat", c.Heartbeat}, {"Retry", c.Retry.OrEmpty()}} {
		if d.value <= 0 {
			return c, &ConfigInvalid{Message: fmt.Sprintf("%s is %v, it must be positive", d.name, d.value)}
		}
	}
	if c.Heartbeat > c.TTL-c.Heartbeat { // 2·Heartbeat > TTL, without overflow
		return c, &ConfigInvalid{Message: fmt.Sprintf(
			"TTL %v is less than twice Heartbeat %v: one late renewal would lose the lease; raise TTL or lower Heartbeat", c.TTL, c.Heartbeat)}
	}
	if c.Platform.Processes == nil || c.Platform.Clock == nil {
		return c, &ConfigInvalid{Message: "Platform lacks Processes or Clock; set both, or leave Platform nil"}
	}
	return c, nil
}
