package effect

// list is a doubly linked list in which those who wait stand in line, and can leave it from the middle.
type list[T any] struct{ head, tail *node[T] }

type node[T any] struct {
	prev, next *node[T]
	value      T
}

// push puts value at the end.
func (l *list[T]) push(value T) *node[T] {
	n := &node[T]{prev: l.tail, value: value}
	if l.tail != nil {
		l.tail.next = n
	} else {
		l.head = n
	}
	l.tail = n
	return n
}

// remove takes n, which must be in the list, out of it.
func (l *list[T]) remove(n *node[T]) {
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
