package processlock

import (
	"context"
	"io/fs"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform"
)

// maxTurns bounds one attempt: each turn is lost to somebody who changed the file at that moment.
const maxTurns = 8

// fileContender attempts to take a lock that is a file with its holder's identity in it. It serves the lock itself and,
// one level further down each, the guards that a reclaimer holds while it removes a dead holder's file.
type fileContender struct {
	at        location
	platform  *platform.Platform
	onReclaim func(Reclaimed)
	level     int // 0 for the lock, n for its n-th guard
	mine      stamp
	// seen is the file that refused the last attempt, and written the one that got this holder's stamp.
	seen, written platform.FileInfo
}

func newFileContender(at location, options Options) *fileContender {
	return &fileContender{at: at, platform: options.Platform, onReclaim: options.OnReclaim}
}

func (c *fileContender) attempt(ctx context.Context, _ bool) (grip, error) {
	if c.mine.Nonce == "" {
		// Before anything is created: without an identity nobody could judge this holder.
		self, err := c.platform.Processes.Self()
		if err != nil {
			return nil, err
		}
		c.mine = stampOf(self, c.platform.Clock.Now().UnixMilli())
	}
	if err := c.take(ctx); err != nil {
		return nil, err
	}
	return c.grip(), nil
}

// grip is the lock file that this contender has stamped.
func (c *fileContender) grip() *fileGrip {
	return &fileGrip{at: c.at, platform: c.platform, mine: c.mine, written: c.written}
}

// stampOf is the stamp of a process for a lock file, with a fresh nonce.
func stampOf(self platform.ProcessIdentity, acquiredAt int64) stamp {
	return stamp{
		Host: self.Host, BootID: &self.BootID, PID: int64(self.PID), StartTime: &self.StartTime,
		AcquiredAt: acquiredAt, Nonce: newNonce(),
		PIDNamespace: self.PIDNamespace, TimeNamespace: self.TimeNamespace,
	}
}

// take makes one attempt: it creates the file, or judges the holder of the one that is there and reclaims it at most
// once.
func (c *fileContender) take(ctx context.Context) error {
	reclaimed := false
	for range maxTurns {
		if ctx.Err() != nil {
			return interruption(ctx)
		}
		created, err := c.platform.Files.CreateExclusive(c.at.full)
		if err != nil {
			return failed(ctx, c.at.given, "create", err)
		}
		if created {
			return c.claim(ctx)
		}
		there, found, err := c.examine(ctx)
		if err != nil {
			return err
		}
		switch {
		case !found:
			continue
		case !there.abandoned || reclaimed || c.level >= staleLevels:
			c.seen = there.info
			return &Held{Path: c.at.given, Holder: there.holder()}
		}
		reclaimed = true
		if refused, err := c.reclaim(ctx, there); refused || err != nil {
			if err == nil {
				err = &Held{Path: c.at.given, Holder: there.holder()}
			}
			c.seen = there.info
			return err
		}
	}
	return &Held{Path: c.at.given, Holder: recorded(c.platform, c.at)}
}

// claim stamps the file that was just created, and reads it back: a reclaimer may have taken it for an abandoned one if
// this process was stopped in between.
func (c *fileContender) claim(ctx context.Context) error {
	files := c.platform.Files
	if err := files.WriteAtomic(c.at.full, c.mine.encode(), mo.None[fs.FileMode]()); err != nil {
		return errors.Join(failed(ctx, c.at.given, "write", err), failed(ctx, c.at.given, "remove", files.Remove(c.at.full)))
	}
	var err error
	if c.written, _, err = files.Stat(c.at.full); err != nil {
		return failed(ctx, c.at.given, "stat", err)
	}
	text, found, err := platform.ReadText(files, c.at.full)
	if err != nil {
		return single(errors.Join(failed(ctx, c.at.given, "read back", err), c.withdraw(ctx, err)))
	}
	s, ok := decodeStamp(text)
	if found && ok && s.Nonce == c.mine.Nonce {
		return nil
	}
	there := lockFile{text: text, stamp: s, readable: ok && s.complete()}
	return &Held{Path: c.at.given, Holder: there.holder()}
}

// withdraw removes the stamped file that could not be read back, if nobody has changed it since.
func (c *fileContender) withdraw(ctx context.Context, unread error) error {
	if !c.grip().isUnchanged(unread) {
		return nil
	}
	return failed(ctx, c.at.given, "remove", c.platform.Files.Remove(c.at.full))
}

func (c *fileContender) worthTrying() bool {
	info, found, err := c.platform.Files.Stat(c.at.full)
	return err != nil || !found || info.ID != c.seen.ID || !info.ModTime.Equal(c.seen.ModTime)
}

func (*fileContender) close() error { return nil }
