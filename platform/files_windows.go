package platform

import "io/fs"

// Windows has no pipes among its files that opening could wait for.
const openNonblock = 0

// fileID is empty: the file index is not part of what Lstat learns.
func fileID(fs.FileInfo) string { return "" }

// SyncDir does nothing: NTFS keeps its directories in a journal of its own.
func (osFileSystem) SyncDir(string) error { return nil }
