package processlock

import (
	"context"
	"io/fs"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform"
)

// Probe reports whether another process, or an acquisition in this one, holds the lock at path: the plain form of
// [IsHeld]. Of the options only the platform counts.
//
// It writes nothing and takes no lock that anybody could notice; a missing file is free and stays missing. It looks at
// ctx once, before it starts. The answer can be out of date when it arrives: only an acquisition decides. It fails with
// [*PathInvalid], [*PermissionDenied], [*Failure], [*ConfigInvalid], and without SQLite with
// [*platform.IdentityUnavailable].
func Probe(ctx context.Context, path string, options Options) (bool, error) {
	options, err := options.withDefaults()
	if err != nil {
		return false, err
	}
	if ctx.Err() != nil {
		return false, interruption(ctx)
	}
	ctx = context.WithoutCancel(ctx)
	p := options.Platform
	at, err := locate(ctx, p, path)
	if missingFolder(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if turns.taken(turnKey{owner: owner(p), path: at.full}) {
		return true, nil
	}
	if p.SQLite == nil {
		f, found, err := newFileContender(at, options).examine(ctx)
		return found && !f.abandoned, err
	}
	return probeSQLite(ctx, p, at)
}

// probeSQLite asks the kernel, or where that is impossible SQLite.
func probeSQLite(ctx context.Context, p *platform.Platform, at location) (held bool, err error) {
	file, err := p.SQLite.OpenLockFile(at.full, false)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return probeByReading(ctx, p, at)
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		// What is wrong with the path says more than why it could not be opened.
		if _, _, wrong := at.check(ctx, p.Files); wrong != nil {
			return false, wrong
		}
		return false, failed(ctx, at.given, "open", err)
	}
	state, err := file.State()
	if closed := file.Close(); err == nil {
		err = closed
	}
	return state != platform.LockFree, failed(ctx, at.given, "query", err)
}

// probeByReading goes for a shared lock, which an exclusive one refuses, without waiting.
func probeByReading(ctx context.Context, p *platform.Platform, at location) (held bool, err error) {
	if _, found, err := at.check(ctx, p.Files); err != nil || !found {
		return false, err
	}
	conn, err := p.SQLite.Open(ctx, at.full, platform.ReadOnly)
	if err != nil {
		return false, failed(ctx, at.given, "open", err)
	}
	defer func() {
		if closed := conn.Close(); err == nil {
			err = failed(ctx, at.given, "close", closed)
		}
	}()
	_, err = conn.Query(ctx, "SELECT 1 FROM sqlite_schema LIMIT 1")
	if failure, ok := errors.AsType[*platform.SQLiteFailure](err); ok && failure.Busy() {
		return true, nil
	}
	return false, failed(ctx, at.given, "query", err)
}
