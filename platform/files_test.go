package platform_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/platform"
)

var files = platform.OS().Files

func TestOfConcurrentExclusiveCreatorsExactlyOneSucceeds(t *testing.T) { // PN-13
	path := filepath.Join(t.TempDir(), "f")
	var created atomic.Int32
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			ok, err := files.CreateExclusive(path)
			if err != nil {
				t.Error(err)
			}
			if ok {
				created.Add(1)
			}
		})
	}
	all.Wait()
	if n := created.Load(); n != 1 {
		t.Errorf("%d created it; want 1", n)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 0 {
		t.Errorf("%v, %v; want an empty file", info, err)
	}
}

func TestExclusiveCreationOverADanglingLinkCreatesNothing(t *testing.T) { // PN-13
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(dir, "target"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if ok, err := files.CreateExclusive(filepath.Join(dir, "link")); ok || err != nil {
		t.Errorf("CreateExclusive = %v, %v; want false", ok, err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "target")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the target: %v; want nothing there", err)
	}
	if _, err := files.CreateExclusive(filepath.Join(dir, "missing", "f")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in a missing folder: %v; want fs.ErrNotExist", err)
	}
}

func TestAtomicWritesKeepTheModeThatIsThereUnlessToldOtherwise(t *testing.T) { // PN-14
	dir := t.TempDir()
	for _, c := range []struct {
		name  string
		there fs.FileMode
		mode  mo.Option[fs.FileMode]
		want  fs.FileMode
	}{
		{"explicit", 0o600, mo.Some(fs.FileMode(0o666)), 0o666},
		{"kept", 0o640, mo.None[fs.FileMode](), 0o640},
	} {
		path := filepath.Join(dir, c.name)
		if err := errors.Join(os.WriteFile(path, []byte("old"), 0o600), os.Chmod(path, c.there)); err != nil {
			t.Fatal(err)
		}
		if err := files.WriteAtomic(path, []byte("new"), c.mode); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != c.want {
			t.Errorf("%s: mode %v, %v; want %v", c.name, info.Mode(), err, c.want)
		}
		if text, _ := os.ReadFile(path); string(text) != "new" {
			t.Errorf("%s: content %q", c.name, text)
		}
	}
	onlyNames(t, dir, "explicit", "kept")
}

func TestAtomicWritesReplaceALinkByAFile(t *testing.T) { // PN-14
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(target, []byte("old"), 0o604), os.Symlink(target, link)); err != nil {
		t.Fatal(err)
	}
	if err := files.WriteAtomic(link, []byte("new"), mo.None[fs.FileMode]()); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || !info.Mode().IsRegular() || info.Mode().Perm() != 0o604 {
		t.Errorf("the link became %v, %v; want a file with the target's mode", info.Mode(), err)
	}
	if text, _ := os.ReadFile(target); string(text) != "old" {
		t.Errorf("the target holds %q; want it untouched", text)
	}
}

func TestAtomicWritesTakeNamesOfTheGreatestLength(t *testing.T) { // PN-14
	path := filepath.Join(t.TempDir(), strings.Repeat("n", 255))
	if err := files.WriteAtomic(path, []byte("x"), mo.None[fs.FileMode]()); err != nil {
		t.Error(err)
	}
}

