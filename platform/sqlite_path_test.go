package platform

import (
	"net/url"
	"strings"
	"testing"
)

func FuzzDatabaseURI(f *testing.F) {
	for _, path := range []string{"f", "/a/b", "//a/b", "a?b", "a#b", "a%41", "file:x", "é", "\xff", "a b&c=d"} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		if checkDatabasePath(path) != nil {
			t.Skip()
		}
		uri := databaseURI(path, ReadWrite)
		name, query, _ := strings.Cut(strings.TrimPrefix(uri, "file:"), "?")
		if query != "mode=rw" || strings.ContainsAny(name, "#&") {
			t.Fatalf("%q became %q", path, uri)
		}
		back, err := url.PathUnescape(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(path, "/") {
			path = "//" + path
		} else {
			path = "./" + path
		}
		if back != path {
			t.Errorf("%q came back as %q", path, back)
		}
	})
}
