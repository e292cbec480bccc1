//go:build unix

package effect_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

// programEnv names the program that the test binary is to be.
const programEnv = "AGENTKIT_EFFECT_PROGRAM"

func TestMain(m *testing.M) {
	if name := os.Getenv(programEnv); name != "" {
		mainPrograms[name]()
	}
	os.Exit(m.Run())
}

// exitError has an exit code of its own.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit %d", int(e)) }
func (e exitError) ExitCode() int { return int(e) }

func say(text string) Effect[Unit] {
	return Call(func() {
		fmt.Println(text)
	})
}

// waiting says "ready", waits for ever, and says "cleaned" after cleanup.
func waiting(cleanup Effect[Unit]) Effect[Unit] {
	return say("ready").AndThen(Never[Unit]()).Ensuring(cleanup.AndThen(say("cleaned")))
}

// mainPrograms are what func main could be; each ends the process.
var mainPrograms = map[string]func(){
	"succeeds":        func() { Main(say("done")) },
	"fails":           func() { Main(Fail[Unit](&tagged{"Broken"})) },
	"fails with 7":    func() { Main(Fail[Unit](fmt.Errorf("run: %w", exitError(7)))) },
	"panics":          func() { Main(Call(func() { panic("bug") })) },
	"interrupts":      func() { Main(Interrupt[Unit]()) },
	"waits":           func() { Main(waiting(Succeed(Unit{}))) },
	"never ends":      func() { Main(waiting(say("ready").AndThen(Never[Unit]()))) },
	"listens to none": func() { Program{Signals: []os.Signal{}}.Main(say("ready").AndThen(Sleep(time.Hour))) },
	"reports": func() {
		Program{Report: func(c *errors.Cause) { fmt.Println("report:", c) }}.Main(fail[Unit]("e"))
	},
	"finalizer fails": func() { Main(waiting(fail[Unit]("fin"))) },
	"names the signal": func() {
		Main(Try(func(ctx context.Context) (u Unit, _ error) {
			fmt.Println("ready")
			<-ctx.Done()
			fmt.Println(context.Cause(ctx))
			return
		}))
	},
}

// result is what a process left behind.
type result struct {
	code           int // -1 when a signal ended it
	stdout, stderr string
}

// run starts the test binary as the program, sends it the signals once it is ready, and waits for its end.
func run(t *testing.T, name string, signals ...syscall.Signal) result {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), programEnv+"="+name)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stdout := bufio.NewReader(pipe)
	for _, s := range signals {
		if line, _ := stdout.ReadString('\n'); line != "ready\n" {
			t.Errorf("got %q where the program was to be ready", line)
		}
		if err := cmd.Process.Signal(s); err != nil {
			t.Error(err)
		}
	}
	rest, err := io.ReadAll(stdout)
	if err != nil {
		t.Error(err)
	}
	_ = cmd.Wait() // the state says how it ended
	return result{cmd.ProcessState.ExitCode(), string(rest), stderr.String()}
}

func TestMainEndsWithZeroOnSuccess(t *testing.T) {
	if got, want := run(t, "succeeds"), (result{0, "done\n", ""}); got != want {
		t.Errorf("got %+v; want %+v", got, want)
	}
}

func TestMainEndsWithOneOnFailureAndSaysWhy(t *testing.T) {
	if got := run(t, "fails"); got.code != 1 || !strings.HasPrefix(got.stderr, "failure Broken: ") {
		t.Errorf("got %+v", got)
	}
}

func TestMainEndsWithTheExitCodeOfTheFailure(t *testing.T) {
	if got := run(t, "fails with 7"); got.code != 7 || got.stderr != "failure: run: exit 7\n" {
		t.Errorf("got %+v", got)
	}
}

func TestMainEndsWithOneOnAPanicAndPrintsItsStack(t *testing.T) {
	got := run(t, "panics")
	if got.code != 1 || !strings.HasPrefix(got.stderr, "defect: bug\n") || !strings.Contains(got.stderr, "program_test.go") {
		t.Errorf("got %+v", got)
	}
}

func TestMainEndsWith130WhenTheProgramInterruptsItself(t *testing.T) {
	if got, want := run(t, "interrupts"), (result{130, "", ""}); got != want {
		t.Errorf("got %+v; want %+v", got, want)
	}
}

func TestMainInterruptsOnASignalAndWaitsForFinalizers(t *testing.T) {
	for signal, code := range map[syscall.Signal]int{syscall.SIGTERM: 143, syscall.SIGINT: 130} {
		if got, want := run(t, "waits", signal), (result{code, "cleaned\n", ""}); got != want {
			t.Errorf("%v: got %+v; want %+v", signal, got, want)
		}
	}
}

func TestASecondSignalEndsTheProcessAtOnce(t *testing.T) {
	if got, want := run(t, "never ends", syscall.SIGTERM, syscall.SIGTERM), (result{-1, "", ""}); got != want {
		t.Errorf("got %+v; want %+v", got, want)
	}
}

func TestAProgramListensToItsSignalsOnly(t *testing.T) {
	if got, want := run(t, "listens to none", syscall.SIGTERM), (result{-1, "", ""}); got != want {
		t.Errorf("got %+v; want %+v", got, want)
	}
}

func TestAProgramReportsToItsReport(t *testing.T) {
	if got, want := run(t, "reports"), (result{1, "report: e\n", ""}); got != want {
		t.Errorf("got %+v; want %+v", got, want)
	}
}

func TestMainReportsAFinalizerThatFailsAfterASignal(t *testing.T) {
	if got := run(t, "finalizer fails", syscall.SIGTERM); got.code != 1 || !strings.Contains(got.stderr, "failure: fin") {
		t.Errorf("got %+v", got)
	}
}

func TestTheInterruptionNamesTheSignal(t *testing.T) {
	want := result{143, "the process received the signal \"terminated\" and stops; a second one ends it at once\n", ""}
	if got := run(t, "names the signal", syscall.SIGTERM); got != want {
		t.Errorf("got %+v; want %+v", got, want)
	}
}

func TestCodeIs130WhenTheContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if code := (Program{Context: ctx}).Code(Never[Unit]()); code != 130 {
		t.Errorf("got %d", code)
	}
}
