package lease_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/internal/descriptors"
	"github.com/rivus/agentkit/platform/platformtest"
)

func init() { programs["scarce"] = scarce }

// scarce is a child that opens a store (its arguments are the kind and the directory), acquires a lease, works fenced and
// releases it, with no, one, two, ... descriptors to spare. Then it holds one while none is left. It says what went wrong.
func scarce(args []string, _ *bufio.Scanner) error {
	if err := descriptors.CloseGaps(); err != nil {
		return err
	}
	once := func(key string) effect.Effect[effect.Unit] {
		return effect.Gen(func(do effect.Do) (effect.Unit, error) {
			m, err := lease.NewManager(openStore(do, args[0], args[1]), timing(minutes))
			do.Check(err)
			l := do.Await(m.Acquire(key))
			do.Await(l.RunFenced(func(lease.Token) effect.Effect[effect.Unit] { return effect.Succeed(effect.Unit{}) }))
			return do.Await(l.Release()), nil
		}).Scoped()
	}
	failures, most := 0, 24
	for n := range most {
		key, before := fmt.Sprint("k", n), descriptors.Open()
		var failed error
		if err := descriptors.Few(n, func() { _, failed = once(key).Run(context.Background()) }); err != nil {
			return err
		}
		if failed != nil {
			failures++
		}
		if f, ok := errors.AsType[*lease.RepositoryFailure](failed); failed != nil && (!ok || f.Reason != lease.IO && f.Reason != lease.Unavailable) {
			fmt.Printf("with %d: %+v\n", n, failed)
		}
		if after := descriptors.Open(); after != before {
			fmt.Printf("with %d: %d files are open, and %d were before\n", n, after, before)
		}
	}
	if failures == 0 || failures == most {
		fmt.Printf("%d of %d times it failed\n", failures, most)
	}
	_, err := effect.Gen(func(do effect.Do) (effect.Unit, error) {
		m, err := lease.NewManager(openStore(do, args[0], args[1]), lease.Config{TTL: 400 * time.Millisecond, Heartbeat: 50 * time.Millisecond})
		do.Check(err)
		l := do.Await(m.Acquire("k"))
		began := time.Now()
		var lost, released error
		do.Check(descriptors.Few(0, func() {
			_, lost = effect.Await(do, l.Lost().Timeout(time.Second))
			_, released = effect.Await(do, l.Release())
		}))
		loss, isLost := errors.AsType[*lease.Lost](lost)
		if took := time.Since(began); strings.HasPrefix(args[0], "file") && (!isLost || loss.Reason != lease.Expired || took > time.Second) {
			fmt.Printf("without a descriptor the lease ended with %v after %v\n", lost, took)
		}
		if _, typed := errors.TagOf(released); released != nil && !typed {
			fmt.Println("its release ended with", released)
		}
		return effect.Unit{}, nil
	}).Scoped().Run(context.Background())
	fmt.Println("done", err)
	return nil
}

// C07, B03: EMFILE
func TestWithoutFilesToOpenNothingIsHalfDone(t *testing.T) {
	for _, store := range append([]string{"sqlite"}, fileStores...) {
		t.Run(store, func(t *testing.T) {
			dir := t.TempDir()
			platformtest.Start(t, "scarce", store, dir).Expect("done <nil>")
			entries, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				if strings.HasSuffix(e.Name(), ".tmp") || strings.HasSuffix(e.Name(), ".holder") || store == "file" && !strings.HasSuffix(e.Name(), ".json") {
					t.Errorf("%s is left", e.Name())
				}
			}
			run(t, func(t *testing.T, do effect.Do) {
				m := newManager(t, openStore(do, store, dir))
				for n := range 24 {
					do.Await(m.Acquire(fmt.Sprint("k", n), lease.Wait).Timeout(time.Minute))
				}
			})
		})
	}
}
