package repocheck

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform"
)

// causes are how three programs end: one with a failure, one with a defect on a fiber below others, one interrupted.
func causes() map[string]*errors.Cause {
	held := &lease.Held{Key: "task:42", Generation: 3, Holder: platform.ProcessIdentity{Host: "build-7", PID: 4711},
		RenewedAt: time.Date(2026, time.March, 27, 12, 0, 0, 0, time.UTC)}
	worker := effect.Fork(effect.Sync(divide).Timeout(time.Hour), effect.ForkNamed("worker")).FlatMap((*effect.Fiber[int]).Join)
	stopped, stop := context.WithCancelCause(context.Background())
	stop(errors.New("the operator asked for it"))
	return map[string]*errors.Cause{
		"1 failure":      effect.RunExit(context.Background(), effect.Fail[int](fmt.Errorf("begin the task: %w", held))).Cause,
		"2 defect":       effect.RunExit(context.Background(), effect.Fork(worker, effect.ForkNamed("pool")).FlatMap((*effect.Fiber[int]).Join)).Cause,
		"3 interruption": effect.RunExit(stopped, effect.Never[int]()).Cause,
	}
}

func divide() int {
	var zero int
	return 1 / zero
}

const causeTexts = "testdata/cause.golden"

func TestACausePrintsItsReasonsStacksAndFibersAndLogsThemAsAttributes(t *testing.T) {
	all := causes()
	var got strings.Builder
	for _, name := range []string{"1 failure", "2 defect", "3 interruption"} {
		var log bytes.Buffer
		slog.New(slog.NewTextHandler(&log, nil)).Error("failed", "cause", all[name])
		_, attributes, _ := strings.Cut(strings.TrimSpace(log.String()), "msg=")
		attributes, _, _ = strings.Cut(attributes, " cause.0.stack=") // the same as above it
		fmt.Fprintf(&got, "%s\n%s\n%s\n\n", name, normalised(fmt.Sprintf("%+v", all[name])), normalised(attributes))
	}
	if *update {
		if err := os.WriteFile(causeTexts, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(causeTexts)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("%s\naccept it with: go test ./internal/repocheck -run ACausePrints -update", difference(string(want), got.String()))
	}
}

var (
	fiberNumber = regexp.MustCompile(`#\d+`)
	goroutine   = regexp.MustCompile(`goroutine \d+`)
	ownFrame    = regexp.MustCompile(`repocheck\.divide`)
)

// normalised is a text without what differs from run to run, and of a stack only the frame of this file: how the library is
// built inside is not what people read it for.
func normalised(text string) string {
	text = fiberNumber.ReplaceAllString(goroutine.ReplaceAllString(text, "goroutine N"), "#N")
	var kept []string
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		isFrame := i+1 < len(lines) && strings.HasPrefix(lines[i+1], "    \t")
		switch {
		case isFrame && ownFrame.MatchString(lines[i]):
			kept = append(kept, lines[i][:strings.LastIndexByte(lines[i], '(')]+"(...)", "    \tcause_test.go:LINE")
			i++
		case isFrame:
			if kept[len(kept)-1] != "    ..." {
				kept = append(kept, "    ...")
			}
			i++
		default:
			kept = append(kept, lines[i])
		}
	}
	return strings.Join(kept, "\n")
}
