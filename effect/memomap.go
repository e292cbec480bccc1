package effect

import (
	"context"
	"sync"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
)

// MemoMap remembers the layers that have been built and are in use, by identity.
//
// Programs need one of their own only to share layers between builds that have nothing else in common; see [LayerBuildWith]
// and [NewManagedRuntime].
//
// Each layer is built once, shared, and released when the last scope that uses it has closed.
type MemoMap struct {
	parent *MemoMap // what it has built is shared too

	mu      sync.Mutex
	entries map[*maker]*memoEntry
}

// memoEntry is a layer that is being built, or has been.
type memoEntry struct {
	owner *MemoMap
	maker *maker
	joint *joint[[]Binding]
	scope *scope.Scope // what was acquired
	users int
	told  *memoUse // a list of those who want to know when the layer is built
}

// NewMemoMap is an empty one.
func NewMemoMap() *MemoMap { return &MemoMap{entries: map[*maker]*memoEntry{}} }

// child shares what m has built; what the child builds is its own.
func (m *MemoMap) child() *MemoMap {
	c := NewMemoMap()
	c.parent = m
	return c
}

// memo is the key of the map that effects provide with.
var memo hidden[*MemoMap]

// currentMemo is the map of the nearest Provide; nil without one.
func currentMemo(b *binding) *MemoMap {
	m, _ := memo.in(b)
	return m
}

// around is the services with m as the current map.
func (m *MemoMap) around(b *binding) *binding { return b.bind([]Binding{memo.of(m)}) }

// get is what the layer of k gives. The scope of v becomes a user.
func (m *MemoMap) get(v *env, k *maker) ([]Binding, *errors.Cause) {
	if v.stopped() {
		return nil, v.pending()
	}
	use := &memoUse{}
	c := m.use(v, k, use)
	out, failed := use.entry.joint.wait(v)
	if failed != nil {
		return nil, failed
	}
	return out, c
}

// use makes the scope of v a user of the layer of k. The first who needs it begins to build it. Who calls it waits for the joint of
// the entry. (The scope becomes a user before: interrupted, it has to release too.)
func (m *MemoMap) use(v *env, k *maker, use *memoUse) *errors.Cause {
	use.entry = m.find(k, use)
	if use.entry == nil {
		use.entry = m.begin(v, k, use)
	}
	return passed(v.scope.Register(v.mask(), &use.Entry, use))
}

// find is the entry of k in m or above, with the caller counted as a user and as one who waits.
func (m *MemoMap) find(k *maker, use *memoUse) *memoEntry {
	for ; m != nil; m = m.parent {
		m.mu.Lock()
		entry := m.entries[k]
		if entry != nil {
			entry.join(use)
		}
		m.mu.Unlock()
		if entry != nil {
			return entry
		}
	}
	return nil
}

func (m *MemoMap) begin(v *env, k *maker, use *memoUse) *memoEntry {
	m.mu.Lock()
	defer m.mu.Unlock()
	entry := m.entries[k]
	if entry == nil { // else somebody was faster
		entry = &memoEntry{owner: m, maker: k, scope: scope.New()}
		entry.joint = startJoint(v, entry.scope, &m.mu, nil, k.make, entry.settled)
		m.entries[k] = entry
	}
	entry.join(use)
	return entry
}

// join counts a user who waits.
func (e *memoEntry) join(use *memoUse) {
	e.users++
	e.joint.waiting++
	if use.gather == nil {
		return
	}
	if e.joint.settled == nil {
		use.gather.tell(e.joint.cause)
		return
	}
	use.next, e.told = e.told, use
}

// settled is called when it is known how the building ends.
func (e *memoEntry) settled(_ []Binding, c *errors.Cause) {
	if c.HasInterrupts() {
		e.forget()
	}
	for use := e.told; use != nil; use = use.next {
		use.gather.tell(c)
	}
	e.told = nil
}

// forget makes the next one who needs the layer build it anew. The owner's lock is held.
func (e *memoEntry) forget() {
	if e.owner.entries[e.maker] == e {
		delete(e.owner.entries, e.maker)
	}
}

// memoUse is a scope's use of a layer, which ends with the scope.
type memoUse struct {
	scope.Entry
	entry *memoEntry

	gather *gathering // who wants to know when the layer is built
	next   *memoUse
}

// Finalize ends the use. The last one releases what the layer acquired.
func (u *memoUse) Finalize(ctx context.Context, exit scope.Exit) error {
	e := u.entry
	e.owner.mu.Lock()
	e.users--
	last := e.users == 0
	if last {
		e.forget()
	}
	e.owner.mu.Unlock()
	if !last {
		return nil
	}
	return e.scope.Close(ctx, exit)
}

// Empty tells whether the layer acquired nothing.
func (u *memoUse) Empty() bool { return u.entry.scope.Empty() }
