package lanes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/samber/mo"
	"pgregory.net/rapid"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/scope"
)

// move is one step of a history.
type move struct {
	Do  string
	Key string
	For time.Duration // of "pass"
}

// setting is the lanes that a history happens to.
type setting struct {
	MaxConcurrent, MaxQueued int
	Grace, OnExit            bool
}

var (
	historyKeys = []string{"a", "b", "c", "d", "e"}
	// How an activation is told to end. One that is stubborn goes on when it is interrupted, until it is told to end.
	endings = []string{"succeed", "fail", "panic", "goexit", "slow cleanup", "broken cleanup", "wake itself", "cancel itself"}
	moves   = rapid.Custom(func(t *rapid.T) move {
		kinds := []string{"wake", "wake", "wake", "wake now", "cancel", "end", "end", "end", "pass", "pass"}
		m := move{Do: rapid.SampledFrom(kinds).Draw(t, "move"), Key: rapid.SampledFrom(historyKeys).Draw(t, "key")}
		switch m.Do {
		case "end":
			m.Do = rapid.SampledFrom(endings).Draw(t, "ending")
		case "pass":
			m.For = time.Duration(rapid.IntRange(1, 1500).Draw(t, "ms")) * time.Millisecond
		}
		return m
	})
	finales = rapid.SampledFrom([]string{"none", "none", "drain", "close", "drain then close"})
)

// stage is a history on its way.
type stage struct {
	*Lanes[string]
	ctx    context.Context
	model  *model
	grace  bool
	events <-chan Event[string]

	mu     sync.Mutex
	atWork map[string]int
	tell   map[string]chan string // to a running activation: how to end
	ended  map[string]int         // activations, as the events say
	told   map[string]int         // exits that OnExit has heard of; nil without an OnExit
}

// play makes the moves and checks the lanes after each. An error says what went wrong, and when.
func playHistory(t *testing.T, s setting, history []move, finale string, fault func(*stage)) (err error) {
	synctest.Test(t, func(t *testing.T) {
		st := &stage{
			model: &model{maxConcurrent: s.MaxConcurrent, maxQueued: s.MaxQueued, accepted: map[string]int{}},
			grace: s.Grace, atWork: map[string]int{}, tell: map[string]chan string{}, ended: map[string]int{},
		}
		config := Config[string]{
			MaxConcurrent: s.MaxConcurrent,
			TurnTimeout:   mo.Some(historyTurn),
			StuckAfter:    historyStuck,
			Logger:        slog.New(slog.NewTextHandler(io.Discard, nil)),
			Activate:      st.activate,
		}
		if s.MaxQueued >= 0 {
			config.MaxQueued = mo.Some(s.MaxQueued)
		}
		if s.Grace {
			config.ShutdownGrace = historyGrace
		}
		if s.OnExit {
			config.OnExit, st.told = st.onExit, map[string]int{}
		}
		scoped := scope.Do(t.Context(), func(ctx context.Context, _ *scope.Scope) error {
			l, err := New(config).Run(ctx)
			if err != nil {
				return err
			}
			st.Lanes, st.ctx = l, ctx
			st.events = l.subscribe(200).events
			defer st.finish()
			return st.run(history, finale, fault)
		})
		err = scoped
	})
	return err
}

func (st *stage) run(history []move, finale string, fault func(*stage)) error {
	switch finale {
	case "drain", "close":
		history = append(history, move{Do: finale})
	case "drain then close":
		history = append(history, move{Do: "drain"}, move{Do: "wake", Key: "a"}, move{Do: "pass", For: 100 * time.Millisecond}, move{Do: "close"})
	}
	for i, m := range history {
		err := st.make(m)
		if fault != nil {
			fault(st)
		}
		synctest.Wait()
		err = errors.Join(err, st.look())
		if err == nil && m.Do != "pass" {
			time.Sleep(time.Millisecond) // no two moves at one moment
			synctest.Wait()
			err = st.look()
		}
		if err != nil {
			return fmt.Errorf("move %d, %+v: %w", i, m, err)
		}
	}
	return nil
}

