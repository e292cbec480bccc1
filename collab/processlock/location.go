package processlock

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rivus/agentkit/platform"
)

// A location is where a lock lives: a name in a folder whose own name has no symlinks left in it, so that two ways to
// write one path are one location.
type location struct {
	// given is the path in the caller's words, for messages.
	given string
	// full is the path to work with.
	full string
}

// The longest suffixes that files beside a lock bear, and what file systems and SQLite allow.
const (
	holderSuffix    = ".holder"
	staleSuffix     = ".stale"
	staleLevels     = 3
	maxName         = 255
	maxDatabasePath = 511 - len("-journal")
)

// locate checks the form of the path and resolves its folder. It fails with [*PathInvalid] or [*PermissionDenied].
func locate(ctx context.Context, p *platform.Platform, path string) (location, error) {
	if err := checkForm(p, path); err != nil {
		return location{}, err
	}
	folder, name := split(path)
	resolved, err := p.Files.ResolveDir(folder)
	if err != nil {
		return location{}, failed(ctx, path, "resolve folder", err)
	}
	at := location{given: path, full: filepath.Join(resolved, name)}
	if p.SQLite != nil && len(at.full) > maxDatabasePath {
		return location{}, &PathInvalid{Path: path, Reason: fmt.Sprintf("has %d bytes, and SQLite takes %d", len(at.full), maxDatabasePath)}
	}
	return at, nil
}

// checkForm refuses, without looking at the system, a path that cannot be a lock.
func checkForm(p *platform.Platform, path string) error {
	invalid := func(reason string, args ...any) error {
		return &PathInvalid{Path: path, Reason: fmt.Sprintf(reason, args...)}
	}
	switch {
	case path == "":
		return invalid("is empty")
	case path == ":memory:":
		return invalid("names a database in memory, which no other process sees")
	case strings.IndexByte(path, 0) >= 0:
		return invalid("holds a NUL byte")
	}
	_, name := split(path)
	if name == "" || name == "." || name == ".." {
		return invalid("names a folder")
	}
	longest := len(name) + len(holderSuffix)
	if p.SQLite == nil {
		longest = len(name) + staleLevels*len(staleSuffix)
	}
	if longest > maxName {
		return invalid("has a name of %d bytes, %d too many for the files beside it", len(name), longest-maxName)
	}
	return nil
}

// split cuts a path before its last element, without cleaning it: the way up from a symlinked folder is the system's
// to find.
func split(path string) (folder, name string) {
	i := len(path) - 1
	for i >= 0 && !os.IsPathSeparator(path[i]) {
		i--
	}
	if folder = path[:i+1]; folder == "" {
		folder = "."
	}
	return folder, path[i+1:]
}

// check refuses what cannot be a lock file although it is there. found is false when nothing is.
func (at location) check(ctx context.Context, files platform.FileSystem) (info platform.FileInfo, found bool, err error) {
	info, found, err = files.Stat(at.full)
	if err != nil {
		return info, found, failed(ctx, at.given, "stat", err)
	}
	if found && !info.Mode.IsRegular() {
		return info, found, &PathInvalid{Path: at.given, Reason: "is " + kind(info.Mode)}
	}
	return info, found, nil
}

// checkFree refuses, before anything is created, a file that this mechanism would not make its lock.
func (at location) checkFree(ctx context.Context, p *platform.Platform) error {
	info, found, err := at.check(ctx, p.Files)
	if err != nil {
		return err
	}
	if found && p.SQLite != nil && info.Size > 0 {
		return &PathInvalid{Path: at.given, Reason: fmt.Sprintf("holds %d bytes, and a SQLite lock file is always empty; "+
			"it is some other file, or the lock file of a process without SQLite", info.Size)}
	}
	return nil
}
