package lanes

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/scope"
)

// Lanes run work by key. See the package documentation for what they guarantee. Make them with [New].
type Lanes[K comparable] struct {
	config Config[K]
	ctx    context.Context // what activations run in: that of the fiber that keeps it
	epoch  time.Time

	mu          sync.Mutex
	board       board[K]
	since       time.Time     // when Close or Drain was first called
	closing     *time.Timer   // until ShutdownGrace is over
	cut         *DrainCut     // what a Close took from a Drain
	over        chan struct{} // closed when the lanes are closed and nothing runs any more
	spare       []worker[K]
	subscribers []*subscriber[K]
}

// New makes lanes that live as long as the scope around it: when it closes, they [Lanes.Close].
//
// Activations and OnExit run with the services and values that surround New, not with those that surround a wake.
//
// It fails with [*ConfigInvalid], and dies when there is no scope around it.
func New[K comparable](config Config[K]) effect.Effect[*Lanes[K]] {
	open := effect.Suspend(func() effect.Effect[*Lanes[K]] {
		if err := config.validate(); err != nil {
			return effect.Fail[*Lanes[K]](err)
		}
		l := newLanes(config)
		return l.keepContext().As(l)
	})
	return effect.AcquireRelease(open, func(l *Lanes[K], _ scope.Exit) effect.Effect[effect.Unit] {
		return l.Close()
	})
}

func newLanes[K comparable](config Config[K]) *Lanes[K] {
	return &Lanes[K]{
		config: config,
		epoch:  time.Now(),
		board:  newBoard[K](config.MaxConcurrent, config.MaxQueued.OrElse(-1)),
		over:   make(chan struct{}),
	}
}

// keepContext takes the context that activations run in. It lasts as long as its fiber, and the fiber that makes lanes may end
// long before they do: so one of their own keeps it, which nothing interrupts.
func (l *Lanes[K]) keepContext() effect.Effect[effect.Unit] {
	kept := make(chan struct{})
	keeper := effect.TryCall(func(ctx context.Context) error {
		l.ctx = ctx
		close(kept)
		<-l.over
		return nil
	})
	return effect.ForkDetach(keeper, effect.ForkUninterruptible).Map(func(*effect.Fiber[effect.Unit]) effect.Unit {
		<-kept
		return effect.Unit{}
	})
}

// instant is a moment as the time since the lanes were made: a third of the size of a time.Time, which counts for a million
// queued lanes.
type instant time.Duration

func (l *Lanes[K]) now() instant { return instant(time.Since(l.epoch)) }

func (l *Lanes[K]) time(i instant) time.Time { return l.epoch.Add(time.Duration(i)) }

// warn logs. A logger that panics must not take the lanes, or the process, with it.
func (l *Lanes[K]) warn(message string, attributes ...any) {
	defer func() { _ = recover() }()
	logger := l.config.Logger
	if logger == nil {
		logger = slog.Default()
	}
	logger.Warn(message, attributes...)
}

// isOverLocked tells whether the lanes are closed and nothing runs any more.
func (l *Lanes[K]) isOverLocked() bool { return l.board.phase == closed && l.board.running.n == 0 }

// settleLocked announces the end of the lanes, once, when it has come.
func (l *Lanes[K]) settleLocked() {
	if !l.isOverLocked() {
		return
	}
	select {
	case <-l.over:
		return
	default:
	}
	if l.closing != nil {
		l.closing.Stop()
	}
	l.unsubscribeAllLocked()
	l.dismissSparesLocked()
	close(l.over)
}
