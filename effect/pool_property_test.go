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

// anyPool is the part of a pool that the properties use. Lend is Use or Get.
type anyPool interface {
	Lend(use bool, f func(int) Effect[Unit]) Effect[Unit]
	Invalidate(int) Effect[Unit]
}

type realPool struct{ *Pool[int] }

func (p realPool) Lend(use bool, f func(int) Effect[Unit]) Effect[Unit] {
	if use {
		return p.Use(f)
	}
	return p.Get().FlatMap(f).Scoped()
}

func openPool(config PoolConfig[int]) Effect[anyPool] {
	return NewPool(config).Map(func(p *Pool[int]) anyPool { return realPool{p} })
}

type poolProgram struct {
	min, more, concurrency int
	takes, ttl             int // how long making an item takes, and how long one may idle; in milliseconds
	ops                    []poolOp
}

type poolOp struct {
	kind   string // use, get, finish, interrupt, invalidate, spoil, pass
	n      int    // which borrower, how many failures, or how much time
	atOnce bool
}

func (p poolProgram) config(w *workshop) PoolConfig[int] {
	return PoolConfig[int]{
		Acquire: w.make(0), Min: p.min, Max: p.max(), Concurrency: p.concurrency, TTL: time.Duration(p.ttl) * ms,
	}
}

func (p poolProgram) max() int { return max(p.min+p.more, 1) }

func poolPrograms(races bool) *rapid.Generator[poolProgram] {
	kinds := []string{"use", "get", "get", "get", "finish", "finish", "interrupt", "invalidate"}
	times := []int{0}
	if races {
		kinds, times = append(kinds, "spoil", "pass"), []int{0, 3, 20}
	}
	op := rapid.Custom(func(rt *rapid.T) poolOp {
		return poolOp{rapid.SampledFrom(kinds).Draw(rt, "kind"), rapid.IntRange(1, 4).Draw(rt, "n"), races && rapid.Bool().Draw(rt, "at once")}
	})
	return rapid.Custom(func(rt *rapid.T) poolProgram {
		return poolProgram{
			min: rapid.IntRange(0, 2).Draw(rt, "min"), more: rapid.IntRange(0, 2).Draw(rt, "more"),
			concurrency: rapid.IntRange(1, 2).Draw(rt, "concurrency"),
			takes:       rapid.SampledFrom(times).Draw(rt, "takes"), ttl: rapid.SampledFrom(times).Draw(rt, "ttl"),
			ops: rapid.SliceOfN(op, 1, 40).Draw(rt, "ops"),
		}
	})
}

// borrower is a fiber that holds an item until it is told to finish.
type borrower struct {
	holder
	item    atomic.Int64 // once it is in
	retired bool         // its item was invalidated
}

func startBorrower(p anyPool, w *workshop, use bool) *borrower {
	b := &borrower{holder: holder{finish: NewLatch(false), expected: "waits"}}
	b.fiber = Start(context.Background(), p.Lend(use, func(item int) Effect[Unit] {
		return w.use(item, Suspend(func() Effect[Unit] {
			b.item.Store(int64(item))
			b.isIn.Store(true)
			return b.finish.Await()
		}))
	}))
	return b
}

// poolModel is who has an item, who waits, and how many items there are.
type poolModel struct {
	poolProgram
	all, line []*borrower
	active    int          // items that are not retired
	retired   map[int]bool // those that were invalidated
	returned  []int        // idle items that came back, the last one last
}

// settle lends to those in front, once the pool has grown for all who have an item or wait.
func (m *poolModel) settle() {
	usage, lent := len(m.line), 0
	for _, b := range m.all {
		if b.expected == "in" {
			usage++
			if !b.retired {
				lent++
			}
		}
	}
	target := m.min
	if m.max() > m.min {
		target = min(max(m.min, (usage+m.concurrency-1)/m.concurrency), m.max())
	}
	m.active = max(m.active, target)
	for len(m.line) > 0 && lent < m.max()*m.concurrency {
		m.line[0].expected = "in"
		m.line = m.line[1:]
		lent++
	}
}

// leave is the end of a borrower. What it had is lent to who waits, or kept.
func (m *poolModel) leave(b *borrower) {
	if b.expected == "in" && !b.retired && len(m.line) == 0 {
		m.returned = append(m.returned, int(b.item.Load()))
	}
	b.expected = "out"
	m.line = slices.DeleteFunc(m.line, func(o *borrower) bool { return o == b })
}

func (m *poolModel) invalidate(item int) {
	if m.retired[item] {
		return
	}
	m.retired[item] = true
	m.active--
	m.returned = slices.DeleteFunc(m.returned, func(i int) bool { return i == item })
	for _, b := range m.all {
		b.retired = b.retired || b.expected == "in" && int(b.item.Load()) == item
	}
}

// step carries out an operation, and tells which item a new borrower must have, if one came back.
func (m *poolModel) step(op poolOp, pool anyPool, w *workshop) (last int) {
	k := len(m.all) - op.n
	switch {
	case op.kind == "use" || op.kind == "get":
		if n := len(m.returned); n > 0 && m.concurrency == 1 {
			last, m.returned = m.returned[n-1], m.returned[:n-1]
		}
		b := startBorrower(pool, w, op.kind == "use")
		m.all, m.line = append(m.all, b), append(m.line, b)
	case k < 0 || !m.all[k].isIn.Load() && op.kind != "interrupt":
	case op.kind == "invalidate":
		item := int(m.all[k].item.Load())
		Start(context.Background(), pool.Invalidate(item))
		m.invalidate(item)
	case op.kind == "finish":
		m.all[k].finish.OpenNow()
		m.leave(m.all[k])
	case op.kind == "interrupt":
		m.all[k].fiber.InterruptNow()
		m.leave(m.all[k])
	}
	m.settle()
	return last
}

