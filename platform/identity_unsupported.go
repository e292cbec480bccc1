//go:build !linux && !darwin

package platform

import (
	"errors"
	"fmt"
	"runtime"
)

var errNoIdentity = fmt.Errorf("processes cannot be identified on %s: %w", runtime.GOOS, errors.ErrUnsupported)

func readSelf() (ProcessIdentity, error) { return ProcessIdentity{}, errNoIdentity }

func startTime(int) (int64, bool, error) { return 0, false, errNoIdentity }
