package history

import "fmt"

// Check returns every way in which a history breaks the promises of leases:
//
//   - no two acquisitions of a key have one token, and one that began after another had been reported has a larger token;
//   - the fenced works of a key do not overlap, and their tokens never go back;
//   - the resource accepted no smaller token after a larger one.
func Check(events []Event, writes []Write) (broken []string) {
	keys := map[string]*key{}
	of := func(name string) *key {
		if keys[name] == nil {
			keys[name] = &key{acquired: map[int64]int{}, tried: map[int]int64{}, past: map[work]bool{}}
		}
		return keys[name]
	}
	for i, e := range events {
		if problem := of(e.Key).next(e); problem != "" {
			broken = append(broken, fmt.Sprintf("event %d (%v): %s", i+1, e, problem))
		}
	}
	highest := map[string]Write{}
	for i, w := range writes {
		if before := highest[w.Key]; w.Token < before.Token {
			broken = append(broken, fmt.Sprintf("write %d of key %s: token %d of pid %d was accepted after token %d of pid %d",
				i+1, w.Key, w.Token, w.PID, before.Token, before.PID))
		} else {
			highest[w.Key] = w
		}
	}
	return broken
}

// key is what is known of a key so far.
type key struct {
	acquired map[int64]int // token to pid
	largest  int64         // of the tokens acquired
	tried    map[int]int64 // the largest token when a process began to try

	inside work          // the fenced work that began last; zero: none did
	past   map[work]bool // those that another has followed
}

// work is the fenced work of one token.
type work struct {
	pid   int
	token int64
}

// next takes one event and says what is wrong with it.
func (k *key) next(e Event) string {
	w := work{e.PID, e.Token}
	switch e.Kind {
	case Try:
		k.tried[e.PID] = k.largest
	case Acquired:
		pid, twice := k.acquired[e.Token]
		k.acquired[e.Token] = e.PID
		k.largest = max(k.largest, e.Token)
		switch {
		case twice:
			return fmt.Sprintf("pid %d acquired the same token", pid)
		case e.Token <= k.tried[e.PID]:
			return fmt.Sprintf("token %d had been acquired before this process tried", k.tried[e.PID])
		}
	case Begin:
		before := k.inside
		switch {
		case before == w: // once more
		case e.Token < before.token:
			return fmt.Sprintf("fenced work of token %d had begun", before.token)
		case before != work{}:
			k.past[before] = true
		}
		k.inside = w
	case Step, End:
		if k.past[w] {
			return fmt.Sprintf("fenced work goes on although that of token %d (pid %d) has begun", k.inside.token, k.inside.pid)
		}
	}
	return ""
}