// make makes one move with the lanes and with the model.
func (st *stage) make(m move) error {
	switch m.Do {
	case "wake", "wake now":
		want := st.model.wake(m.Key)
		var got WakeResult
		if m.Do == "wake" {
			got, _ = st.Wake(m.Key).Run(st.ctx)
		} else {
			got, _ = st.WakeNow(m.Key)
		}
		if got.String() != want {
			return fmt.Errorf("the wake was %v; want %s", got, want)
		}
	case "cancel":
		st.model.cancel(m.Key)
		go st.Cancel(m.Key).Run(st.ctx)
	case "drain":
		st.model.drain()
		go st.Drain().Run(st.ctx)
	case "close":
		st.model.close(st.grace)
		go st.Close().Run(st.ctx)
	case "pass":
		st.pass(m.For)
	default:
		st.endWork(m.Key, m.Do)
	}
	return nil
}

// pass lets time pass, and tells the model when a grace is over.
func (st *stage) pass(d time.Duration) {
	if over := st.since.Add(historyGrace); st.grace && st.model.phase == closed && time.Now().Before(over) && !time.Now().Add(d).Before(over) {
		time.Sleep(time.Until(over) - time.Nanosecond)
		synctest.Wait()
		st.look() // ends and timeouts before
		st.model.stopAll()
		d -= time.Until(over)
	}
	time.Sleep(d)
}

// endWork tells the activation of key, if there is one, how to end.
func (st *stage) endWork(key, ending string) {
	st.mu.Lock()
	tell := st.tell[key]
	delete(st.tell, key)
	st.mu.Unlock()
	if tell == nil {
		return // it does not run, or was told before
	}
	switch {
	case ending == "wake itself":
		st.model.wake(key)
	case ending == "cancel itself" && st.model.run(key).stopped != 0:
		ending = "succeed" // its pending interruption would come before the call
	case ending == "cancel itself":
		st.model.cancel(key)
	}
	tell <- ending
}

