//go:build unix

package main

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/rivus/agentkit/platform/platformtest"
)

// The test binary is the program too.
func TestMain(m *testing.M) {
	platformtest.Main(m, map[string]platformtest.Program{"rooms": func(args []string, _ *bufio.Scanner) error {
		os.Args = append([]string{"rooms"}, args...)
		os.Stderr = os.Stdout // the test reads both
		main()
		return nil
	}})
}

// server starts the program on a free port, and gives its address.
func server(t *testing.T, turn string) (c *platformtest.Child, url string) {
	t.Helper()
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	c = platformtest.Start(t, "rooms", "-addr", "localhost:0", "-turn", turn)
	address, ok := strings.CutPrefix(c.Line(), "listening on ")
	if !ok {
		t.Fatal("it does not listen")
	}
	return c, "http://" + address
}

// wake wakes a room, and wants this answer.
func wake(t *testing.T, url, room string, status int, want string) {
	t.Helper()
	answer, err := http.Post(url+"/wake/"+room, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if body, err := io.ReadAll(answer.Body); answer.StatusCode != status || string(body) != want+"\n" || err != nil {
		t.Errorf("%s: %s %q, %v; want %d %q", room, answer.Status, body, err, status, want)
	}
}

func TestARequestWakesARoomAndATermSignalDrains(t *testing.T) {
	c, url := server(t, "2s") // long enough for the requests that must find the first turn running
	wake(t, url, "kitchen", http.StatusAccepted, "started")
	c.Expect("kitchen: a turn begins")
	wake(t, url, "kitchen", http.StatusAccepted, "coalesced")
	wake(t, url, "kitchen", http.StatusAccepted, "coalesced")
	if err := syscall.Kill(c.PID(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	c.Expect("draining")
	c.Expect("kitchen: the turn is over")
	wake(t, url, "attic", http.StatusServiceUnavailable, "refused") // the server answers all the while
	for _, line := range []string{"kitchen: a turn begins", "kitchen: the turn is over", "drained"} {
		c.Expect(line)
	}
	exit, ok := errors.AsType[*exec.ExitError](c.Wait())
	if !ok || exit.ExitCode() != 128+int(syscall.SIGTERM) {
		t.Errorf("it ended with %v", exit)
	}
}

func TestAFullQueueRefusesAndTheStatusShowsWhoWaits(t *testing.T) {
	_, url := server(t, "1h")
	for _, room := range []string{"a", "b"} {
		wake(t, url, room, http.StatusAccepted, "started")
	}
	for _, room := range strings.Split("cdefghijklmnopqr", "") {
		wake(t, url, room, http.StatusAccepted, "queued")
	}
	wake(t, url, "s", http.StatusTooManyRequests, "refused")
	answer, err := http.Get(url + "/")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	text := string(body)
	if !strings.Contains(text, "a running\n") || !strings.Contains(text, "r queued\n") || strings.Contains(text, "s ") {
		t.Errorf("the status is %q", text)
	}
}
