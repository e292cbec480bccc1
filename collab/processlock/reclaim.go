package processlock

import (
	"context"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform"
)

// freshness is how long a lock file without a readable stamp counts as held: its maker may be about to write it.
const freshness = 30 * time.Second

// A lockFile is a lock file as it was found.
type lockFile struct {
	info      platform.FileInfo
	text      string
	stamp     stamp
	readable  bool // the stamp is one a lock file's holder writes
	abandoned bool
	reason    string // why it is abandoned, for a person
}

// holder is who the file says has the lock.
func (f lockFile) holder() mo.Option[Holder] {
	if !f.readable {
		return mo.None[Holder]()
	}
	return mo.Some(f.stamp.holder())
}

// examine reads the lock file and judges its holder. found is false when the file has vanished.
func (c *fileContender) examine(ctx context.Context) (f lockFile, found bool, err error) {
	info, found, err := c.at.check(ctx, c.platform.Files)
	if err != nil || !found {
		return f, false, err
	}
	text, found, err := platform.ReadText(c.platform.Files, c.at.full)
	if err != nil {
		return f, false, failed(ctx, c.at.given, "read", err)
	}
	if !found {
		return f, false, nil
	}
	f = lockFile{info: info, text: text}
	s, ok := decodeStamp(text)
	f.stamp, f.readable = s, ok && s.complete()
	if f.readable {
		judgement, err := platform.ObserveHolder(c.platform.Processes, s.identity())
		if err != nil {
			return f, false, err
		}
		f.abandoned, f.reason = judgement.Liveness == platform.LivenessDead, judgement.Reason
		return f, true, nil
	}
	if c.platform.Clock.Now().Sub(info.ModTime) > freshness && !c.heldBySQLite() {
		f.abandoned, f.reason = true, "its maker left it without a record"
	}
	return f, true, nil
}

// heldBySQLite reports whether an empty lock file is the lock database of a live process that does have SQLite. The two
// mechanisms do not exclude each other, but a living holder's file need not be deleted.
func (c *fileContender) heldBySQLite() bool {
	text, found, err := platform.ReadText(c.platform.Files, c.at.full+holderSuffix)
	if err != nil || !found {
		return false
	}
	host, err := c.platform.Processes.Host()
	s, ok := decodeStamp(text)
	if !ok || err != nil || s.Host != host {
		return false
	}
	_, alive, err := c.platform.Processes.Identify(int(s.PID))
	return alive || err != nil
}

// reclaim removes an abandoned lock file under its guard, which lets one reclaimer at a time look again and remove: a
// second one could remove the file of whoever took the lock meanwhile. It reports whether the guard was refused.
func (c *fileContender) reclaim(ctx context.Context, judged lockFile) (refused bool, err error) {
	at := location{given: c.at.given, full: c.at.full + staleSuffix}
	guard := fileContender{at: at, platform: c.platform, onReclaim: c.onReclaim, level: c.level + 1, mine: c.mine}
	guard.mine.Nonce = newNonce()
	if err := guard.take(ctx); err != nil {
		return refusedOr(err)
	}
	grip := guard.grip()
	defer func() {
		if released := grip.release(context.WithoutCancel(ctx)); err == nil && released != nil {
			_, err = refusedOr(released)
		}
	}()
	again, found, err := c.examine(ctx)
	if err != nil || !found || !again.abandoned || again.text != judged.text {
		return false, err
	}
	if err := c.platform.Files.Remove(c.at.full); err != nil {
		return false, failed(ctx, c.at.given, "remove", err)
	}
	c.onReclaim(Reclaimed{Path: c.at.full, Holder: again.holder(), Reason: again.reason})
	return false, nil
}

// refusedOr tells a guard that somebody else holds, which refuses the reclaim, from a failure.
func refusedOr(err error) (refused bool, failure error) {
	_, held := errors.AsType[*Held](err)
	_, lost := errors.AsType[*Lost](err)
	if held || lost {
		return true, nil
	}
	return false, err
}
