package platform_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/rivus/agentkit/platform"
	"github.com/samber/mo"
)

// inFolder calls f with a folder that is removed afterwards.
func inFolder(f func(dir string)) {
	dir, err := os.MkdirTemp("", "platform")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	f(dir)
}

func ExampleFileSystem() {
	inFolder(func(dir string) {
		var files platform.FileSystem = platform.OS().Files
		path := filepath.Join(dir, "record.json")
		fmt.Println(files.CreateExclusive(path))
		fmt.Println(files.CreateExclusive(path)) // somebody was first
		fmt.Println(files.WriteAtomic(path, []byte("{}"), mo.None[os.FileMode]()))
		fmt.Println(platform.ReadText(files, path))
	})
	// Output:
	// true <nil>
	// false <nil>
	// <nil>
	// {} true <nil>
}

func ExampleFileInfo() {
	inFolder(func(dir string) {
		files := platform.OS().Files
		path := filepath.Join(dir, "record.json")
		_ = files.WriteAtomic(path, []byte("{}"), mo.None[os.FileMode]())
		var before, after platform.FileInfo
		before, _, _ = files.Stat(path)
		_ = files.WriteAtomic(path, []byte("{}"), mo.None[os.FileMode]())
		after, _, _ = files.Stat(path)
		fmt.Println(before.Size, after.Size, before.Mode.IsRegular())
	})
	// Output: 2 2 true
}

func ExampleReadText() {
	inFolder(func(dir string) {
		_, found, err := platform.ReadText(platform.OS().Files, filepath.Join(dir, "missing"))
		fmt.Println(found, err)
	})
	// Output: false <nil>
}
