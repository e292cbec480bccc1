package processlock

import (
	"context"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform"
)

// How an attempt against contention goes: contenders that start together each hold a shared lock that keeps the others
// from the exclusive one, so that all can lose at once.
const (
	// settlingTimeout is how long SQLite itself waits for the others in the first attempt.
	settlingTimeout = 10 * time.Millisecond
	// blindTries is how often the first attempt tries where the kernel cannot be asked, as other implementations do.
	blindTries = 5
	// seeingTries is how often it tries where the kernel says that nobody holds the lock. So many collisions in a row do
	// not happen by chance: somebody is reading the lock database.
	seeingTries = 40
)

// sqliteContender attempts to take a SQLite lock: an exclusive transaction on an empty database, of which nothing is
// ever committed.
type sqliteContender struct {
	at       location
	platform *platform.Platform
	// file asks the kernel about the lock. It is opened before the lock is taken and kept until it is released.
	file platform.LockFile
	// blind is set where the kernel cannot be asked.
	blind bool
}

// errContended is an attempt that lost to others which may have lost too.
var errContended = errors.New("others are trying to take the lock")

func (c *sqliteContender) attempt(ctx context.Context, first bool) (grip, error) {
	tries, timeout := 1, time.Duration(0)
	if first {
		tries, timeout = seeingTries, settlingTimeout
	}
	for n := 1; ; n++ {
		g, err := c.try(ctx, timeout)
		if c.blind && first {
			tries = blindTries
		}
		switch {
		case err == nil:
			return g, nil
		case errors.Is(err, errUnproven) && n >= tries:
			return nil, &Failure{Path: c.at.given, Op: "prove the lock", Err: err}
		case errors.Is(err, errContended) && n >= tries:
			return nil, &Held{Path: c.at.given, Holder: recorded(c.platform, c.at)}
		case !errors.Is(err, errContended):
			return nil, err
		}
		pause := between(5, 25)
		if !c.blind {
			pause = between(1, min(float64(4+n), 25))
		}
		if err := sleep(ctx, time.Duration(pause*float64(time.Millisecond))); err != nil {
			return nil, err
		}
	}
}

// try opens the database and goes for the lock once.
func (c *sqliteContender) try(ctx context.Context, timeout time.Duration) (grip, error) {
	if err := c.look(ctx); err != nil {
		return nil, err
	}
	mode := platform.ReadWrite // the look has created the file
	if c.blind {
		mode = platform.ReadWriteCreate
	}
	conn, err := c.platform.SQLite.Open(ctx, c.at.full, mode)
	if err != nil {
		return nil, failed(ctx, c.at.given, "open", err)
	}
	g := &sqliteGrip{at: c.at, platform: c.platform, conn: conn, file: c.file}
	err = g.lock(ctx, timeout)
	if err == nil {
		err = g.record(ctx)
	}
	if err != nil {
		if closed := conn.Close(); closed != nil {
			return nil, errors.Join(err, failed(ctx, c.at.given, "close", closed))
		}
		return nil, err
	}
	c.file = nil // it is the grip's now
	return g, nil
}

// look asks the kernel first, which is cheaper than opening the database and tells a held lock from mere contention.
func (c *sqliteContender) look(ctx context.Context) error {
	if c.blind {
		return nil
	}
	if c.file != nil {
		if current, err := c.file.Current(); err == nil && current {
			return c.refused(ctx)
		}
		// The file was removed or replaced while this acquisition waited.
		if err := c.close(); err != nil {
			return failed(ctx, c.at.given, "close", err)
		}
	}
	file, err := c.platform.SQLite.OpenLockFile(c.at.full, true)
	if errors.Is(err, errors.ErrUnsupported) {
		c.blind = true
		return nil
	}
	if err != nil {
		return failed(ctx, c.at.given, "open", err)
	}
	c.file = file
	return c.refused(ctx)
}

// refused fails with *Held when another process has the lock for certain.
func (c *sqliteContender) refused(ctx context.Context) error {
	state, err := c.file.State()
	if err != nil {
		return failed(ctx, c.at.given, "query", err)
	}
	if state == platform.LockExclusive {
		return &Held{Path: c.at.given, Holder: recorded(c.platform, c.at)}
	}
	return nil
}

func (c *sqliteContender) worthTrying() bool {
	if c.file == nil {
		return false
	}
	state, err := c.file.State()
	if err != nil || state == platform.LockFree {
		return true
	}
	current, err := c.file.Current()
	return err != nil || !current
}

func (c *sqliteContender) close() error {
	if c.file == nil {
		return nil
	}
	err := c.file.Close()
	c.file = nil
	return err
}

// recorded is what the holder left on record, if that can be read: the lock does not depend on it.
func recorded(p *platform.Platform, at location) mo.Option[Holder] {
	path := at.full
	if p.SQLite != nil {
		path += holderSuffix
	}
	text, found, err := platform.ReadText(p.Files, path)
	if err != nil || !found {
		return mo.None[Holder]()
	}
	s, ok := decodeStamp(text)
	if !ok || p.SQLite == nil && !s.complete() {
		return mo.None[Holder]()
	}
	return mo.Some(s.holder())
}
