package platformtest

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"github.com/rivus/agentkit/platform"
)

const (
	programVariable = "PLATFORMTEST_PROGRAM"
	argsVariable    = "PLATFORMTEST_ARGS"
)

// A Program is what a child process does: it reads commands from its standard input, line by line, and writes its answers
// to its standard output. An error is written to standard error and makes the exit status 1.
type Program func(args []string, commands *bufio.Scanner) error

// Main is the TestMain of a test binary that starts itself as child processes: inside a child it runs the program asked
// for, else the tests, after which no goroutine may be left. The tests may open databases as they like, in any order: the
// kind of lock was chosen before the first ([platform.PrepareSQLite]). A program chooses for itself.
//
//	func TestMain(m *testing.M) {
//		platformtest.Main(m, map[string]platformtest.Program{"holder": holder})
//	}
func Main(m *testing.M, programs map[string]Program) {
	if name, ok := os.LookupEnv(programVariable); ok {
		os.Exit(runProgram(name, programs[name]))
	}
	if err := platform.PrepareSQLite(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	before := runtime.NumGoroutine()
	code := m.Run()
	if code == 0 && leaked(before) {
		fmt.Fprintln(os.Stderr, "goroutines are left after the tests:")
		_ = pprof.Lookup("goroutine").WriteTo(os.Stderr, 1)
		code = 1
	}
	os.Exit(code)
}

func runProgram(name string, program Program) int {
	if program == nil {
		fmt.Fprintf(os.Stderr, "no program %q\n", name)
		return 2
	}
	var args []string
	if joined := os.Getenv(argsVariable); joined != "" {
		args = strings.Split(joined, "\x1f")
	}
	if err := program(args, bufio.NewScanner(os.Stdin)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// leaked reports whether more goroutines stay than there were before. Those that are about to end get a moment.
func leaked(before int) bool {
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			return true
		}
	}
	return false
}

// Privileged skips a test that takes root, with the reason, except in CI (CI=true), where it must run and so fails.
func Privileged(t testing.TB) {
	t.Helper()
	if os.Geteuid() == 0 {
		return
	}
	if os.Getenv("CI") == "true" {
		t.Fatal("this test takes root, and CI must run it")
	}
	t.Skip("this test takes root: it runs processes as other users or in other namespaces")
}
