package effect_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/scope"
	"pgregory.net/rapid"
)

// anyRcMap is the part of an RcMap that the properties use.
type anyRcMap interface {
	Get(key int) Effect[int]
	Touch(key int) Effect[Unit]
	Invalidate(key int) Effect[Unit]
	Keys() Effect[[]int]
}

func openRcMap(config RcMapConfig[int, int]) Effect[anyRcMap] {
	return NewRcMap(config).Map(func(m *RcMap[int, int]) anyRcMap { return m })
}

// rcTakes is how long an acquisition takes, in milliseconds. Operations happen at multiples of seven, so that it never ends, and no
// resource's time is ever over, at the same moment.
const rcTakes = 5

type rcProgram struct {
	capacity int
	ttl      time.Duration
	ops      []rcOp
}

type rcOp struct {
	kind   string // get, finish, interrupt, invalidate, touch, spoil, pass
	n      int    // which key or user, or how many failures or sevens of milliseconds
	atOnce bool
}

func (p rcProgram) config(w *workshop) RcMapConfig[int, int] {
	w.takes = rcTakes * ms
	return RcMapConfig[int, int]{Acquire: w.make, Capacity: p.capacity, IdleTTL: func(int) time.Duration { return p.ttl }}
}

func rcPrograms(races bool) *rapid.Generator[rcProgram] {
	kinds := []string{"get", "get", "get", "finish", "finish", "interrupt", "pass", "pass", "invalidate", "touch", "spoil"}
	op := rapid.Custom(func(rt *rapid.T) rcOp {
		return rcOp{rapid.SampledFrom(kinds).Draw(rt, "kind"), rapid.IntRange(1, 3).Draw(rt, "n"), races && rapid.Bool().Draw(rt, "at once")}
	})
	return rapid.Custom(func(rt *rapid.T) rcProgram {
		return rcProgram{
			capacity: rapid.SampledFrom([]int{0, 1, 2}).Draw(rt, "capacity"),
			ttl:      rapid.SampledFrom([]time.Duration{0, 20 * ms, NeverExpires}).Draw(rt, "time to live"),
			ops:      rapid.SliceOfN(op, 1, 40).Draw(rt, "ops"),
		}
	})
}

// rcUser is a fiber that uses a resource until it is told to finish.
type rcUser struct {
	holder // n is the key
	item   atomic.Int64
	of     *rcResource // in the model
}

func startRcUser(m anyRcMap, w *workshop, key int) *rcUser {
	u := &rcUser{holder: holder{n: key, finish: NewLatch(false), expected: "waits"}}
	u.fiber = Start(context.Background(), m.Get(key).FlatMap(func(item int) Effect[Unit] {
		return w.use(item, Suspend(func() Effect[Unit] {
			u.item.Store(int64(item))
			u.isIn.Store(true)
			return u.finish.Await()
		}))
	}).Scoped())
	return u
}

// rcRun is a map, and the scope that owns it.
type rcRun struct {
	rcMap anyRcMap
	shop  *workshop
	owner *scope.Scope
	users []*rcUser
}

func startRcRun(p rcProgram, open func(RcMapConfig[int, int]) Effect[anyRcMap]) (r rcRun, err error) {
	r.shop, r.owner = &workshop{}, scope.New()
	r.rcMap, err = open(p.config(r.shop)).Run(scope.Into(context.Background(), r.owner))
	return r, err
}

// step carries out an operation that concerns no user, or a new one.
func (r *rcRun) step(op rcOp) {
	k := len(r.users) - op.n
	switch {
	case op.kind == "get":
		r.users = append(r.users, startRcUser(r.rcMap, r.shop, op.n))
	case op.kind == "touch":
		Start(context.Background(), r.rcMap.Touch(op.n))
	case op.kind == "invalidate":
		Start(context.Background(), r.rcMap.Invalidate(op.n))
	case op.kind == "spoil":
		r.shop.spoil(op.n, 1)
	case op.kind == "pass":
		time.Sleep(time.Duration(7*op.n) * ms)
	case k < 0:
	case op.kind == "finish":
		r.users[k].finish.OpenNow()
	case op.kind == "interrupt":
		r.users[k].fiber.InterruptNow()
	}
}

