// Package lanes runs work by key: one activation of a key at a time, a limited number over all keys, and however often a key is
// woken while it runs, one activation more.
//
//	l := do.Await(lanes.New(lanes.Config[string]{
//		MaxConcurrent: 4,               // activations at once, over all keys
//		MaxQueued:     mo.Some(32),     // lanes that wait for a slot
//		Activate:      runTurn,         // func(key string) effect.Effect[effect.Unit], in a scope of its own
//		OnExit:        report,          // succeeded, failed or interrupted
//	}))
//	result := do.Await(l.Wake("room:1")) // started, queued or coalesced; it does not wait for the activation
//
// A wake says "there is something to do for this key", not what. The activation finds out what by itself, and so serves all
// wakes that came before it started. Nothing is written down: lanes live in one process. For keys that several processes wake,
// see package leased beside this one.
//
// # A lane
//
// A lane is idle, queued or running. A wake starts an idle lane while a slot is free, else it queues it. When an activation has
// ended, its finalizers have run and OnExit has returned, its slot passes to the lane that has waited longest; a lane that was
// woken while it ran waits behind those that queued meanwhile.
//
// # Stopping
//
//   - [Lanes.Cancel] drops what one key owes, and interrupts its activation.
//   - [Lanes.Drain] takes no more wakes, runs all that is owed, and closes.
//   - [Lanes.Close] takes no more wakes, drops what is owed, and interrupts what runs, after a grace if there is one. The scope
//     that made the lanes does it when it closes.
//
// All three wait. A wait that could never end, such as for one's own end from inside OnExit, fails with [*NeverEnds] instead.
// Two that this package cannot see: closing the scope that made the lanes from inside an activation, and a wait for one's own end
// in a region that cannot be interrupted, under a context or an effect.WithCancel of its own. The lane is then reported as stuck.
//
// Go cannot end a goroutine. An activation that does not heed its interruption keeps its lane and its slot until it returns,
// and is reported every now and then, as [EventStuck] and as a warning in the log.
//
// # Guarantees
//
// Stated for any number of goroutines and fibers that call any methods at once. A wake is accepted when it returns no error.
//
//  1. One at a time: no two activations of a key overlap, finalizers and OnExit included.
//     (TestHistoriesOfLanesKeepTheirPromises)
//  2. A limit: at no moment do more than MaxConcurrent activations run. (TestHistoriesOfLanesKeepTheirPromises)
//  3. Nothing is lost: after every accepted wake an activation of its key begins, unless a Cancel of the key or a Close drops
//     it. (TestHistoriesOfLanesKeepTheirPromises)
//  4. Nothing is too much: wakes that arrive while a lane runs, however many, lead to one activation; those that arrive while
//     it is queued to none of their own. (TestFiftyWakesOfARunningLaneLeadToExactlyOneMoreActivation)
//  5. No slot is wasted: none is free while a lane waits. (TestHistoriesOfLanesKeepTheirPromises)
//  6. Fair: lanes start in the order in which they joined the queue, and a newcomer never overtakes.
//     (TestALaneThatWakesItselfDoesNotStarveTheOthers)
//  7. Bounded: no more than MaxQueued lanes wait. A refused wake changes nothing.
//     (TestAFullQueueAcceptsAWakeOfALaneInItAndRefusesANewKey)
//  8. Clean hand-over: an activation's finalizers have run, its fibers have ended and OnExit has returned before its slot
//     passes on. (TestTheSlotPassesOnOnlyWhenOnExitHasReturnedAndItsDefectIsLogged)
//  9. One report: OnExit hears of every activation that had a slot exactly once, also of one that was stopped before it began.
//     (TestAnActivationStoppedBeforeItBeganIsReportedAndActivateIsNotCalled)
//  10. Stopped means ended: when Cancel, Close or Drain has returned without an error, what it stopped or waited for is over
//     and will not run again without a new wake. (TestCancelReturnsWhenTheActivationHasEndedAndItsSlotHasPassedOn)
//  11. Robust: a panic or runtime.Goexit in Activate, in its effect, in a finalizer or in OnExit costs neither the slot nor
//     the key. (TestAPanicAndAGoexitFreeTheSlotAndTheKey)
//  12. No deadlock with oneself: a wait for one's own end is refused. (TestAWaitInOnExitForItsOwnEndIsRefused)
//  13. Waking never waits: Wake, WakeNow and Status hold a lock for a few steps only, never across an activation, a callback or
//     a subscriber. (TestASlowSubscriberNeverBlocksTheLanesAndLearnsWhatItMissed)
//  14. Nothing stays: an idle lane costs nothing. (TestKeysUsedOnceLeaveNothingBehind)
//
// Less formally: wake as often as you like, from wherever you like. The key will run, alone, after your wake, soon, and you will
// be told how it went.
package lanes
