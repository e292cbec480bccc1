package processlock

import (
	"context"
	"io/fs"
	"path/filepath"
	"syscall"

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
	if err := checkForm(p, path); err != nil {
		return false, err
	}
	key := func() (turnKey, error) {
		folder, name := split(path)
		resolved, err := p.Files.ResolveDir(folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
			return turnKey{}, failed(ctx, path, "resolve folder", err)
		}
		return turnKey{owner: owner(p), path: filepath.Join(resolved, name)}, nil // without a folder: nobody's
	}
	at := location{given: path, full: path}
	return turns.ask(key, func() (bool, error) {
		if p.SQLite == nil {
			f, found, err := newFileContender(at, options).examine(ctx)
			return found && !f.abandoned, err
		}
		return probeSQLite(ctx, p, at)
	})
}

// probeSQLite asks the kernel, or where that is impossible SQLite.
func probeSQLite(ctx context.Context, p *platform.Platform, at location) (held bool, err error) {
	file, err := p.SQLite.OpenLockFile(at.full, false)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return probeByReading(ctx, p, at)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
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