// compare finds what is not as it should be.
func (m *poolModel) compare(wrong *findings, step int, w *workshop) {
	for k, b := range m.all {
		item := int(b.item.Load())
		wrong.expect(b.state() == b.expected, "after operation %d of %+v borrower %d is %q; want %q", step, m.poolProgram, k, b.state(), b.expected)
		wrong.expect(b.expected != "in" || b.retired == m.retired[item], "operation %d of %+v lends item %d, which is invalid", step, m.poolProgram, item)
	}
	live := 0
	for _, item := range w.products(0, isLive) {
		if !m.retired[item] {
			live++
		}
	}
	wrong.expect(live == m.active, "after operation %d of %+v there are %d items; want %d", step, m.poolProgram, live, m.active)
	idle := w.products(0, func(p product) bool { return isLive(p) && !isUsed(p) })
	wrong.expect(!slices.ContainsFunc(idle, func(item int) bool { return m.retired[item] }), "after operation %d of %+v an invalid item is kept: %v", step, m.poolProgram, idle)
	crowded := w.products(0, func(p product) bool { return p.most > m.concurrency })
	wrong.expect(len(crowded) == 0, "after operation %d of %+v items were lent to too many: %v", step, m.poolProgram, crowded)
}

// poolFollowsItsModel runs a program without races: who has an item, and how many there are, is after every operation as it
// should be.
func poolFollowsItsModel(p poolProgram, open func(PoolConfig[int]) Effect[anyPool]) string {
	var wrong findings
	w, sp := &workshop{}, scope.New()
	pool, err := open(p.config(w)).Run(scope.Into(context.Background(), sp))
	if err != nil {
		return err.Error()
	}
	m := &poolModel{poolProgram: p, active: p.min, retired: map[int]bool{}}
	synctest.Wait()
	for i, op := range p.ops {
		last := m.step(op, pool, w)
		synctest.Wait()
		m.compare(&wrong, i, w)
		if last != 0 {
			item := int(m.all[len(m.all)-1].item.Load())
			wrong.expect(item == last, "operation %d of %+v lends item %d; item %d came back last", i, p, item, last)
		}
	}
	return closePool(wrong, p, m.all, w, sp)
}

// closePool ends all borrowers and then the pool, which releases all items. One that has lost an item would wait for it for ever, so
// one with a fault stays open.
func closePool(wrong findings, p poolProgram, all []*borrower, w *workshop, sp *scope.Scope) string {
	for _, b := range all {
		b.fiber.InterruptNow()
	}
	synctest.Wait()
	for i, b := range all {
		wrong.expect(b.state() == "out", "%+v: borrower %d is %q after its interruption", p, i, b.state())
	}
	if text := w.text(wrong); text != "" {
		return text
	}
	if err := sp.Close(context.Background(), scope.Exit{}); err != nil {
		return err.Error()
	}
	left := w.products(0, isLive)
	wrong.expect(len(left) == 0, "%+v: not released when the pool has closed: %v", p, left)
	return w.text(wrong)
}

// poolLosesNothing runs a program with races: no item is lent to too many, or after its release. When all borrowers have gone there is
// room for as many as before, no more items are kept than should be, and closing releases each once.
func poolLosesNothing(p poolProgram, open func(PoolConfig[int]) Effect[anyPool]) string {
	var wrong findings
	w, sp := &workshop{takes: time.Duration(p.takes) * ms}, scope.New()
	pool, err := open(p.config(w)).Run(scope.Into(context.Background(), sp))
	if err != nil {
		return err.Error()
	}
	var all []*borrower
	for _, op := range p.ops {
		k := len(all) - op.n
		switch {
		case op.kind == "use" || op.kind == "get":
			all = append(all, startBorrower(pool, w, op.kind == "use"))
		case op.kind == "spoil":
			w.spoil(0, op.n)
		case op.kind == "pass":
			time.Sleep(time.Duration(op.n) * 7 * ms)
		case k < 0:
		case op.kind == "finish":
			all[k].finish.OpenNow()
		case op.kind == "interrupt":
			all[k].fiber.InterruptNow()
		case op.kind == "invalidate" && all[k].isIn.Load():
			Start(context.Background(), pool.Invalidate(int(all[k].item.Load())))
		}
		if !op.atOnce {
			synctest.Wait()
		}
	}
	for _, b := range all {
		b.fiber.InterruptNow()
	}
	w.spoil(0, 0)
	time.Sleep(time.Second) // all that was begun is made, and all that is too much has idled
	synctest.Wait()
	if p.ttl > 0 {
		live := w.products(0, isLive)
		wrong.expect(len(live) <= p.min, "%+v: idle items are kept: %v", p, live)
	}
	var again []*borrower
	for range p.max()*p.concurrency + 1 {
		again = append(again, startBorrower(pool, w, false))
		time.Sleep(time.Duration(p.takes) * ms)
		synctest.Wait()
	}
	for i, b := range again {
		wrong.expect((b.state() == "in") == (i < p.max()*p.concurrency), "%+v: borrower %d of %d is %q afterwards", p, i, len(again), b.state())
	}
	crowded := w.products(0, func(made product) bool { return made.most > p.concurrency })
	wrong.expect(len(crowded) == 0, "%+v: items were lent to too many: %v", p, crowded)
	return closePool(wrong, p, append(all, again...), w, sp)
}

func TestPoolFollowsItsModel(t *testing.T) {
	checkProperty(t, poolPrograms(false), func(p poolProgram) string { return poolFollowsItsModel(p, openPool) })
}

func TestPoolLosesAndLeaksNothingUnderInterruption(t *testing.T) {
	checkProperty(t, poolPrograms(true), func(p poolProgram) string { return poolLosesNothing(p, openPool) })
}
