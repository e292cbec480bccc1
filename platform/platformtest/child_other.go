//go:build !linux

package platformtest

import "os"

// executable is the test binary's path, which is also how child processes execute it.
func executable() string { return binary() }

func binary() string {
	path, err := os.Executable()
	if err != nil {
		panic(err) // the systems this compiles for all know it
	}
	return path
}
