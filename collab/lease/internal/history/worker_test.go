package history

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/platform"
	"github.com/rivus/agentkit/platform/platformtest"
)

// The timing of the workers. A stop can outlast the TTL, and the fenced work takes long enough to be met by one.
const (
	ttl  = 300 * time.Millisecond
	beat = 60 * time.Millisecond
)

// worker is a process that takes random keys until it is killed, does fenced and unfenced work under them, and records all.
type worker struct {
	dir   string
	keys  int
	fault string // "", or a fault seeded on purpose: "no fence", "no token check", "repeating generation"
	log   *os.File
	data  *sql.DB
	sql   *platformtest.SQLite
}

// work is the program of a worker: arguments are the directory, the number of keys, and the seeded fault.
func workProgram(args []string, _ *bufio.Scanner) error {
	if err := platform.PrepareSQLite(); err != nil {
		return err
	}
	keys, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	w := &worker{dir: args[0], keys: keys, fault: args[2]}
	if w.log, err = os.OpenFile(filepath.Join(w.dir, "log"), os.O_APPEND|os.O_WRONLY, 0); err != nil {
		return err
	}
	if w.data, err = openData(w.dir); err != nil {
		return err
	}
	fmt.Println("ready")
	_, err = effect.Gen(w.run).Scoped().Run(context.Background())
	return err
}

// openData opens the resource: a database that lists the writes it accepted. It can be read while a stopped process holds
// its write lock: with a write-ahead log, readers wait for no writer.
func openData(dir string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "data.db")+"?_pragma=busy_timeout(20000)&_pragma=journal_mode(wal)&_pragma=synchronous(off)&_txlock=immediate")
	if err == nil {
		_, err = db.Exec("CREATE TABLE IF NOT EXISTS accepted (seq INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT, token INTEGER, pid INTEGER)")
	}
	return db, err
}

func (w *worker) run(do effect.Do) (effect.Unit, error) {
	p := platform.OS()
	w.sql = platformtest.NewSQLite(p.SQLite)
	p.SQLite = w.sql
	store := do.Await(lease.OpenSQLite(filepath.Join(w.dir, "leases.db"), lease.WithPlatform(p)))
	m, err := lease.NewManager(seeded{store, w.fault}, lease.Config{TTL: ttl, Heartbeat: beat, Platform: p})
	if err != nil {
		return effect.Unit{}, err
	}
	for {
		do.Await(w.turn(m, fmt.Sprint("key", rand.IntN(w.keys))).Scoped())
	}
}

// turn tries one key.
func (w *worker) turn(m *lease.Manager, key string) effect.Effect[effect.Unit] {
	return effect.Gen(func(do effect.Do) (effect.Unit, error) {
		defer w.disturb()()
		w.record(Try, key, 0)
		l, err := effect.Await(do, m.Acquire(key))
		if err != nil { // held, or a fault that was injected
			do.Await(effect.Sleep(time.Duration(rand.IntN(5000)) * time.Microsecond))
			return effect.Unit{}, nil
		}
		token := l.Token().Generation
		w.record(Acquired, key, token)
		_, _ = effect.Await(do, l.WhileHeld(effect.Sleep(time.Duration(rand.IntN(20))*time.Millisecond)))
		_, _ = effect.Await(do, l.RunFenced(func(lease.Token) effect.Effect[effect.Unit] { return w.fenced(key, token) }))
		if err := w.write(do, l.Token()); err != nil && !refused(err) {
			return effect.Unit{}, err
		}
		if rand.IntN(2) == 0 {
			if _, err := effect.Await(do, l.Release()); err == nil {
				w.record(Released, key, token)
			} else {
				w.record(Lost, key, token)
			}
		}
		return effect.Unit{}, nil
	})
}

// fenced is work that stops at once when it is interrupted.
func (w *worker) fenced(key string, token int64) effect.Effect[effect.Unit] {
	return effect.Gen(func(do effect.Do) (effect.Unit, error) {
		w.record(Begin, key, token)
		defer w.record(End, key, token)
		for range 10 {
			do.Await(effect.Sleep(3 * time.Millisecond))
			w.record(Step, key, token)
		}
		return effect.Unit{}, nil
	})
}

func refused(err error) bool {
	_, stale := errors.AsType[*lease.FenceRejected](err)
	return stale
}

// write writes to the resource outside the fence, which the resource's own check must make up for.
func (w *worker) write(ctx context.Context, token lease.Token) error {
	tx, err := w.data.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if w.fault != "no token check" {
		if err := lease.AdmitToken(ctx, tx, token); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO accepted (key, token, pid) VALUES (?, ?, ?)", token.Key, token.Generation, os.Getpid()); err != nil {
		return err
	}
	return tx.Commit()
}

func (w *worker) record(kind Kind, key string, token int64) {
	line := Event{PID: os.Getpid(), Kind: kind, Key: key, Token: token}.String() + "\n"
	if _, err := w.log.WriteString(line); err != nil {
		panic(err)
	}
}

// disturb makes some of a turn's writes to the store slow, fail, or be applied although they fail.
func (w *worker) disturb() (calm func()) {
	if rand.IntN(3) > 0 {
		return func() {}
	}
	fault := platformtest.Fault{
		Op: "Exec", Times: 1, Skip: rand.IntN(3), Applied: rand.IntN(2) == 0,
		Match: func(sql string) bool { return strings.Contains(sql, "lease_record") || sql == "COMMIT" },
	}
	switch rand.IntN(3) {
	case 0:
		fault.Before = func(string) { time.Sleep(time.Duration(rand.IntN(150)) * time.Millisecond) }
	case 1:
		fault.Err = platformtest.Failure(platform.SQLiteIOErr)
	case 2:
		fault.Err = platformtest.Failure(platform.SQLiteFull)
	}
	return w.sql.Inject(fault)
}

// seeded is the store, with a fault in it if one is asked for.
type seeded struct {
	lease.Renewer
	fault string
}

func (s seeded) Fence(ctx context.Context, key string) (func() error, error) {
	if s.fault == "no fence" {
		return func() error { return nil }, nil
	}
	return s.Renewer.Fence(ctx, key)
}

func (s seeded) Save(ctx context.Context, r lease.Record, expected mo.Option[int64]) error {
	if s.fault == "repeating generation" && r.Holder != nil && r.Generation > 1 {
		r.Generation--
	}
	return s.Renewer.Save(ctx, r, expected)
}
