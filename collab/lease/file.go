package lease

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/platform"
)

// File is a repository in a directory: the fallback where there is no SQLite. Each key has a record file
// "<name>.lease.json", a guard "<name>.lease.guard" around each write, and a fence "<name>.lease.fence". Guard and fence are
// process locks, by SQLite where the platform has it and else by lock files, so all processes that share a directory must agree
// on that. Open it with [OpenFile].
type File struct {
	dir      string
	platform *platform.Platform
}

var _ Repository = (*File)(nil)

// guardWait is how long a write waits for the guard of its key.
const guardWait = time.Second

// OpenFile opens the leases in dir, which must exist on a local disk. Nothing is created before the first write.
//
// It fails with [*RepositoryFailure] under an empty key and the reason [IO] where dir is no directory.
func OpenFile(dir string, opts ...StoreOption) effect.Effect[*File] {
	o := resolveStore(opts)
	return effect.Try(func(context.Context) (*File, error) {
		if dir == "" {
			return nil, &RepositoryFailure{Reason: IO, Message: "the path of the lease directory is empty; name an existing local directory"}
		}
		resolved, err := o.platform.Files.ResolveDir(dir)
		if err != nil {
			return nil, &RepositoryFailure{Reason: IO, Message: "the lease directory must exist", Cause: err}
		}
		return &File{dir: resolved, platform: o.platform}, nil
	})
}

// pathOf returns the path of one of the files of key: "json", "guard" or "fence".
func (f *File) pathOf(key, kind string) string {
	return filepath.Join(f.dir, FileName(key)+".lease."+kind)
}

// Load implements [Repository].
func (f *File) Load(_ context.Context, key string) (record Record, found bool, err error) {
	path := f.pathOf(key, "json")
	text, found, err := platform.ReadText(f.platform.Files, path)
	switch {
	case err != nil:
		return Record{}, false, &RepositoryFailure{Key: key, Reason: IO, Message: "read the record", Cause: err}
	case !found:
		return Record{}, false, nil
	}
	record, err = parseFile([]byte(text))
	switch {
	case errors.Is(err, errSchema):
		return Record{}, false, &RepositoryFailure{Key: key, Reason: UnsupportedSchema,
			Message: path + " was written by another version; it is left as it is", Cause: err}
	case err != nil:
		return Record{}, false, &RepositoryFailure{Key: key, Reason: InvalidRecord,
			Message: path + " holds no record; it is left as it is", Cause: err}
	}
	return record, true, nil
}

// Save implements [Repository]. The write is synced before it takes the place of the old record. Where another process
// keeps the guard for more than a second it fails with the reason [Busy].
func (f *File) Save(ctx context.Context, record Record, expected mo.Option[int64]) (err error) {
	if err := checkCounters(record); err != nil {
		return err
	}
	unguard, err := f.guard(ctx, record.Key)
	if err != nil {
		return err
	}
	defer func() {
		if failed := unguard(); failed != nil && err == nil {
			err = &RepositoryFailure{Key: record.Key, Reason: IO, Message: "give back the guard", Cause: failed}
		}
	}()
	current, found, err := f.Load(ctx, record.Key)
	if err != nil {
		return err
	}
	var stored mo.Option[int64]
	if found {
		stored = mo.Some(current.Revision)
	}
	if stored != expected {
		return &RevisionConflict{Key: record.Key, Expected: expected, Stored: stored}
	}
	err = f.platform.Files.WriteAtomic(f.pathOf(record.Key, "json"), encodeFile(record), mo.None[fs.FileMode]())
	if err == nil {
		// Until the directory is on the disk too, a power cut could bring the old record back, and its generation be given twice.
		err = f.platform.Files.SyncDir(f.dir)
	}
	if err != nil {
		return &RepositoryFailure{Key: record.Key, Reason: IO, Message: "write the record", Cause: err}
	}
	return nil
}

// guard takes the lock around the writes of key.
func (f *File) guard(ctx context.Context, key string) (unguard func() error, _ error) {
	waiting, cancel := context.WithTimeoutCause(ctx, guardWait, errGuardBusy)
	defer cancel()
	lock, err := processlock.Take(waiting, f.pathOf(key, "guard"), processlock.Options{Wait: true, Retry: mo.Some(lockRetry), Platform: f.platform})
	switch {
	case err == nil:
		return lock.Release, nil
	case interrupted(ctx, err):
		return nil, err
	case interrupted(waiting, err):
		return nil, &RepositoryFailure{Key: key, Reason: Busy, Message: "another process keeps the guard of the record", Cause: errGuardBusy}
	}
	return nil, &RepositoryFailure{Key: key, Reason: IO, Message: "take the guard of the record", Cause: err}
}

var errGuardBusy = errors.New("waited for " + guardWait.String())

// Fence implements [Repository].
func (f *File) Fence(ctx context.Context, key string) (release func() error, err error) {
	return takeFence(ctx, f.platform, key, f.pathOf(key, "fence"))
}