func (r *rcRun) keys() []int {
	keys, _ := r.rcMap.Keys().Run(context.Background())
	slices.Sort(keys)
	return keys
}

// end ends all users, after the map has closed, and finds what is left.
func (r *rcRun) end(wrong findings, p rcProgram) string {
	if err := r.owner.Close(context.Background(), scope.Exit{}); err != nil {
		wrong.expect(false, "%v", err)
	}
	for _, u := range r.users {
		u.fiber.InterruptNow()
	}
	synctest.Wait()
	for key := 1; key <= 3; key++ {
		left := r.shop.products(key, isLive)
		wrong.expect(len(left) == 0, "%+v: not released when the map has closed: %v", p, left)
	}
	for i, u := range r.users {
		wrong.expect(u.state() == "out", "%+v: user %d is %q after its interruption", p, i, u.state())
	}
	return r.shop.text(wrong)
}

// rcMapFollowsItsModel runs a program without races: who has which resource, and which there are, is after every operation as it
// should be.
func rcMapFollowsItsModel(p rcProgram, open func(RcMapConfig[int, int]) Effect[anyRcMap]) string {
	var wrong findings
	r, err := startRcRun(p, open)
	if err != nil {
		return err.Error()
	}
	m := &rcModel{rcProgram: p, entries: map[int]*rcResource{}}
	for i, op := range p.ops {
		k := len(r.users) - op.n
		if op.kind == "finish" && (k < 0 || r.users[k].expected != "in") {
			continue // it would finish as soon as it is in
		}
		r.step(op)
		switch op.kind {
		case "get":
			m.get(r.users[len(r.users)-1])
		case "touch":
			m.touch(op.n)
		case "invalidate":
			m.invalidate(op.n)
		case "spoil":
			m.spoiled = op.n
		case "pass":
			m.pass(7 * op.n)
		case "finish", "interrupt":
			if k >= 0 {
				m.leave(r.users[k])
			}
		}
		synctest.Wait()
		m.compare(&wrong, i, r.shop, r.keys())
	}
	return r.end(wrong, p)
}

// rcMapLosesNothing runs a program with races: no resource is used after its release, no two of a key at once unless one was
// invalidated, there are no more keys than may be, and when all users have gone nothing is kept for longer than it may be.
func rcMapLosesNothing(p rcProgram, open func(RcMapConfig[int, int]) Effect[anyRcMap]) string {
	var wrong findings
	r, err := startRcRun(p, open)
	if err != nil {
		return err.Error()
	}
	invalidated := false
	for i, op := range p.ops {
		r.step(op)
		invalidated = invalidated || op.kind == "invalidate"
		keys := r.keys()
		wrong.expect(p.capacity == 0 || len(keys) <= p.capacity, "after operation %d of %+v there are the keys %v", i, p, keys)
		if !op.atOnce {
			synctest.Wait()
		}
	}
	for _, u := range r.users {
		u.fiber.InterruptNow()
	}
	time.Sleep(time.Second)
	synctest.Wait()
	wrong.expect(invalidated || !r.shop.doubled, "%+v: two resources of a key were in use at once", p)
	keys := r.keys()
	wrong.expect(p.ttl == NeverExpires || len(keys) == 0, "%+v: kept in spite of their time to live: %v", p, keys)
	for key := 1; key <= 3; key++ {
		live := r.shop.products(key, isLive)
		wrong.expect(len(live) == 0 || len(live) == 1 && slices.Contains(keys, key), "%+v: resources %v are left over", p, live)
	}
	for key := 1; key <= 3; key++ { // which are in use when the map closes
		r.step(rcOp{kind: "invalidate", n: key})
		r.step(rcOp{kind: "get", n: key})
	}
	time.Sleep(rcTakes * ms)
	synctest.Wait()
	return r.end(wrong, p)
}

func TestRcMapFollowsItsModel(t *testing.T) {
	checkProperty(t, rcPrograms(false), func(p rcProgram) string { return rcMapFollowsItsModel(p, openRcMap) })
}

func TestRcMapLosesAndLeaksNothingUnderInterruption(t *testing.T) {
	checkProperty(t, rcPrograms(true), func(p rcProgram) string { return rcMapLosesNothing(p, openRcMap) })
}
