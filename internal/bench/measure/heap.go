package measure

// HeapMB is the size of the heap beside which everything is measured. A program
// that does nothing else has so little of one that its collector starts over
// every few megabytes, and the fixed cost of that hides the work.
const HeapMB = 64

// Heap is what makes it that large.
var Heap []byte

// KeepHeap makes the heap. It is called before anything is measured.
func KeepHeap() { Heap = make([]byte, HeapMB<<20) }
