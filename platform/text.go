package platform

import (
	"errors"
	"io/fs"
	"strings"
)

// ReadText returns the content of a small text file as valid UTF-8: a byte order mark is dropped, and bytes that are not
// UTF-8 become U+FFFD. found is false when nothing is there (only then: a path through something that is no directory is an
// error, and so is a link that leads nowhere). Files larger than maxText are refused with an error rather than read into memory.
func ReadText(files FileSystem, path string) (text string, found bool, err error) {
	info, found, err := files.Stat(path)
	if err != nil {
		return "", false, err
	}
	if found && info.Size > maxText {
		return "", false, &fs.PathError{Op: "read", Path: path, Err: errors.New("too large for a record")}
	}
	data, err := files.Read(path)
	if errors.Is(err, fs.ErrNotExist) && (!found || info.Mode&fs.ModeSymlink == 0) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	return strings.ToValidUTF8(strings.TrimPrefix(string(data), "\ufeff"), "\ufffd"), true, nil
}

// maxText is far above any record that locks and leases write.
const maxText = 1 << 20
