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
	entries map[*Layer]*memoEntry
}

// memoEntry is a layer that is being built, or has been.
type memoEntry struct {
	owner *MemoMap
	layer *Layer
	joint *joint[[]Binding]
	scope *scope.Scope // what was acquired
	users int
}

// NewMemoMap is an empty one.
func NewMemoMap() *MemoMap { return &MemoMap{entries: map[*Layer]*memoEntry{}} }

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

// get is what l gives. The first who needs it begins to build it; the scope of v becomes a user.
func (m *MemoMap) get(v *env, l *Layer, build func(*env) ([]Binding, *errors.Cause)) ([]Binding, *errors.Cause) {
	if v.stopped() {
		return nil, v.pending()
	}
	entry := m.find(l)
	if entry == nil {
		entry = m.begin(v, l, build)
	}
	use := &memoUse{entry: entry}
	c := passed(v.scope.Register(v.mask(), &use.Entry, use)) // before waiting: interrupted, it has to release too
	out, failed := entry.joint.wait(v)
	if failed != nil {
		return nil, failed
	}
	return out, c
}

// find is the entry of l in m or above, with the caller counted as a user and as one who waits.
func (m *MemoMap) find(l *Layer) *memoEntry {
	for ; m != nil; m = m.parent {
		m.mu.Lock()
		entry := m.entries[l]
		if entry != nil {
			entry.users++
			entry.joint.waiting++
		}
		m.mu.Unlock()
		if entry != nil {
			return entry
		}
	}
	return nil
}

func (m *MemoMap) begin(v *env, l *Layer, build func(*env) ([]Binding, *errors.Cause)) *memoEntry {
	m.mu.Lock()
	defer m.mu.Unlock()
	if entry := m.entries[l]; entry != nil { // somebody was faster
		entry.users++
		entry.joint.waiting++
		return entry
	}
	entry := &memoEntry{owner: m, layer: l, scope: scope.New(), users: 1}
	entry.joint = startJoint(v, entry.scope, &m.mu, nil, build, func(_ []Binding, c *errors.Cause) {
		if c.HasInterrupts() {
			entry.forget()
		}
	})
	entry.joint.waiting = 1
	m.entries[l] = entry
	return entry
}

// forget makes the next one who needs the layer build it anew. The owner's lock is held.
func (e *memoEntry) forget() {
	if e.owner.entries[e.layer] == e {
		delete(e.owner.entries, e.layer)
	}
}

// memoUse is a scope's use of a layer, which ends with the scope.
type memoUse struct {
	scope.Entry
	entry *memoEntry
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
