package lanes

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// play makes moves on a board and returns what each is answered. A move is "wake a", "finish a", "cancel a", "drain" or
// "close".
func play(b *board[string], moves ...string) (answers []string) {
	for _, move := range moves {
		verb, key, _ := strings.Cut(move, " ")
		answer := ""
		switch verb {
		case "wake":
			_, v := b.wake(key)
			answer = verdicts[v]
		case "finish":
			if next := b.finish(b.lanes.get(key)); next != nil {
				answer = "start " + next.key
			}
		case "cancel":
			l, dropped := b.cancel(key)
			answer = fmt.Sprintf("running=%v dropped=%v", l != nil, dropped)
		case "drain":
			b.drain()
		case "close":
			var dropped []string
			b.close(func(l *lane[string]) { dropped = append(dropped, l.key) })
			answer = strings.Join(dropped, " ")
		default:
			panic(move)
		}
		answers = append(answers, answer)
	}
	return answers
}

var verdicts = map[verdict]string{
	started: "started", joined: "queued", owes: "owes", coalesced: "coalesced", full: "full", shut: "closed",
}

// show is the board in one line: the running lanes, then the queued ones; a star for a running lane that owes.
func show(b *board[string]) string {
	var running, queue []string
	for l := range b.running.all {
		name := l.key
		if l.owed {
			name += "*"
		}
		running = append(running, name)
	}
	for l := range b.queue.all {
		queue = append(queue, l.key)
	}
	return strings.Join(running, " ") + "|" + strings.Join(queue, " ")
}

type table []struct {
	name                     string
	maxConcurrent, maxQueued int
	moves                    []string
	answer                   string // to the last move
	board                    string // afterwards
}

func (rows table) check(t *testing.T) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			b := newBoard[string](row.maxConcurrent, row.maxQueued)
			answers := play(&b, row.moves...)
			if got := answers[len(answers)-1]; got != row.answer {
				t.Errorf("%v: got %q; want %q", row.moves, got, row.answer)
			}
			if got := show(&b); got != row.board {
				t.Errorf("%v: the board is %q; want %q", row.moves, got, row.board)
			}
		})
	}
}

const unbounded = -1

// LN-1
func TestRulesWakeStartsOrQueuesOrRefuses(t *testing.T) {
	table{
		{"a slot is free", 1, unbounded, []string{"wake a"}, "started", "a|"},
		{"the other slot is free", 2, 0, []string{"wake a", "wake b"}, "started", "a b|"},
		{"no slot is free", 1, unbounded, []string{"wake a", "wake b"}, "queued", "a|b"},
		{"the queue has room", 1, 2, []string{"wake a", "wake b", "wake c"}, "queued", "a|b c"},
		{"the queue is full", 1, 1, []string{"wake a", "wake b", "wake c"}, "full", "a|b"},
		{"nothing may wait", 1, 0, []string{"wake a", "wake b"}, "full", "a|"},
	}.check(t)
}

// LN-2
func TestRulesANewcomerDoesNotOvertakeAWaitingLane(t *testing.T) {
	b := newBoard[string](2, 1)
	play(&b, "wake a", "wake b", "wake c")
	b.maxConcurrent = 3 // a slot that nobody has taken yet
	if got := play(&b, "wake d")[0]; got != "full" {
		t.Errorf("a newcomer beside a waiting lane, the queue full: got %q; want full", got)
	}
	b.maxQueued = 2
	if got := play(&b, "wake d")[0]; got != "queued" {
		t.Errorf("a newcomer beside a waiting lane: got %q; want queued", got)
	}
	if got := show(&b); got != "a b|c d" {
		t.Errorf("got %q", got)
	}
}

// LN-3
func TestRulesWakesOfALaneThatIsNotIdleCoalesce(t *testing.T) {
	table{
		{"the first while it runs", 1, 0, []string{"wake a", "wake a"}, "owes", "a*|"},
		{"a further one while it runs", 1, 0, []string{"wake a", "wake a", "wake a"}, "coalesced", "a*|"},
		{"while it waits", 1, 1, []string{"wake a", "wake b", "wake b"}, "coalesced", "a|b"},
		{"in a full queue", 1, 1, []string{"wake a", "wake b", "wake a"}, "owes", "a*|b"},
	}.check(t)
}

// LN-4
func TestRulesAFinishedLaneThatOwesQueuesAtTheEnd(t *testing.T) {
	table{
		{"nothing owed, nobody waits", 1, unbounded, []string{"wake a", "finish a"}, "", "|"},
		{"nothing owed, one waits", 1, unbounded, []string{"wake a", "wake b", "finish a"}, "start b", "b|"},
		{"owed, nobody waits", 1, 0, []string{"wake a", "wake a", "finish a"}, "start a", "a|"},
		{"owed, others wait", 1, unbounded, []string{"wake a", "wake b", "wake a", "wake c", "finish a"}, "start b", "b|c a"},
		{"owed, a full queue", 1, 1, []string{"wake a", "wake b", "wake a", "finish a"}, "start b", "b|a"},
		{"it serves all wakes before", 1, 0, []string{"wake a", "wake a", "wake a", "finish a", "finish a"}, "", "|"},
	}.check(t)
}

// LN-5
func TestRulesCancelDropsWhatIsOwed(t *testing.T) {
	table{
		{"an idle lane", 1, 1, []string{"cancel a"}, "running=false dropped=false", "|"},
		{"a queued lane", 1, 2, []string{"wake a", "wake b", "wake c", "cancel b"}, "running=false dropped=true", "a|c"},
		{"a running lane", 1, 1, []string{"wake a", "cancel a"}, "running=true dropped=false", "a|"},
		{"a running lane that owes", 1, 1, []string{"wake a", "wake a", "cancel a"}, "running=true dropped=true", "a|"},
		{"a wake after it", 1, 1, []string{"wake a", "wake a", "cancel a", "wake a"}, "owes", "a*|"},
		{"a queued lane's place is free", 1, 1, []string{"wake a", "wake b", "cancel b", "wake c"}, "queued", "a|c"},
	}.check(t)
}

