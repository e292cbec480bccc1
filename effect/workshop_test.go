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

	mu    sync.Mutex
	fails int // how many of the next ones to make fail, once they have acquired what they are made of
	made  []product
	wrong findings
}

// product is what was made as an acquisition of a key.
type product struct {
	key, users, most, released int
}

// make makes a product.
func (w *workshop) make(key int) Effect[int] {
	return AcquireRelease(Sync(func() int {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.made = append(w.made, product{key: key})
		return len(w.made)
	}), func(n int, _ scope.Exit) Effect[Unit] {
		return w.change(n, func(p *product) {
			p.released++
			w.wrong.expect(p.released == 1, "product %d is released %d times", n, p.released)
		})
	}).FlatMap(func(n int) Effect[int] { return w.finish().As(n) })
}

// finish is the rest of making: it takes time, and may fail.
func (w *workshop) finish() Effect[Unit] {
	return Sleep(w.takes).AndThen(Suspend(func() Effect[Unit] {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.fails == 0 {
			return Succeed(Unit{})
		}
		w.fails--
		return fail[Unit]("spoiled")
	}))
}

// use is e while product n is in use.
func (w *workshop) use(n int, e Effect[Unit]) Effect[Unit] {
	begin := w.change(n, func(p *product) {
		p.users++
		p.most = max(p.most, p.users)
		w.wrong.expect(p.released == 0, "product %d is used after its release", n)
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

func (w *workshop) spoil(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fails = n
}

// text is what is wrong so far, with what others have found.
func (w *workshop) text(others findings) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append(others, w.wrong...).text()
}

func isLive(p product) bool { return p.released == 0 }

func isUsed(p product) bool { return p.users > 0 }
