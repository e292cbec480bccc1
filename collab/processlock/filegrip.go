package processlock

import (
	"context"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/platform"
)

// fileGrip is a held lock file.
type fileGrip struct {
	at       location
	platform *platform.Platform
	mine     stamp
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
	// A file with another nonce is another holder's.
	if err := g.verify(ctx); err != nil {
		return err
	}
	return failed(ctx, g.at.given, "remove", g.platform.Files.Remove(g.at.full))
}
