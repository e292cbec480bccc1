package history

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/platform/platformtest"
)

var (
	length = flag.Duration("histories.for", 4*time.Second, "how long the processes of a history run")
	seed   = flag.Uint64("histories.seed", 0, "the seed of the disturbances; 0: another each time")
)

func TestMain(m *testing.M) {
	platformtest.Main(m, map[string]platformtest.Program{"work": workProgram})
}

const (
	processes = 8
	keys      = 20
	// bound is how long after the end of all processes a key may stay taken: dead holders' leases are taken at once.
	bound = 2 * time.Second
)

// crowd is the processes of one history.
type crowd struct {
	t        *testing.T
	dir      string
	keys     int
	fault    string
	random   *rand.Rand
	children []*platformtest.Child
	asleep   map[int]time.Time // which child is stopped, and until when
	kills    int
	stops    int
}

func newCrowd(t *testing.T, keys int, fault string) *crowd {
	t.Helper()
	s := *seed
	if s == 0 {
		s = rand.Uint64()
	}
	t.Logf("seed %d", s)
	c := &crowd{t: t, dir: t.TempDir(), keys: keys, fault: fault, random: rand.New(rand.NewPCG(s, s)), asleep: map[int]time.Time{}}
	if err := os.WriteFile(filepath.Join(c.dir, "log"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := openData(c.dir) // made before anybody contends for it
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for range processes {
		c.children = append(c.children, c.start())
	}
	for _, child := range c.children {
		child.Expect("ready")
	}
	return c
}

func (c *crowd) start() *platformtest.Child {
	return platformtest.Start(c.t, "work", c.dir, fmt.Sprint(c.keys), c.fault)
}

// disturb does one thing to one process: it is killed and another starts in its place, or it is stopped for a while that may
// outlast the TTL.
func (c *crowd) disturb() {
	c.wake(time.Now())
	i := c.random.IntN(len(c.children))
	if _, stopped := c.asleep[i]; stopped && c.random.IntN(2) == 0 {
		return
	}
	if c.random.IntN(4) == 0 {
		delete(c.asleep, i)
		c.children[i].Kill()
		c.children[i] = c.start() // not waited for: it may wait for a lock of one that is stopped, which nobody would wake meanwhile
		c.kills++
		return
	}
	if _, stopped := c.asleep[i]; !stopped {
		c.children[i].Stop()
		c.asleep[i] = time.Now().Add(time.Duration(c.random.Int64N(int64(3 * ttl))))
		c.stops++
	}
}

// wake lets the processes go on whose time has come.
func (c *crowd) wake(now time.Time) {
	for i, until := range c.asleep {
		if now.After(until) {
			c.children[i].Continue()
			delete(c.asleep, i)
		}
	}
}

// end kills everybody.
func (c *crowd) end() {
	for _, child := range c.children {
		child.Kill()
	}
}

// check reads what happened so far and judges it.
func (c *crowd) check() (events []Event, writes []Write, broken []string) {
	c.t.Helper()
	log, err := os.ReadFile(filepath.Join(c.dir, "log"))
	if err == nil {
		events, err = Parse(string(log))
	}
	if err != nil {
		c.t.Fatal(err)
	}
	db, err := openData(c.dir)
	if err != nil {
		c.t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT pid, key, token FROM accepted ORDER BY seq")
	if err != nil {
		c.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var w Write
		if err := rows.Scan(&w.PID, &w.Key, &w.Token); err != nil {
			c.t.Fatal(err)
		}
		writes = append(writes, w)
	}
	return events, writes, Check(events, writes)
}

// free acquires every key within the bound.
func (c *crowd) free() error {
	_, err := effect.Gen(func(do effect.Do) (effect.Unit, error) {
		store := do.Await(lease.OpenSQLite(filepath.Join(c.dir, "leases.db")))
		m, err := lease.NewManager(store, lease.Config{TTL: ttl, Heartbeat: beat})
		if err != nil {
			return effect.Unit{}, err
		}
		for k := range c.keys {
			do.Await(m.Acquire(fmt.Sprint("key", k), lease.Wait).Timeout(bound))
		}
		return effect.Unit{}, nil
	}).Scoped().Run(context.Background())
	return err
}

func TestLeasesKeepTheirPromisesAmongProcessesThatAreKilledAndStopped(t *testing.T) {
	c := newCrowd(t, keys, "")
	for end := time.Now().Add(*length); time.Now().Before(end); {
		time.Sleep(time.Duration(c.random.IntN(80)) * time.Millisecond)
		c.disturb()
	}
	c.end()
	events, writes, broken := c.check()
	for _, problem := range broken {
		t.Error(problem)
	}
	acquired, takeovers := 0, 0
	for _, e := range events {
		if e.Kind == Acquired {
			acquired++
			if e.Token > 1 {
				takeovers++
			}
		}
	}
	t.Logf("%d kills, %d stops, %d events, %d acquisitions, %d accepted writes", c.kills, c.stops, len(events), acquired, len(writes))
	if acquired < keys || takeovers == 0 || len(writes) == 0 {
		t.Errorf("hardly anything happened: %d acquisitions, %d writes", acquired, len(writes))
	}
	if err := c.free(); err != nil {
		t.Errorf("a key is not free %v after the end of all processes: %v", bound, err)
	}
}

func TestHistoriesOfSeededFaultsAreFound(t *testing.T) {
	for _, fault := range []string{"no fence", "no token check", "repeating generation"} {
		t.Run(fault, func(t *testing.T) {
			c := newCrowd(t, 2, fault) // few keys, so that the processes meet
			defer c.end()
			for end := time.Now().Add(60 * time.Second); time.Now().Before(end); {
				time.Sleep(time.Duration(c.random.IntN(80)) * time.Millisecond)
				c.disturb()
				if _, _, broken := c.check(); len(broken) > 0 {
					t.Logf("found: %s", broken[0])
					return
				}
			}
			t.Error("it was not found")
		})
	}
}
