//go:build unix

package processlock_test

import (
	"os"
	"path/filepath"
	"testing"
)

// golden is the text of a file that the Node.js package wrote.
func golden(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "golden", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
