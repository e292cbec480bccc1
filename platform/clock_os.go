package platform

import "time"

// systemClock reads the system's clocks. Monotonic comes from package time, so it is virtual inside a synctest bubble;
// Boot adds the measured time of suspension to it rather than read the boot clock alone, and so stays in step there.
type systemClock struct{ origin time.Time }

func newSystemClock() *systemClock { return &systemClock{origin: time.Now()} }

func (*systemClock) Now() time.Time { return time.Now() }

func (c *systemClock) Monotonic() time.Duration { return time.Since(c.origin) }

func (c *systemClock) Boot() time.Duration { return c.Monotonic() + suspended() }
