package effect_test

import (
	"maps"
	"slices"

	. "github.com/rivus/agentkit/effect"
)

// rcModel is what an RcMap holds, at a time in milliseconds.
type rcModel struct {
	rcProgram
	now     int
	entries map[int]*rcResource
	retired []*rcResource // invalidated, and in use
	users   []*rcUser
	spoiled int // the key whose next acquisition fails
}

// rcResource is a resource in the model, with who uses it or waits for it.
type rcResource struct {
	key   int
	users []*rcUser
	ready int // when it is made
	made  bool
	fails bool
	idle  int // when its time is over; 0 when it is in use, or kept for ever
}

func (m *rcModel) get(u *rcUser) {
	m.users = append(m.users, u)
	r := m.entries[u.n]
	switch {
	case r == nil && m.capacity > 0 && len(m.entries) >= m.capacity:
		u.expected = "out"
		return
	case r == nil:
		r = &rcResource{key: u.n, ready: m.now + rcTakes, fails: m.spoiled == u.n}
		m.entries[u.n] = r
		if r.fails {
			m.spoiled = 0
		}
	}
	r.idle, r.users, u.of = 0, append(r.users, u), r
	if r.made {
		u.expected = "in"
	}
}

func (m *rcModel) leave(u *rcUser) {
	if u.expected == "out" {
		return
	}
	u.expected = "out"
	r := u.of
	if r.users = slices.DeleteFunc(r.users, func(o *rcUser) bool { return o == u }); len(r.users) > 0 {
		return
	}
	if m.ttl > 0 && r.made && m.entries[r.key] == r {
		m.rest(r)
		return
	}
	m.release(r)
}

func (m *rcModel) rest(r *rcResource) {
	if m.ttl != NeverExpires {
		r.idle = m.now + int(m.ttl/ms)
	}
}

func (m *rcModel) release(r *rcResource) {
	if m.entries[r.key] == r {
		delete(m.entries, r.key)
	}
	m.retired = slices.DeleteFunc(m.retired, func(o *rcResource) bool { return o == r })
}

func (m *rcModel) touch(key int) {
	if r := m.entries[key]; r != nil && r.idle > 0 {
		m.rest(r)
	}
}

func (m *rcModel) invalidate(key int) {
	r := m.entries[key]
	if r == nil {
		return
	}
	delete(m.entries, key)
	if len(r.users) > 0 {
		m.retired = append(m.retired, r)
	}
}

// pass lets time run: what is made is there for who waits for it, or fails them; what has idled for too long is released.
func (m *rcModel) pass(n int) {
	m.now += n
	for _, r := range slices.Concat(slices.Collect(maps.Values(m.entries)), m.retired) {
		if !r.made && r.ready < m.now {
			r.made = !r.fails
			for _, u := range slices.Clone(r.users) {
				if r.made {
					u.expected = "in"
				} else {
					m.leave(u)
				}
			}
		}
		if r.idle > 0 && r.idle < m.now {
			m.release(r)
		}
	}
}

// compare finds what is not as it should be.
func (m *rcModel) compare(wrong *findings, step int, w *workshop, keys []int) {
	items := map[int]*rcResource{}
	for k, u := range m.users {
		wrong.expect(u.state() == u.expected, "after operation %d of %+v user %d is %q; want %q", step, m.rcProgram, k, u.state(), u.expected)
		if item := int(u.item.Load()); u.expected == "in" {
			if items[item] == nil {
				items[item] = u.of
			}
			wrong.expect(items[item] == u.of, "after operation %d of %+v user %d shares with users of another acquisition", step, m.rcProgram, k)
		}
	}
	inUse := map[*rcResource]int{}
	for item, r := range items {
		wrong.expect(inUse[r] == 0, "after operation %d of %+v users of one acquisition have %d and %d", step, m.rcProgram, inUse[r], item)
		inUse[r] = item
	}
	for key := 1; key <= 3; key++ {
		live, want := len(w.products(key, isLive)), 0
		if m.entries[key] != nil {
			want++
		}
		for _, r := range m.retired {
			if r.key == key {
				want++
			}
		}
		wrong.expect(live == want, "after operation %d of %+v %d resources of key %d are there; want %d", step, m.rcProgram, live, key, want)
	}
	want := slices.Sorted(maps.Keys(m.entries))
	wrong.expect(slices.Equal(keys, want), "after operation %d of %+v the keys are %v; want %v", step, m.rcProgram, keys, want)
}
