package lanes

import (
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/scope"
)

// heap is how many bytes are in use after a collection.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// openLanes makes lanes in real time, which close with the test.
func openLanes(t testing.TB, config Config[string]) *Lanes[string] {
	t.Helper()
	s := scope.New()
	l, err := New(config).Run(scope.Into(t.Context(), s))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close(t.Context(), scope.Exit{}) })
	return l
}

func wakeAll(t testing.TB, l *Lanes[string], keys []string) {
	t.Helper()
	for _, key := range keys {
		if _, err := l.WakeNow(key); err != nil {
			t.Fatal(err)
		}
	}
}

func manyKeys(n int) []string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = "key:" + strconv.Itoa(i)
	}
	return keys
}

// N07
func TestKeysUsedOnceLeaveNothingBehind(t *testing.T) {
	keys := manyKeys(100_000)
	for name, row := range map[string]struct{ gated bool }{
		"one after the other": {false},
		"all at once":         {true}, // the index has held them all
	} {
		t.Run(name, func(t *testing.T) {
			gate := make(chan struct{})
			if !row.gated {
				close(gate)
			}
			var idle sync.WaitGroup
			idle.Add(len(keys) + 1)
			l := openLanes(t, Config[string]{MaxConcurrent: 1, Activate: func(key string) work {
				return effect.Call(func() {
					if key == "gate" {
						<-gate
					}
				})
			}, OnExit: func(ActivationExit[string]) work { idle.Done(); return work{} }})
			before := heap()
			wakeAll(t, l, []string{"gate"})
			wakeAll(t, l, keys)
			if row.gated {
				close(gate)
			}
			idle.Wait()
			for l.Status().Running > 0 { // the last OnExit has returned, and its slot passes on
				runtime.Gosched()
			}
			if n := len(l.Status().Lanes); n != 0 {
				t.Errorf("%d lanes are not idle", n)
			}
			if grown := heap() - before; grown > 2<<20 {
				t.Errorf("the heap has grown by %d bytes; want at most 2 MB", grown)
			}
			runtime.KeepAlive(keys)
		})
	}
}

func TestQueuedKeysTakeAtMost300BytesEach(t *testing.T) {
	const n = 100_000 // the nested bench module has a million
	keys := manyKeys(n)
	l := openLanes(t, Config[string]{MaxConcurrent: 1, Activate: forEver})
	wakeAll(t, l, []string{"busy"})
	before := heap()
	wakeAll(t, l, keys)
	each := (heap() - before) / n
	if each > 300 {
		t.Errorf("%d bytes a key; want at most 300", each)
	}
	t.Logf("%d bytes a key", each)
	runtime.KeepAlive(keys)
}

func TestACoalescedWakeAllocatesNothing(t *testing.T) {
	l := openLanes(t, Config[string]{MaxConcurrent: 1, Activate: forEver})
	wakeAll(t, l, []string{"running", "running", "queued"})
	for _, key := range []string{"running", "queued"} {
		if n := testing.AllocsPerRun(100, func() { l.WakeNow(key) }); n != 0 {
			t.Errorf("a wake of the %s lane: %v allocations", key, n)
		}
	}
}
