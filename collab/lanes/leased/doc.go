// Package leased runs lanes that several processes share: they wake the same keys, and each key still runs once at a time,
// because an activation runs only while its process holds the lease of its key.
//
//	wakes := do.Await(leased.OpenSQLite("wakes.db"))
//	l := do.Await(leased.New(leased.Config{
//		Lanes:    lanes.Config[string]{MaxConcurrent: 4},
//		Leases:   leases, // a *lease.Manager over a store that the processes share
//		Wakes:    wakes,
//		Activate: func(key string, held *lease.Lease) effect.Effect[effect.Unit] { return runTurn(key, held.Token()) },
//	}))
//	do.Await(l.Wake("room:1"))
//
// # How it works
//
// A wake is first noted in a store that the processes share, then the lane of this process is woken. Its activation takes the
// lease of the key, without waiting. If another process has it, that one runs the key, or has just run it: this process lets go
// of its slot at once. The note remains, and whoever gives up the lease looks for notes made meanwhile. An activation that has
// ended takes away the note that it found when it began, if that is still the same: a newer one means one activation more.
//
// Each process looks through the notes every [Config.ScanEvery] and wakes its lanes for those that nobody runs. So a wake that
// was accepted by a process that was killed, before its activation or in the middle of it, is served by another.
//
// # When the lease is lost
//
// The holder was cut off from the store, or stood still for longer than the leases' TTL. Its activation is interrupted, ends
// as a [lanes.ActivationFailed] with a [*lease.Lost], and leaves its note: the key runs again, in whichever process takes the
// lease next. That activation may begin before the interrupted one has ended, if that does not heed its interruption. What it
// writes must carry the token of the lease, or be run by [lease.Lease.RunFenced], which waits for the predecessor.
//
// # Guarantees
//
//  1. One at a time: activations of a key do not overlap in time, in all processes together, except where a lease is lost.
//     (TestProcessesThatWakeTheSameKeysNeverRunOneTwiceAtOnce, TestProcessesThatStandStillForAWhileKeepTheirKeysToThemselves)
//  2. Nothing is lost: every accepted wake is followed by an activation of its key begun after it, in some live process, as long
//     as there is one that has these lanes open and the stores work. A Cancel of the key takes its note away.
//     (TestEveryWakeThatAKilledProcessAcceptedIsServedByALiveOne)
//  3. At least once: an activation whose process is killed, closes its lanes or loses the lease is run again. One that ended by
//     itself, well or not, or by a timeout, is not. (TestAnActivationThatLosesItsLeaseIsInterruptedAndRunAgain,
//     TestTheKeysOfAProcessThatStandsStillForTooLongAreServedByAnother)
//  4. No slot waits for a lease. (TestALaneWhoseLeaseIsHeldElsewhereGivesItsSlotAway)
//  5. No capacity refuses a wake: where the queue of this process is full, the note waits for a place in any of them.
//     (TestAWakeThatFindsTheQueueFullWaitsInTheStore)
package leased
