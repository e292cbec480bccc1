package effect_test

import (
	"sync"
	"time"

	. "github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/scope"
)

// workshop makes what a Pool or an RcMap shares, numbered from 1, and sees what becomes of it.
type workshop struct {
	takes time.Duration // how long making takes

	mu      sync.Mutex
	spoils  map[int]int // how many of the next ones of a key are spoiled
	made    []product
	doubled bool // two products of a key were in use at once
	wrong   findings
}

// product is what was made as an acquisition of a key.
type product struct {
	key, users, most, released int
	spoiled                    bool
}

// make makes a product. One that is spoiled fails when it has acquired what it is made of, and has taken its time.
func (w *workshop) make(key int) Effect[int] {
	return AcquireRelease(Sync(func() int {
		w.mu.Lock()
		defer w.mu.Unlock()
		p := product{key: key, spoiled: w.spoils[key] > 0}
		if p.spoiled {
			w.spoils[key]--
		}
		w.made = append(w.made, p)
		return len(w.made)
	}), func(n int, _ scope.Exit) Effect[Unit] {
		return w.change(n, func(p *product) {
			p.released++
			w.wrong.expect(p.released == 1, "product %d is released %d times", n, p.released)
		})
	}).FlatMap(func(n int) Effect[int] {
		if w.spoiled(n) {
			return Sleep(w.takes).AndThen(fail[int]("spoiled"))
		}
		return Sleep(w.takes).As(n)
	})
}

func (w *workshop) spoiled(n int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.made[n-1].spoiled
}

// use is e while product n is in use.
func (w *workshop) use(n int, e Effect[Unit]) Effect[Unit] {
	begin := w.change(n, func(p *product) {
		p.users++
		p.most = max(p.most, p.users)
		w.wrong.expect(p.released == 0, "product %d is used after its release", n)
		for i, o := range w.made {
			w.doubled = w.doubled || i+1 != n && o.key == p.key && isUsed(o)
		}
	})
	end := w.change(n, func(p *product) { p.users-- })
	return AcquireUseRelease(begin, func(Unit) Effect[Unit] { return e }, func(Unit, Exit[Unit]) Effect[Unit] { return end })
}

func (w *workshop) change(n int, f func(p *product)) Effect[Unit] {
	return Sync(func() (u Unit) {
		w.mu.Lock()
		defer w.mu.Unlock()
		f(&w.made[n-1])
		return u
	})
}

// products are those of a key, by number, that satisfy a condition.
func (w *workshop) products(key int, is func(p product) bool) (numbers []int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, p := range w.made {
		if p.key == key && is(p) {
			numbers = append(numbers, i+1)
		}
	}
	return numbers
}

// spoil has the next n products of a key fail.
func (w *workshop) spoil(key, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.spoils = map[int]int{key: n}
}

// text is what is wrong so far, with what others have found.
func (w *workshop) text(others findings) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append(others, w.wrong...).text()
}

func isLive(p product) bool { return p.released == 0 }

func isUsed(p product) bool { return p.users > 0 }
