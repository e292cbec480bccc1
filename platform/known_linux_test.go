package platform_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/rivus/agentkit/platform"
	"github.com/rivus/agentkit/platform/platformtest"
)

func init() { programs["known"] = known }

// known is a child that asks for its own identity and that of the process of its argument, first where no file can be opened
// and so /proc not be read, then where it can, then again where it cannot. It says what it is told.
func known(args []string, _ *bufio.Scanner) error {
	other, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	null, err := os.Open("/dev/null") // the first file makes the runtime open one of its own, which it could not do without
	if err != nil {
		return err
	}
	defer null.Close()
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return err
	}
	for _, most := range []uint64{0, limit.Cur, 0} {
		if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: most, Max: limit.Max}); err != nil {
			return err
		}
		self, err := platform.OS().Processes.Self()
		own, alive, second := platform.OS().Processes.Identify(os.Getpid())
		_, _, third := platform.OS().Processes.Identify(other)
		if err == nil && second == nil && (self != own || !alive) {
			return fmt.Errorf("self is %v, identified as %v", self, own)
		}
		fmt.Println(told(err), told(third))
	}
	return nil
}

func told(err error) string {
	switch unknown, ok := errors.AsType[*platform.IdentityUnavailable](err); {
	case err == nil:
		return "known"
	case ok && errors.Is(unknown, unix.EMFILE):
		return "unknown"
	}
	return err.Error()
}

func TestOnesOwnIdentityIsReadOnceAndOthersAreReadEachTime(t *testing.T) { // PN-10, 1.1.9
	child := platformtest.Start(t, "known", strconv.Itoa(os.Getpid()))
	for _, want := range []string{
		"unknown unknown", // a failure is not remembered
		"known known",
		"known unknown", // for every platform of the process: what is known of others may be over
	} {
		if got := child.Line(); got != want {
			t.Errorf("told %q, want %q", got, want)
		}
	}
}
