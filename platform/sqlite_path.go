package platform

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// checkDatabasePath refuses the paths that SQLite would not take for one file that all processes share.
func checkDatabasePath(path string) error {
	switch {
	case path == "":
		return &SQLitePathInvalid{Path: path, Reason: "is empty, which would be a database of its own for every process"}
	case path == ":memory:":
		return &SQLitePathInvalid{Path: path, Reason: "is a database in memory, a separate one for every process"}
	case strings.IndexByte(path, 0) >= 0:
		return &SQLitePathInvalid{Path: path, Reason: "holds a NUL byte, at which the system would cut it"}
	}
	return nil
}

// databaseURI names the file at path for SQLite. In a plain name the driver takes everything after a question mark for
// settings, so that two different files would be one; in a URI every byte can be escaped.
func databaseURI(path string, mode OpenMode) string {
	var uri strings.Builder
	uri.WriteString("file:")
	if runtime.GOOS == "windows" {
		path = filepath.ToSlash(path)
		if filepath.VolumeName(path) != "" {
			path = "/" + path
		}
	}
	if strings.HasPrefix(path, "/") {
		uri.WriteString("//") // an empty authority: a path of two leading slashes would name one
	} else {
		path = "./" + path
	}
	for i := range len(path) {
		if c := path[i]; c == '/' || c == '-' || c == '_' || c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			uri.WriteByte(c)
		} else {
			fmt.Fprintf(&uri, "%%%02X", c)
		}
	}
	switch mode {
	case ReadWriteCreate:
		uri.WriteString("?mode=rwc")
	case ReadWrite:
		uri.WriteString("?mode=rw")
	case ReadOnly:
		uri.WriteString("?mode=ro")
	}
	return uri.String()
}
