//go:build unix

package effect_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	. "github.com/rivus/agentkit/effect"
)

// The process that is sent the signal is this test once more, told so by its environment.
const dumpsOnSignal = "EFFECT_TEST_DUMPS_ON_SIGNAL"

func TestASignalHasTheFibersDumpedAndDoesNotEndTheProcess(t *testing.T) {
	if os.Getenv(dumpsOnSignal) != "" {
		dumpUntilInputEnds(t)
		return
	}
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), dumpsOnSignal+"=1")
	input, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(output)
	expectLine(t, lines, "listens")
	for range 3 { // the first may be one that the process has provoked by itself
		if err := child.Process.Signal(syscall.SIGQUIT); err != nil {
			t.Fatal(err)
		}
		expectLine(t, lines, "live fibers at")
		expectLine(t, lines, `"worker": fiber, child of`)
		expectLine(t, lines, "forked")
		expectLine(t, lines, "waits in Deferred.Await for")
	}
	input.Close()
	if _, err := io.Copy(io.Discard, lines); err != nil {
		t.Error(err)
	}
	if err := child.Wait(); err != nil {
		t.Errorf("the process ended with %v", err)
	}
}

// expectLine reads until there is a line with the text.
func expectLine(t *testing.T, lines *bufio.Reader, text string) {
	t.Helper()
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("no line has %q: %v", text, err)
		}
		if strings.Contains(line, text) {
			return
		}
	}
}

func dumpUntilInputEnds(t *testing.T) {
	m := NewMonitor()
	dumps := &firstWrite{Writer: os.Stdout, done: make(chan Unit)}
	_, err := Gen(func(do Do) (u Unit, _ error) {
		do.Await(Fork(NewDeferred[Unit]().Await(), ForkNamed("worker")))
		do.Await(Fork(m.DumpOn(dumps, syscall.SIGQUIT)))
		dumps.provoke()
		fmt.Println("listens")
		_, err := io.Copy(io.Discard, os.Stdin)
		return u, err
	}).With(Monitoring.Of(m)).Run(t.Context())
	if err != nil {
		t.Error(err)
	}
}

// firstWrite tells of the first write.
type firstWrite struct {
	io.Writer
	once sync.Once
	done chan Unit
}

func (w *firstWrite) Write(text []byte) (int, error) {
	w.once.Do(func() { close(w.done) })
	return w.Writer.Write(text)
}

// provoke sends this process the signal, which cannot hurt it here, until there is a dump: then the fiber that dumps listens.
func (w *firstWrite) provoke() {
	guard := make(chan os.Signal, 1)
	signal.Notify(guard, syscall.SIGQUIT)
	defer signal.Stop(guard)
	for {
		_ = syscall.Kill(os.Getpid(), syscall.SIGQUIT)
		select {
		case <-w.done:
			return
		case <-time.After(10 * ms):
		}
	}
}