func TestAFailedWriteLeavesNothingBehind(t *testing.T) { // PN-14
	dir := t.TempDir()
	path := filepath.Join(dir, "d")
	if err := os.MkdirAll(filepath.Join(path, "inside"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]func() error{
		"atomic":   func() error { return files.WriteAtomic(path, []byte("x"), mo.None[fs.FileMode]()) },
		"volatile": func() error { return files.WriteVolatile(path, []byte("x")) },
	} {
		if err := write(); err == nil {
			t.Errorf("%s: writing over a folder succeeds", name)
		}
	}
	onlyNames(t, dir, "d")
}

func TestVolatileWritesCreateReplaceAndDoNotFollow(t *testing.T) {
	dir := t.TempDir()
	path, link, target := filepath.Join(dir, "f"), filepath.Join(dir, "link"), filepath.Join(dir, "target")
	if err := errors.Join(os.WriteFile(target, []byte("old"), 0o600), os.Symlink(target, link)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, text string }{{path, "first"}, {path, "2nd"}, {link, "third"}} {
		if err := files.WriteVolatile(c.path, []byte(c.text)); err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(c.path); err != nil || string(text) != c.text {
			t.Errorf("%s holds %q, %v; want %q", c.path, text, err, c.text)
		}
	}
	if text, _ := os.ReadFile(target); string(text) != "old" {
		t.Errorf("the target holds %q; want it untouched", text)
	}
	onlyNames(t, dir, "f", "link", "target")
}

func TestReadingRefusesWhatIsNoFileWithoutWaiting(t *testing.T) { // PN-15, B05
	dir := t.TempDir()
	if _, err := files.Read(filepath.Join(dir, "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v; want fs.ErrNotExist", err)
	}
	if _, err := files.Read(dir); !errors.Is(err, syscall.EISDIR) {
		t.Errorf("a folder: %v; want EISDIR", err)
	}
	path := filepath.Join(dir, "f")
	want := bytes.Repeat([]byte("0123456789"), 100_000)
	if err := os.WriteFile(path, want, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := files.Read(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("read %d bytes, %v; want %d", len(got), err, len(want))
	}
}

func TestStatDoesNotFollowLinksAndTellsAbsenceFromFailure(t *testing.T) { // PN-16
	dir := t.TempDir()
	file, link := filepath.Join(dir, "f"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(file, []byte("four"), 0o600), os.Symlink("f", link)); err != nil {
		t.Fatal(err)
	}
	info, found, err := files.Stat(file)
	if err != nil || !found || !info.Mode.IsRegular() || info.Size != 4 || info.ModTime.IsZero() || info.ID == "" {
		t.Errorf("a file: %+v, %v, %v", info, found, err)
	}
	if info, found, err := files.Stat(link); err != nil || !found || info.Mode.Type() != fs.ModeSymlink {
		t.Errorf("a link: %+v, %v, %v", info, found, err)
	}
	for _, path := range []string{filepath.Join(dir, "missing"), filepath.Join(file, "below")} {
		if _, found, err := files.Stat(path); found || err != nil {
			t.Errorf("%s: %v, %v; want absent", path, found, err)
		}
	}
	if err := files.WriteAtomic(file, []byte("four"), mo.None[fs.FileMode]()); err != nil {
		t.Fatal(err)
	}
	if after, _, _ := files.Stat(file); after.ID == info.ID {
		t.Errorf("a replaced file keeps its ID %q", after.ID)
	}
}

func TestRemovingTakesTheLinkNotItsTargetAndMindsNoAbsence(t *testing.T) { // PN-17
	dir := t.TempDir()
	file, link, full := filepath.Join(dir, "f"), filepath.Join(dir, "link"), filepath.Join(dir, "full")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Symlink("f", link), os.MkdirAll(filepath.Join(full, "empty"), 0o777)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{link, link, filepath.Join(full, "empty"), filepath.Join(file, "below"), filepath.Join(dir, "missing", "f")} {
		if err := files.Remove(path); err != nil {
			t.Errorf("Remove(%s): %v", path, err)
		}
	}
	onlyNames(t, dir, "f", "full")
	if err := os.WriteFile(filepath.Join(full, "inside"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := files.Remove(full); err == nil {
		t.Error("a folder that is not empty was removed")
	}
}

func TestADirectoryHasOneNameHoweverItIsReached(t *testing.T) {
	dir := t.TempDir()
	inner := filepath.Join(dir, "real", "inner")
	if err := errors.Join(os.MkdirAll(inner, 0o777), os.Symlink(inner, filepath.Join(dir, "link"))); err != nil {
		t.Fatal(err)
	}
	want, err := files.ResolveDir(inner)
	if err != nil {
		t.Fatal(err)
	}
	// The way up from a link leads to its target's parent, not to the link's.
	for _, name := range []string{dir + "/link", dir + "/link/", dir + "/link/../inner", dir + "/real/./inner"} {
		if got, err := files.ResolveDir(name); err != nil || got != want {
			t.Errorf("ResolveDir(%s) = %s, %v; want %s", name, got, err, want)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "f"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := files.ResolveDir(filepath.Join(dir, "f")); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("a file: %v; want ENOTDIR", err)
	}
	if _, err := files.ResolveDir(filepath.Join(dir, "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing: %v; want fs.ErrNotExist", err)
	}
}

func TestTextIsReadLeniently(t *testing.T) { // behaviour 1.3.6
	path := filepath.Join(t.TempDir(), "f")
	if text, found, err := platform.ReadText(files, path); found || err != nil {
		t.Errorf("missing: %q, %v, %v; want absent", text, found, err)
	}
	if err := os.WriteFile(path, []byte("\xef\xbb\xbf{\"a\": \"\xff\"}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, found, err := platform.ReadText(files, path); text != "{\"a\": \"\ufffd\"}" || !found || err != nil {
		t.Errorf("%q, %v, %v; want no byte order mark and U+FFFD for the bad byte", text, found, err)
	}
	if err := os.Truncate(path, 1<<40); err != nil {
		t.Skip("the file system has no sparse files")
	}
	if _, _, err := platform.ReadText(files, path); err == nil {
		t.Error("a terabyte was read")
	}
	if _, _, err := platform.ReadText(files, filepath.Join(path, "below")); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("below a file: %v; want ENOTDIR", err)
	}
}

// onlyNames requires the folder to hold exactly these names.
func onlyNames(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the folder holds %q; want %q", got, want)
	}
}

func TestSyncingADirectoryTakesOneThatExists(t *testing.T) {
	dir := t.TempDir()
	if err := files.SyncDir(dir); err != nil {
		t.Errorf("SyncDir(%s) = %v", dir, err)
	}
	if err := files.SyncDir(filepath.Join(dir, "missing")); runtime.GOOS != "windows" && !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("SyncDir of a missing directory = %v; want fs.ErrNotExist", err)
	}
}
