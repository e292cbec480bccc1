package lanes

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

type (
	unit  = effect.Unit
	work  = effect.Effect[effect.Unit]
	wakes = []WakeResult
)

// bench is lanes on virtual time, and a journal of what happened.
type bench struct {
	*testing.T
	*Lanes[string]
	ctx     context.Context // has a scope, which closes when the test function returns
	journal journal
	warned  *logged
}

// onBench runs body with lanes of config on virtual time. A goroutine that is left behind fails the test. Without Activate the
// lanes run steps of the bench; without OnExit they write exits into the journal.
func onBench(t *testing.T, config Config[string], body func(b *bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := &bench{T: t, warned: &logged{}}
		if config.Logger == nil {
			config.Logger = slog.New(slog.NewTextHandler(b.warned, nil))
		}
		if config.OnExit == nil {
			config.OnExit = func(exit ActivationExit[string]) work {
				return effect.Call(func() { b.journal.add(describe(exit)) })
			}
		}
		activate := config.Activate
		config.Activate = func(key string) work {
			b.journal.add("begin " + key)
			return activate(key)
		}
		err := scope.Do(t.Context(), func(ctx context.Context, _ *scope.Scope) (err error) {
			b.ctx = ctx
			b.Lanes, err = New(config).Run(ctx)
			if err != nil {
				return err
			}
			body(b)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// wake wakes the keys one after the other.
func (b *bench) wake(keys ...string) (results wakes) {
	b.Helper()
	for _, key := range keys {
		result, err := b.WakeNow(key)
		if err != nil {
			b.Fatal(err)
		}
		results = append(results, result)
	}
	return results
}

// settle lets everything happen that can happen now.
func (b *bench) settle() { synctest.Wait() }

// pass lets d pass.
func (b *bench) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// background runs e and tells when it has ended, and how.
func (b *bench) background(e work) (over func() bool, err func() error) {
	done := make(chan struct{})
	var failed error
	go func() {
		defer close(done)
		_, failed = e.Run(b.ctx)
	}()
	over = func() bool {
		synctest.Wait()
		select {
		case <-done:
			return true
		default:
			return false
		}
	}
	return over, func() error { <-done; return failed }
}

// expect compares what has happened since the last expect.
func (b *bench) expect(lines ...string) {
	b.Helper()
	synctest.Wait()
	got := b.journal.take()
	if !slices.Equal(got, lines) {
		b.Fatalf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(lines, "\n\t"))
	}
}

func (b *bench) expectStatus(want string) {
	b.Helper()
	synctest.Wait()
	if got := oneLine(b.Status()); got != want {
		b.Fatalf("the status is %q; want %q", got, want)
	}
}

// oneLine is a status as in "a* b|c d closed": running, queued; a star for a running lane that owes.
func oneLine(s Status[string]) string {
	var running, queue []string
	for _, l := range s.Lanes {
		switch {
		case l.State == Queued && l.Pending:
			queue = append(queue, l.Key)
		case l.State == Running && l.Pending:
			running = append(running, l.Key+"*")
		case l.State == Running:
			running = append(running, l.Key)
		default:
			queue = append(queue, l.Key+"?")
		}
	}
	if len(running) != s.Running || len(queue) != s.Queued {
		return fmt.Sprintf("counts %d, %d do not fit %v", s.Running, s.Queued, s.Lanes)
	}
	line := strings.Join(running, " ") + "|" + strings.Join(queue, " ")
	if s.Draining {
		line += " draining"
	}
	if s.Closed {
		line += " closed"
	}
	return line
}

// describe is an exit in one line.
func describe(exit ActivationExit[string]) string {
	switch exit := exit.(type) {
	case ActivationSucceeded[string]:
		return exit.Key + " succeeded"
	case ActivationFailed[string]:
		return fmt.Sprintf("%s failed: %v", exit.Key, exit.Cause)
	case ActivationInterrupted[string]:
		return fmt.Sprintf("%s interrupted: %v", exit.Key, exit.Reason)
	}
	return "no exit"
}

type journal struct {
	mu    sync.Mutex
	lines []string
}

func (j *journal) add(line string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, line)
}

func (j *journal) take() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	lines := j.lines
	j.lines = nil
	return lines
}

// logged is what was logged, by whatever goroutine.
type logged struct {
	mu  sync.Mutex
	out bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.String()
}

// takes is work that takes d, or until it is interrupted.
func takes(d time.Duration) func(string) work {
	return func(string) work { return effect.Sleep(d) }
}

// forEver is work that ends only by interruption.
func forEver(string) work { return effect.Never[unit]() }

// say writes into the journal.
func (j *journal) say(line string) work {
	return effect.Call(func() { j.add(line) })
}

// finalizer registers one that takes d and then says so.
func (j *journal) finalizer(d time.Duration, line string) work {
	return effect.AddFinalizer(func(scope.Exit) work { return effect.Sleep(d).AndThen(j.say(line)) })
}

// failed finds the failure of a type in err, or fails the test.
func failed[F errors.Tagged](t testing.TB, err error, tag string) F {
	t.Helper()
	f, ok := errors.AsType[F](err)
	if !ok {
		t.Fatalf("got %v; want a %s", err, tag)
	}
	if f.Tag() != tag {
		t.Fatalf("the tag is %q; want %q", f.Tag(), tag)
	}
	return f
}
