package processlock

import (
	"context"
	"fmt"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform"
)

// sqliteGrip is a held SQLite lock: the connection is the lock.
type sqliteGrip struct {
	at       location
	platform *platform.Platform
	conn     platform.SQLiteConn
	file     platform.LockFile // nil where the kernel cannot be asked
	mine     stamp
	stamped  bool
}

// errUnproven is a lock that SQLite says it has and the kernel does not show.
var errUnproven = fmt.Errorf("SQLite reports the lock, but the kernel does not show it: the file system may not keep locks (%w)", errContended)

// takeLock is the statements that take the lock, after the busy timeout. A journal file left by a killed holder would have
// to be rolled back, and all contenders report busy meanwhile; so there is none. On a file that it may not write, SQLite
// begins all the same and locks nothing; writing shows it, and nothing of it is ever committed.
const takeLock = `PRAGMA busy_timeout = %d;
PRAGMA journal_mode = MEMORY;
PRAGMA locking_mode = EXCLUSIVE;
BEGIN EXCLUSIVE;
PRAGMA user_version = 0`

// lock takes the lock, and proves it.
func (g *sqliteGrip) lock(ctx context.Context, timeout time.Duration) error {
	if _, err := g.conn.Exec(ctx, fmt.Sprintf(takeLock, timeout.Milliseconds())); err != nil {
		return g.explain(ctx, err)
	}
	if g.file == nil {
		return nil
	}
	current, err := g.file.Current()
	if err != nil {
		return failed(ctx, g.at.given, "stat", err)
	}
	if !current {
		return errContended // the lock is on a file that was just removed
	}
	if !g.file.Proves() {
		return nil
	}
	state, err := g.file.State()
	if err != nil {
		return failed(ctx, g.at.given, "query", err)
	}
	if state != platform.LockExclusive {
		return errUnproven
	}
	return nil
}

// explain tells lost races from failures.
func (g *sqliteGrip) explain(ctx context.Context, err error) error {
	failure, ok := errors.AsType[*platform.SQLiteFailure](err)
	switch {
	case ok && failure.Code == platform.SQLiteReadOnlyDBMoved:
		return errContended
	case ok && !failure.Busy():
		failure := *failure
		failure.Op = "take the lock" // rather than all the statements
		return failed(ctx, g.at.given, "lock", &failure)
	case !ok:
		return failed(ctx, g.at.given, "lock", err)
	}
	// Refused, this connection has no exclusive lock; if the kernel shows one it is somebody else's.
	if g.file != nil {
		if state, err := g.file.State(); err == nil && state == platform.LockExclusive {
			return &Held{Path: g.at.given, Holder: recorded(g.platform, g.at)}
		}
	}
	return errContended
}

// record leaves word of this holder. A process that does not know its own identity leaves none, nor that of a holder
// before it.
func (g *sqliteGrip) record(ctx context.Context) error {
	path := g.at.full + holderSuffix
	host, err := g.platform.Processes.Host()
	if err != nil {
		return failed(ctx, g.at.given, "remove holder", g.platform.Files.Remove(path))
	}
	g.mine = stamp{
		Host:       host,
		PID:        int64(g.platform.Processes.PID()),
		AcquiredAt: g.platform.Clock.Now().UnixMilli(),
		Nonce:      newNonce(),
	}
	g.stamped = true
	return failed(ctx, g.at.given, "write holder", g.platform.Files.WriteVolatile(path, g.mine.encode()))
}

func (*sqliteGrip) mechanism() Mechanism { return MechanismSQLite }

func (g *sqliteGrip) stamp() (stamp, bool) { return g.mine, g.stamped }

func (g *sqliteGrip) verify(ctx context.Context) error {
	if g.file == nil {
		return nil
	}
	current, err := g.file.Current()
	if err != nil {
		return failed(ctx, g.at.given, "stat", err)
	}
	if !current {
		return g.lost("its file was removed or replaced")
	}
	if !g.file.Proves() {
		return nil
	}
	state, err := g.file.State()
	if err != nil {
		return failed(ctx, g.at.given, "query", err)
	}
	if state != platform.LockExclusive {
		return g.lost("the kernel shows no lock on its file any more")
	}
	return nil
}

// lost is the failure, naming who has the lock now if that is somebody else.
func (g *sqliteGrip) lost(reason string) error {
	now := recorded(g.platform, g.at)
	if h, ok := now.Get(); ok && g.stamped && h == g.mine.holder() {
		now = mo.None[Holder]()
	}
	return &Lost{Path: g.at.given, Holder: now, Reason: reason}
}

func (g *sqliteGrip) release(ctx context.Context) error {
	err := g.verify(ctx)
	if _, lost := errors.AsType[*Lost](err); !lost {
		// Still under the lock: afterwards the record may be the next holder's.
		err = errors.Join(err, failed(ctx, g.at.given, "remove holder", g.platform.Files.Remove(g.at.full+holderSuffix)))
	}
	err = errors.Join(err, failed(ctx, g.at.given, "close", g.conn.Close()))
	if g.file != nil {
		// After the connection: where locks belong to the process, this close would drop them.
		err = errors.Join(err, failed(ctx, g.at.given, "close", g.file.Close()))
	}
	return single(err)
}

// single unwraps a join of one error, so that callers meet the failure itself.
func single(err error) error {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		if errs := many.Unwrap(); len(errs) == 1 {
			return single(errs[0])
		}
	}
	return err
}
