package platformtest

import (
	"io/fs"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/platform"
)

// Files is a platform.FileSystem over another one, with injected faults.
type Files struct {
	under  platform.FileSystem
	faults *faults
}

// NewFiles returns files that behave as under does until a fault is injected.
func NewFiles(under platform.FileSystem) *Files { return &Files{under: under, faults: &faults{}} }

// view is another value over the same files and faults.
func (f *Files) view() *Files { return &Files{under: f.under, faults: f.faults} }

// Inject adds a fault; remove takes it away again.
func (f *Files) Inject(fault Fault) (remove func()) { return f.faults.inject(fault) }

// CreateExclusive is platform.FileSystem's.
func (f *Files) CreateExclusive(path string) (bool, error) {
	return run(f.faults, "CreateExclusive", path, func() (bool, error) { return f.under.CreateExclusive(path) })
}

// WriteAtomic is platform.FileSystem's.
func (f *Files) WriteAtomic(path string, data []byte, mode mo.Option[fs.FileMode]) error {
	return f.do("WriteAtomic", path, func() error { return f.under.WriteAtomic(path, data, mode) })
}

// WriteVolatile is platform.FileSystem's.
func (f *Files) WriteVolatile(path string, data []byte) error {
	return f.do("WriteVolatile", path, func() error { return f.under.WriteVolatile(path, data) })
}

// Read is platform.FileSystem's.
func (f *Files) Read(path string) ([]byte, error) {
	return run(f.faults, "Read", path, func() ([]byte, error) { return f.under.Read(path) })
}

// Stat is platform.FileSystem's.
func (f *Files) Stat(path string) (info platform.FileInfo, found bool, err error) {
	found, err = run(f.faults, "Stat", path, func() (bool, error) {
		info, found, err = f.under.Stat(path)
		return found, err
	})
	return info, found, err
}

// Remove is platform.FileSystem's.
func (f *Files) Remove(path string) error {
	return f.do("Remove", path, func() error { return f.under.Remove(path) })
}

// SyncDir is platform.FileSystem's.
func (f *Files) SyncDir(dir string) error {
	return f.do("SyncDir", dir, func() error { return f.under.SyncDir(dir) })
}

// ResolveDir is platform.FileSystem's.
func (f *Files) ResolveDir(dir string) (string, error) {
	return run(f.faults, "ResolveDir", dir, func() (string, error) { return f.under.ResolveDir(dir) })
}

func (f *Files) do(op, path string, do func() error) error {
	_, err := run(f.faults, op, path, func() (struct{}, error) { return struct{}{}, do() })
	return err
}
