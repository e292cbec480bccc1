package effect

// line is a doubly linked list in which those who wait stand in line, and can leave it from the middle.
type line[T any] struct{ head, tail *inLine[T] }

type inLine[T any] struct {
	prev, next *inLine[T]
	value      T
}

// push puts value at the end.
func (l *line[T]) push(value T) *inLine[T] {
	n := &inLine[T]{prev: l.tail, value: value}
	if l.tail != nil {
		l.tail.next = n
	} else {
		l.head = n
	}
	l.tail = n
	return n
}

// remove takes n, which must be in the list, out of it.
func (l *line[T]) remove(n *inLine[T]) {
	if n.prev != nil {
		n.prev.next = n.next
	} else {
		l.head = n.next
	}
	if n.next != nil {
		n.next.prev = n.prev
	} else {
		l.tail = n.prev
	}
	n.prev, n.next = nil, nil
}
