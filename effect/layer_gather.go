package effect

import (
	"sync"

	"github.com/rivus/agentkit/errors"
)

// gathering is one fiber that waits for layers which are built at once, until all are there or one cannot be built. A fiber for each
// would do nothing but wait: they are built by fibers of their own.
type gathering struct {
	mu    sync.Mutex
	left  int           // how many news are to come
	cause *errors.Cause // of those that could not be built, the first one first
	over  event
}

// tell is told that a layer is there, or why not.
func (g *gathering) tell(c *errors.Cause) {
	g.mu.Lock()
	g.left--
	over := c != nil || g.left == 0
	if g.cause != nil {
		c = c.WithoutInterrupts()
	}
	g.cause = g.cause.Concat(c)
	g.mu.Unlock()
	if over {
		g.over.happen()
	}
}

// gather is what the layers of the makers give. They are built at once, and the scope of v becomes a user of each. The first that
// cannot be built ends the waiting for the others.
func (m *MemoMap) gather(v *env, makers []*maker) ([][]Binding, *errors.Cause) {
	if v.stopped() {
		return nil, v.pending()
	}
	g := &gathering{left: 2 * len(makers)} // of each, that it has been begun, and how it ended
	uses := make([]memoUse, len(makers))
	for i, k := range makers {
		uses[i].gather = g
		g.tell(m.use(v, k, &uses[i]))
	}
	if c := g.over.await(v); c != nil {
		g.tell(c)
	}
	var abandoned []*joint[[]Binding]
	for i := range uses {
		if j := uses[i].entry.joint; j.leave(v.fiber.id) {
			j.task.core.interrupt(errors.Interrupt{By: v.fiber.id})
			abandoned = append(abandoned, j)
		}
	}
	for _, j := range abandoned {
		<-j.over.done()
	}
	g.mu.Lock()
	cause := g.cause
	g.mu.Unlock()
	switch {
	case v.uncatchable():
		return nil, meet(v.pending(), cause.WithoutInterrupts())
	case cause != nil:
		return nil, cause.Elect()
	}
	out := make([][]Binding, len(uses))
	for i := range uses {
		out[i] = uses[i].entry.joint.value
	}
	return out, nil
}
