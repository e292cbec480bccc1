//go:build !linux && !darwin

package platform

import (
	"errors"
	"fmt"
	"runtime"
)

var errNoIdentity = fmt.Errorf("processes cannot be identified on %s: %w", runtime.GOOS, errors.ErrUnsupported)

// hostName fails too: a record of a process that nobody can identify would only mislead its readers.
func hostName() (string, error) { return "", errNoIdentity }

func readSelf() (ProcessIdentity, error) { return ProcessIdentity{}, errNoIdentity }

func startTime(int) (int64, bool, error) { return 0, false, errNoIdentity }
