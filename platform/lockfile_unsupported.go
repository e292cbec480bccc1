//go:build !linux && !darwin

package platform

import (
	"errors"
	"io/fs"
)

func (*modernc) OpenLockFile(path string, _ bool) (LockFile, error) {
	if err := checkDatabasePath(path); err != nil {
		return nil, err
	}
	return nil, &fs.PathError{Op: "query lock", Path: path, Err: errors.ErrUnsupported}
}