// LN-6
func TestRulesAnIllegalTransitionPanics(t *testing.T) {
	for name, illegal := range map[string]func(*board[string], *lane[string]){
		"start of a running lane":   func(b *board[string], _ *lane[string]) { b.start(b.lanes.get("a")) },
		"finish of a queued lane":   func(b *board[string], _ *lane[string]) { b.finish(b.lanes.get("b")) },
		"finish of an idle lane":    func(b *board[string], idle *lane[string]) { b.finish(idle) },
		"start of an idle lane":     func(b *board[string], idle *lane[string]) { b.start(idle) },
		"finish of a cancelled one": func(b *board[string], _ *lane[string]) { l := b.lanes.get("b"); b.cancel("b"); b.finish(l) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBoard[string](2, unbounded)
			play(&b, "wake idle", "wake a", "wake b")
			idle := b.lanes.get("idle")
			play(&b, "finish idle") // starts b; queue one more
			b.maxConcurrent = 1
			b.running.remove(b.lanes.get("b"))
			b.lanes.get("b").state = queued
			b.queue.push(b.lanes.get("b"))
			defer func() {
				if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "lanes: ") {
					t.Errorf("got the panic %v; want one that names the bug", r)
				}
			}()
			illegal(&b, idle)
		})
	}
}

// LN-8
func TestRulesAFreeSlotGoesToTheHeadOfTheQueue(t *testing.T) {
	table{
		{"to the head", 1, unbounded, []string{"wake a", "wake b", "wake c", "finish a"}, "start b", "b|c"},
		{"the queue is empty", 2, unbounded, []string{"wake a", "wake b", "finish a"}, "", "b|"},
		{"closed", 1, unbounded, []string{"wake a", "wake b", "close", "finish a"}, "", "|"},
		{"draining", 1, unbounded, []string{"wake a", "wake b", "drain", "finish a"}, "start b", "b|"},
	}.check(t)
	b := newBoard[string](1, unbounded)
	play(&b, "wake a", "wake b", "wake c")
	b.maxConcurrent = 0 // as if others held all slots
	if next := b.finish(b.lanes.get("a")); next != nil {
		t.Errorf("no slot is free, yet %q started", next.key)
	}
}

// LN-9
func TestRulesTheVerdictOfAWakeFollowsFromTheStateOfItsLane(t *testing.T) {
	table{
		{"idle", 1, 1, []string{"wake a"}, "started", "a|"},
		{"idle again", 1, 1, []string{"wake a", "finish a", "wake a"}, "started", "a|"},
		{"running", 1, 1, []string{"wake a", "wake a"}, "owes", "a*|"},
		{"queued", 1, 1, []string{"wake b", "wake a", "wake a"}, "coalesced", "b|a"},
		{"draining", 1, 1, []string{"wake b", "drain", "wake a"}, "closed", "b|"},
		{"draining, the lane runs", 1, 1, []string{"wake b", "drain", "wake b"}, "closed", "b|"},
		{"closed", 1, 1, []string{"close", "wake a"}, "closed", "|"},
	}.check(t)
}

func TestRulesCloseDropsTheQueueAndWhatRunningLanesOwe(t *testing.T) {
	table{
		{"all at once", 1, unbounded, []string{"wake a", "wake b", "wake c", "wake a", "close"}, "a b c", "a|"},
		{"twice", 1, unbounded, []string{"wake a", "wake b", "close", "close"}, "", "a|"},
		{"while draining", 1, unbounded, []string{"wake a", "wake b", "drain", "close"}, "b", "a|"},
	}.check(t)
}

func TestRulesADrainedBoardClosesWithItsLastLane(t *testing.T) {
	for _, row := range []struct {
		moves []string
		want  phase
	}{
		{[]string{"drain"}, closed},
		{[]string{"wake a", "drain"}, draining},
		{[]string{"wake a", "drain", "finish a"}, closed},
		{[]string{"wake a", "wake a", "drain", "finish a"}, draining},
		{[]string{"wake a", "wake a", "drain", "finish a", "finish a"}, closed},
		{[]string{"wake a", "wake b", "drain", "cancel b", "finish a"}, closed},
		{[]string{"wake a", "wake b", "drain", "finish a", "drain"}, draining},
	} {
		b := newBoard[string](1, unbounded)
		play(&b, row.moves...)
		if b.phase != row.want {
			t.Errorf("%v: the phase is %d; want %d", row.moves, b.phase, row.want)
		}
	}
}

func TestListKeepsItsOrderWhenALaneLeavesFromAnywhere(t *testing.T) {
	for leaver, want := range map[string]string{"a": "b c", "b": "a c", "c": "a b"} {
		var q list[string]
		lanes := map[string]*lane[string]{}
		for _, key := range []string{"a", "b", "c"} {
			lanes[key] = &lane[string]{key: key}
			q.push(lanes[key])
		}
		q.remove(lanes[leaver])
		var got []string
		for l := range q.all {
			got = append(got, l.key)
		}
		var back []string
		for l := q.tail; l != nil; l = l.prev {
			back = append(back, l.key)
		}
		slices.Reverse(back)
		if strings.Join(got, " ") != want || strings.Join(back, " ") != want || q.n != 2 {
			t.Errorf("without %s: forwards %v, backwards %v, n = %d; want %s", leaver, got, back, q.n, want)
		}
	}
}
