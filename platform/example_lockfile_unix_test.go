//go:build unix

package platform_test

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/rivus/agentkit/platform"
)

// Who has the database for itself? The kernel knows, and asking disturbs nobody.
func ExampleLockFile() {
	inFolder(func(dir string) {
		path := filepath.Join(dir, "daemon.lock")
		conn, err := platform.OS().SQLite.Open(context.Background(), path, platform.ReadWriteCreate)
		if err != nil {
			fmt.Println(err)
			return
		}
		defer conn.Close()
		var file platform.LockFile
		file, err = platform.OS().SQLite.OpenLockFile(path, true)
		if err != nil {
			fmt.Println(err)
			return
		}
		defer file.Close()
		state, err := file.State()
		fmt.Println(state == platform.LockFree, err)
		fmt.Println(file.Current())
	})
	// Output:
	// true <nil>
	// true <nil>
}