// look replays what the lanes say and compares them with the model.
func (st *stage) look() (err error) {
	for len(st.events) > 0 && err == nil {
		e := <-st.events
		err = st.model.replay(e)
		if e.Kind == EventEnded {
			st.ended[e.Key]++
		}
		if x, ok := e.Exit.(ActivationInterrupted[string]); ok && x.Reason == 0 || e.Missed > 0 {
			err = errors.Join(err, fmt.Errorf("%+v was interrupted for no reason, or events were missed", e))
		}
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.told != nil && !maps.Equal(st.told, st.ended) {
		err = errors.Join(err, fmt.Errorf("OnExit heard of %v; ended have %v", st.told, st.ended))
	}
	return errors.Join(err, st.model.check(st.Status(), st.atWork))
}

// activate is work that ends as it is told.
func (st *stage) activate(key string) work {
	tell := make(chan string, 1)
	return effect.Gen(func(do effect.Do) (unit, error) {
		st.mu.Lock()
		st.atWork[key]++
		st.tell[key] = tell
		st.mu.Unlock()
		do.Await(effect.AddFinalizer(func(scope.Exit) work {
			return effect.Call(func() {
				st.mu.Lock()
				defer st.mu.Unlock()
				st.atWork[key]--
				delete(st.tell, key)
			})
		}))
		var ending string
		stubborn := key == "e" // it ignores its interruption
		if stubborn {
			ending = <-tell
		} else {
			select {
			case ending = <-tell:
			case <-do.Done():
				return unit{}, context.Cause(do)
			}
		}
		switch ending {
		case "fail":
			return unit{}, errors.New("no disk")
		case "panic":
			panic("a bug")
		case "goexit":
			runtime.Goexit()
		case "slow cleanup":
			do.Await(effect.AddFinalizer(func(scope.Exit) work { return effect.Sleep(417 * time.Millisecond) }))
		case "broken cleanup":
			do.Await(effect.AddFinalizer(func(scope.Exit) work { return effect.Die[unit]("a broken finalizer") }))
		case "wake itself":
			_, _ = st.WakeNow(key)
		case "cancel itself":
			do.Await(st.Cancel(key))
		}
		return unit{}, nil
	})
}

// onExit breaks in its turn, depending on the key.
func (st *stage) onExit(exit ActivationExit[string]) work {
	st.mu.Lock()
	st.told[exit.LaneKey()]++
	st.mu.Unlock()
	switch exit.LaneKey() {
	case "b":
		panic("a bug in OnExit")
	case "c":
		runtime.Goexit()
	}
	return work{}
}

// finish lets everything end, so that the bubble can.
func (st *stage) finish() {
	go st.Close().Run(st.ctx)
	for synctest.Wait(); st.Status().Running > 0; synctest.Wait() {
		st.mu.Lock()
		for _, tell := range st.tell {
			tell <- "succeed"
		}
		clear(st.tell)
		st.mu.Unlock()
		time.Sleep(time.Second)
	}
}

// LA-17
func TestHistoriesOfLanesKeepTheirPromises(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := setting{
			MaxConcurrent: rapid.IntRange(1, 3).Draw(rt, "MaxConcurrent"),
			MaxQueued:     rapid.IntRange(-1, 3).Draw(rt, "MaxQueued"),
			Grace:         rapid.Bool().Draw(rt, "grace"),
			OnExit:        rapid.Bool().Draw(rt, "OnExit"),
		}
		history := rapid.SliceOfN(moves, 1, 40).Draw(rt, "history")
		finale := finales.Draw(rt, "finale")
		if err := playHistory(t, s, history, finale, nil); err != nil {
			rt.Fatalf("%+v: %v", s, err)
		}
	})
}

// The histories are worth something only if they notice a fault.
func TestHistoriesNoticeASeededFault(t *testing.T) {
	busy := []move{
		{Do: "wake", Key: "a"}, {Do: "wake", Key: "a"}, {Do: "wake", Key: "b"}, {Do: "pass", For: time.Millisecond},
		{Do: "succeed", Key: "a"}, {Do: "succeed", Key: "b"},
	}
	for name, fault := range map[string]struct {
		sow  func(l *Lanes[string]) // after each move, while the lanes are locked
		want string
	}{
		"none": {func(*Lanes[string]) {}, ""},
		"a lost wake": {func(l *Lanes[string]) {
			if a := l.board.lanes.get("a"); a != nil && a.state == running {
				a.owed = false
			}
		}, "wakes of a were accepted, and nothing is pending"},
		"a second activation of a key": {func(l *Lanes[string]) {
			if l.board.running.n == 1 && l.board.running.head.key == "a" {
				twin := &lane[string]{key: "a", state: queued}
				l.board.queue.push(twin)
				l.board.start(twin)
				go l.work(l.startLocked(twin, l.now()))
			}
		}, "2 activations of a at once"},
		"a slot that is not returned": {func(l *Lanes[string]) {
			l.board.maxConcurrent = 0
			if l.board.phase == closed {
				l.board.maxConcurrent = 1
			}
		}, "0 of 1 slots are taken while"},
	} {
		t.Run(name, func(t *testing.T) {
			err := playHistory(t, setting{MaxConcurrent: 1, MaxQueued: -1}, busy, "none", func(st *stage) {
				st.Lanes.mu.Lock()
				defer st.Lanes.mu.Unlock()
				fault.sow(st.Lanes)
			})
			if fault.want == "" && err != nil || fault.want != "" && (err == nil || !strings.Contains(err.Error(), fault.want)) {
				t.Errorf("got %v; want %q", err, fault.want)
			}
		})
	}
}
