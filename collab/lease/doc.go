// Package lease lets one process at a time own a piece of work, and makes the others notice when the owner is gone.
//
// A lease has a key, one holder, and a fencing token: a number that grows with every acquisition of the key and never goes
// back. The holder renews its lease every heartbeat for as long as the scope that acquired it is open. Others take it over at once
// when the holder's process is dead, and after the TTL when it is alive but silent. What the holder writes carries the token, so
// that a store can refuse the late write of a holder that was frozen, taken over, and resumed.
//
//	program := effect.Gen(func(do effect.Do) (string, error) {
//		store := do.Await(lease.OpenSQLite("leases.db"))
//		leases, err := lease.NewManager(store, lease.Config{TTL: time.Minute, Heartbeat: 15 * time.Second})
//		do.Check(err)
//		l := do.Await(leases.Acquire("task:42"))  // fails with *lease.Held while another live holder renews it
//		result := do.Await(l.WhileHeld(compute))  // interrupted when the lease is lost
//		return do.Await(l.RunFenced(func(token lease.Token) effect.Effect[string] { return save(token, result) })), nil
//	}).Scoped()
//
// # What is promised
//
//   - Two acquisitions of a key never have the same token, not even after a power cut: an acquisition is on the disk before it is
//     reported, and a release keeps the record as a tombstone.
//   - A holder is told of its loss before anybody else can have taken the lease for its silence: a renewal counts from when its
//     attempt began, and a watchdog goes by the clock, not by the store's answer.
//   - Fenced work of one key ([Lease.RunFenced]) never overlaps, across processes too, and does not start once the record shows
//     another holder.
//   - A renewal that the store applied although it reported an error is no loss.
//   - The end of a scope releases what it acquired; nothing is written for a lease after its release.
//
// What is not promised: that unfenced work has stopped by the time somebody else takes the lease. A frozen process learns of
// its loss when it wakes up. Hand the token to what the work writes to, and let it refuse older ones: [CheckFence] is the rule, and
// [AdmitToken] applies it inside the caller's transaction of a SQLite database (module collab/lease/fencepg: of PostgreSQL).
//
// # How a holder is judged
//
// Only proof counts as death: another boot of the same host, or a pid that nobody has, or somebody else has. Everything else,
// another host and another pid namespace included, waits for the TTL. The TTL is measured by the observer's own monotonic clock, from when it first
// saw the current revision of the record; clocks are never compared. After a suspend of the machine it is measured anew.
// Everybody who shares a store must use the same TTL.
//
// # Stores
//
// [OpenSQLite] is the usual one: one database for all leases, and one transaction per heartbeat for all leases of a manager. [OpenFile] is
// the fallback without SQLite, [NewMemory] serves one process. The formats are those of the Node package
// @rivus/agent-kit-collab, which can share them. All are for local disks: neither SQLite's locks nor lock files are
// reliable on network file systems. Another engine implements [Repository], and passes the contract in package leasetest.
//
// # Failures
//
// Expected failures are pointers to structs with a tag: [*Held], [*Lost], [*FenceRejected], [*ConfigInvalid], [*KeyInvalid],
// [*RepositoryFailure], [*Reentrant], and between a repository and its manager [*RevisionConflict].
package lease
