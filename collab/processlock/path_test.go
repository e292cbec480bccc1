//go:build unix

package processlock_test

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/platform/platformtest"
)

// tree lists everything below dir with its kind, size and content.
func tree(t testing.TB, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		all.WriteString(path + " " + d.Type().String())
		if d.Type().IsRegular() {
			all.WriteString(" " + content(t, path))
		}
		all.WriteString("\n")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

func TestPathsThatCannotBeALockAreRefusedAndNothingIsMade(t *testing.T) { // B05, field fact 7, 2.2.14, 2.3.8
	each(t, func(t *testing.T, m processlock.Mechanism, o processlock.Options) {
		root := t.TempDir()
		dir, outside := filepath.Join(root, "dir"), filepath.Join(root, "outside")
		in := func(name string) string { return filepath.Join(dir, name) }
		if err := errors.Join(
			os.Mkdir(dir, 0o777), os.Mkdir(in("folder"), 0o777),
			os.WriteFile(outside, nil, 0o666), os.WriteFile(in("text"), []byte("hello"), 0o666), os.WriteFile(in("two"), []byte("{}"), 0o666),
			os.Symlink(outside, in("link")), os.Symlink(filepath.Join(root, "nothing"), in("dangling")), os.Symlink("two", in("inside")),
			makePipe(in("pipe")),
		); err != nil {
			t.Fatal(err)
		}
		socket, err := net.Listen("unix", in("socket"))
		if err != nil {
			t.Fatal(err)
		}
		defer socket.Close()
		t.Chdir(dir)
		before := tree(t, root)
		for _, path := range []string{
			"", ":memory:", "a\x00b", "folder", "folder/", ".", "..", "/", in("folder"), in("missing/l"), in("text/l"),
			in("link"), in("dangling"), in("inside"), in("pipe"), in("socket"), strings.Repeat("n", 250), in(strings.Repeat("n", 300)),
		} {
			for _, o.Wait = range []bool{false, true} {
				within(t, time.Second, func() {
					ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
					defer cancel()
					_, err := processlock.Take(ctx, path, o)
					if invalid, ok := errors.AsType[*processlock.PathInvalid](err); !ok || invalid.Path != path {
						t.Errorf("Take(%q) = %v (%T); want *PathInvalid", path, err, err)
					}
				})
			}
			within(t, time.Second, func() {
				held, err := processlock.Probe(t.Context(), path, o)
				_, invalid := errors.AsType[*processlock.PathInvalid](err)
				if missing := strings.HasSuffix(path, "/l"); held || invalid == missing || missing && err != nil {
					t.Errorf("Probe(%q) = %v, %v; want *PathInvalid, or free where the folder is missing", path, held, err)
				}
			})
		}
		if m == processlock.MechanismSQLite {
			// Without SQLite these are lock files whose maker is about to write them.
			for _, path := range []string{in("text"), in("two")} {
				_, err := processlock.Take(t.Context(), path, o)
				if _, ok := errors.AsType[*processlock.PathInvalid](err); !ok {
					t.Errorf("Take(%q) = %v; want *PathInvalid", path, err)
				}
			}
		}
		if after := tree(t, root); after != before {
			t.Errorf("before:\n%safter:\n%s", before, after)
		}
	})
}

func TestPathsTooLongForSQLiteAreRefusedBeforeAnythingIsMade(t *testing.T) {
	dir := t.TempDir()
	for len(dir) < 460 {
		dir = filepath.Join(dir, strings.Repeat("d", 40))
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	most := processlock.MaxDatabasePath - len(dir) - 1
	released(t, taken(t, filepath.Join(dir, strings.Repeat("n", most)), processlock.Options{}))
	_, err := processlock.Take(t.Context(), filepath.Join(dir, strings.Repeat("m", most+1)), processlock.Options{})
	if _, ok := errors.AsType[*processlock.PathInvalid](err); !ok || strings.Contains(names(t, dir+"/x"), "m") {
		t.Errorf("%v, and the folder holds %s", err, names(t, dir+"/x"))
	}
}

func TestNoCharacterOfALocksPathIsSpecial(t *testing.T) { // B11, field fact 7
	each(t, func(t *testing.T, m processlock.Mechanism, o processlock.Options) {
		dir := t.TempDir()
		t.Chdir(dir)
		paths := []string{"q?x", "q?y", "x#y", "x#z", "x%2Fy", "x%2fy", "file:l", "l?mode=memory", "l&nolock=1", "K", "k", "é", "e\u0301",
			"\xff", " ", "-", "'", `"`, ";", "a b", strings.Repeat("n", 200)}
		for _, path := range paths {
			taken(t, path, o)
		}
		for _, path := range paths {
			refused(t, path, o)
			if _, err := os.Lstat(filepath.Join(dir, path)); err != nil {
				t.Errorf("%q: %v; want a file of that name", path, err)
			}
		}
	})
}

func TestFilesInTheWayAreRefusedToOtherUsersToo(t *testing.T) { // B05
	platformtest.Privileged(t)
	dir := openFolder(t)
	outside := filepath.Join(openFolder(t), "outside")
	write(t, outside, "")
	if err := errors.Join(os.Chmod(outside, 0o666), os.Symlink(outside, filepath.Join(dir, "link")), makePipe(filepath.Join(dir, "pipe"))); err != nil {
		t.Fatal(err)
	}
	for _, m := range []string{"sqlite", "file"} {
		for _, name := range []string{"link", "pipe"} {
			child := platformtest.StartWith(t, platformtest.ChildOptions{Program: "take", Args: []string{m, filepath.Join(dir, name), "try"}, UID: 65534})
			child.Expect("ProcessLockPathInvalid")
		}
	}
}

func makePipe(path string) error { return unix.Mkfifo(path, 0o666) }
