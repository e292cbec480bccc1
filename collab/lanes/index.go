package lanes

// index finds the lane of a key. A Go map keeps its buckets when its entries go, so a burst of keys would cost its memory for
// ever: the index moves to a smaller map once most of it is empty.
type index[K comparable] struct {
	of   map[K]*lane[K]
	peak int // the most entries since the map was made
}

const (
	smallIndex = 1 << 10 // a map of at most so many entries is not worth moving
	sparse     = 8       // it moves when it has shrunk to an eighth, so a lane's share of the moves is constant
)

func (x *index[K]) get(key K) *lane[K] { return x.of[key] }

func (x *index[K]) len() int { return len(x.of) }

func (x *index[K]) put(l *lane[K]) {
	if x.of == nil {
		x.of = make(map[K]*lane[K])
	}
	x.of[l.key] = l
	x.peak = max(x.peak, len(x.of))
}

func (x *index[K]) drop(l *lane[K]) {
	delete(x.of, l.key)
	if x.peak <= smallIndex || len(x.of)*sparse > x.peak {
		return
	}
	moved := make(map[K]*lane[K], len(x.of))
	for key, l := range x.of {
		moved[key] = l
	}
	x.of, x.peak = moved, len(moved)
}
