package platform

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/samber/mo"
)

// osFileSystem is FileSystem over package os.
type osFileSystem struct{}

func (osFileSystem) CreateExclusive(path string) (bool, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, f.Close()
}

func (osFileSystem) WriteAtomic(path string, data []byte, mode mo.Option[fs.FileMode]) error {
	if mode.IsAbsent() {
		if there, err := os.Stat(path); err == nil {
			mode = mo.Some(there.Mode() & chmodBits)
		}
	}
	return replace(path, data, mode, (*os.File).Sync)
}

func (osFileSystem) WriteVolatile(path string, data []byte) error {
	// Most often nothing is there, and then creating the file is half the work of replacing it.
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return replace(path, data, mo.None[fs.FileMode](), func(*os.File) error { return nil })
	}
	if err != nil {
		return err
	}
	if err := errors.Join(fill(f, data, mo.None[fs.FileMode]()), f.Close()); err != nil {
		_ = os.Remove(path) // as in replace
		return err
	}
	return nil
}

// replace writes a temporary file beside path, finishes it and renames it over path.
func replace(path string, data []byte, mode mo.Option[fs.FileMode], finish func(*os.File) error) error {
	// The name's length does not depend on that of path, so that names near the limit work too.
	name := filepath.Join(filepath.Dir(path), temporaryName())
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	err = errors.Join(fill(f, data, mode), finish(f), f.Close())
	if err == nil {
		err = os.Rename(name, path)
	}
	if err != nil {
		// The error that matters is the first; a temporary file that cannot be removed either changes nothing about it.
		_ = os.Remove(name)
	}
	return err
}

// chmodBits are the low 12 bits of a mode, in Go's representation.
const chmodBits = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// temporaryName is a fresh name of the form readers of the directory know to leave alone.
func temporaryName() string {
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails
	return "." + hex.EncodeToString(random[:]) + ".tmp"
}

// fill gives f its mode and content. The mode is set by chmod, so that the umask does not narrow it.
func fill(f *os.File, data []byte, mode mo.Option[fs.FileMode]) error {
	if m, ok := mode.Get(); ok {
		if err := f.Chmod(m & chmodBits); err != nil {
			return err
		}
	}
	_, err := f.Write(data)
	return err
}

func (osFileSystem) Read(path string) ([]byte, error) {
	// Opening a pipe would wait for its other end.
	f, err := os.OpenFile(path, os.O_RDONLY|openNonblock, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: notRegular(info.Mode())}
	}
	return io.ReadAll(f)
}

// notRegular is the reason not to read what is no regular file.
func notRegular(mode fs.FileMode) error {
	if mode.IsDir() {
		return syscall.EISDIR
	}
	return errors.New("not a regular file")
}

func (osFileSystem) Stat(path string) (FileInfo, bool, error) {
	info, err := os.Lstat(path)
	if absent(err) {
		return FileInfo{}, false, nil
	}
	if err != nil {
		return FileInfo{}, false, err
	}
	return FileInfo{Mode: info.Mode(), Size: info.Size(), ModTime: info.ModTime(), ID: fileID(info)}, true, nil
}

func (osFileSystem) Remove(path string) error {
	if err := os.Remove(path); err != nil && !absent(err) {
		return err
	}
	return nil
}

func (osFileSystem) ResolveDir(dir string) (string, error) {
	resolved, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	resolved, err = filepath.Abs(resolved)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(resolved)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "", &fs.PathError{Op: "open", Path: dir, Err: syscall.ENOTDIR}
	}
	return resolved, nil
}

// absent reports whether err says that nothing is at a path: also when a parent of it is no directory.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
