package processlock

import (
	"context"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform"
)

// fileGrip is a held lock file.
type fileGrip struct {
	at       location
	platform *platform.Platform
	mine     stamp
	written  platform.FileInfo // the file as it was right after it got the stamp
}

func (*fileGrip) mechanism() Mechanism { return MechanismFile }

func (g *fileGrip) stamp() (stamp, bool) { return g.mine, true }

func (g *fileGrip) verify(ctx context.Context) error {
	text, found, err := platform.ReadText(g.platform.Files, g.at.full)
	if err != nil {
		return failed(ctx, g.at.given, "read", err)
	}
	if !found {
		return &Lost{Path: g.at.given, Reason: "its file was removed"}
	}
	s, ok := decodeStamp(text)
	if ok && s.Nonce == g.mine.Nonce {
		return nil
	}
	now := mo.None[Holder]()
	if ok && s.complete() {
		now = mo.Some(s.holder())
	}
	return &Lost{Path: g.at.given, Holder: now, Reason: "its file was replaced"}
}

func (g *fileGrip) release(ctx context.Context) error {
	// A file with another nonce is another holder's. One that cannot be read must not stay if it is ours: as long as this
	// process lives it would keep everybody out.
	if err := g.verify(ctx); err != nil && !g.isUnchanged(err) {
		return err
	}
	return failed(ctx, g.at.given, "remove", g.platform.Files.Remove(g.at.full))
}

// isUnchanged tells, when the file could not be read because of err, whether it is still the very file that got the stamp. That
// takes no descriptor, of which there may be none left.
func (g *fileGrip) isUnchanged(err error) bool {
	if _, lost := errors.AsType[*Lost](err); lost || g.written.ID == "" {
		return false
	}
	now, found, err := g.platform.Files.Stat(g.at.full)
	return err == nil && found && now.ID == g.written.ID && now.Size == g.written.Size && now.ModTime.Equal(g.written.ModTime)
}
