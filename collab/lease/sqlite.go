package lease

import (
	"context"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/platform"
	"github.com/rivus/agentkit/scope"
)

// SQLite is a repository in one SQLite database, which any number of processes share. Open it with [OpenSQLite].
//
// Revisions are compared and written in one statement; the fence of a key is the process lock at
// "<path>.<name of the key>.fence". The database is in WAL mode where the file system can do that. Use one SQLite library
// for it in a process: what another one closes drops the locks of this one on some systems.
type SQLite struct {
	path     string
	platform *platform.Platform
	db       *database
}

var _ Renewer = (*SQLite)(nil)

// OpenSQLite opens the lease database at path, creating it where none is, and closes it with the scope it is run in. The
// directory must exist on a local disk.
//
// It fails with [*RepositoryFailure] under an empty key: [Unavailable] without SQLite, [IO] where path cannot be opened
// for writing, is no regular file (a symbolic link is none) or holds no database, [UnsupportedSchema] where it was written by
// another version or belongs to something else (it is left as it is), [Busy] where other processes kept it locked for too long.
func OpenSQLite(path string, opts ...StoreOption) effect.Effect[*SQLite] {
	o := resolveStore(opts)
	open := effect.Try(func(ctx context.Context) (*SQLite, error) {
		if o.platform.SQLite == nil {
			return nil, &RepositoryFailure{Reason: Unavailable, Message: "the platform has no SQLite; use OpenFile instead"}
		}
		db, err := openDatabase(ctx, o.platform, path)
		if err != nil {
			return nil, err
		}
		return &SQLite{path: db.path, platform: o.platform, db: db}, nil
	})
	return effect.AcquireRelease(open, func(s *SQLite, _ scope.Exit) effect.Effect[effect.Unit] {
		return effect.TryCall(func(context.Context) error { return s.db.close() })
	})
}

// Load implements [Repository].
func (s *SQLite) Load(ctx context.Context, key string) (record Record, found bool, err error) {
	err = s.db.do(ctx, key, func(ctx context.Context) error {
		record, found, err = s.db.load(ctx, key)
		return err
	})
	return record, found, err
}

// Save implements [Repository].
func (s *SQLite) Save(ctx context.Context, record Record, expected mo.Option[int64]) error {
	if err := checkCounters(record); err != nil {
		return err
	}
	return s.db.do(ctx, record.Key, func(ctx context.Context) error {
		return s.db.save(ctx, record, expected)
	})
}

// Renew implements [Renewer]: one transaction, which in WAL mode is not synced to the disk by itself.
func (s *SQLite) Renew(ctx context.Context, records []Record) (conflicts []int, err error) {
	for _, record := range records {
		if err := checkCounters(record); err != nil {
			return nil, err
		}
	}
	err = s.db.do(ctx, "", func(ctx context.Context) error {
		conflicts, err = s.db.renew(ctx, records)
		return err
	})
	return conflicts, err
}

// Fence implements [Repository].
func (s *SQLite) Fence(ctx context.Context, key string) (release func() error, err error) {
	return takeFence(ctx, s.platform, key, s.path+"."+FileName(key)+".fence")
}
