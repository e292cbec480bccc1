//go:build !linux

package collab

import "errors"

// probe is what the library's answer is held against on Linux alone.
func probe(string) (bool, error) { return false, errors.ErrUnsupported }
