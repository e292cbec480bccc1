package lanes

// list is a list of lanes through their own links, so that a lane in the middle leaves it at no cost. A lane is in one list at
// most.
type list[K comparable] struct {
	head, tail *lane[K]
	n          int
}

func (q *list[K]) push(l *lane[K]) {
	l.prev = q.tail
	if q.tail != nil {
		q.tail.next = l
	} else {
		q.head = l
	}
	q.tail = l
	q.n++
}

func (q *list[K]) remove(l *lane[K]) {
	if l.prev != nil {
		l.prev.next = l.next
	} else {
		q.head = l.next
	}
	if l.next != nil {
		l.next.prev = l.prev
	} else {
		q.tail = l.prev
	}
	l.prev, l.next = nil, nil
	q.n--
}

// all is the lanes from the head; the body must not change the list.
func (q *list[K]) all(yield func(*lane[K]) bool) {
	for l := q.head; l != nil && yield(l); l = l.next {
	}
}
