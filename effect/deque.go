package effect

// deque is a ring of values that grows. Its zero value is empty.
type deque[A any] struct {
	ring  []A // its length is a power of two, or zero
	first int
	size  int
}

func (d *deque[A]) at(i int) *A { return &d.ring[(d.first+i)&(len(d.ring)-1)] }

func (d *deque[A]) pushBack(a A) {
	d.grow()
	d.size++
	*d.at(d.size - 1) = a
}

func (d *deque[A]) pushFront(a A) {
	d.grow()
	d.first = (d.first - 1) & (len(d.ring) - 1)
	d.size++
	*d.at(0) = a
}

// popFront takes the first value, of which there must be one. The ring forgets it, so that it can be collected.
func (d *deque[A]) popFront() A {
	p := d.at(0)
	a := *p
	*p = *new(A)
	d.first = (d.first + 1) & (len(d.ring) - 1)
	d.size--
	return a
}

// take is the first n values.
func (d *deque[A]) take(n int) []A {
	out := make([]A, 0, n)
	for range n {
		out = append(out, d.popFront())
	}
	return out
}

func (d *deque[A]) grow() {
	if d.size < len(d.ring) {
		return
	}
	ring := make([]A, max(8, 2*len(d.ring)))
	n := copy(ring, d.ring[d.first:])
	copy(ring[n:], d.ring[:d.first])
	d.ring, d.first = ring, 0
}
