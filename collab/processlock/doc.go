// Package processlock lets one process at a time do something: a lock that a path names and that every process of the
// machine sees.
//
//	lock, err := processlock.Take(ctx, "/var/run/my-daemon/daemon.lock", processlock.Options{})
//	if held, ok := errors.AsType[*processlock.Held](err); ok {
//		log.Fatalf("already running: %v", held)
//	}
//
// As an effect, [Acquire] holds the lock for as long as the surrounding scope lives:
//
//	program := processlock.Acquire(path, processlock.Options{Wait: true}).FlatMap(serve).Scoped()
//
// # Mechanisms
//
// With SQLite (the default) the lock is an exclusive transaction on an empty database file. The kernel frees it the moment
// its holder exits or is killed; nothing is ever reclaimed and the empty file stays. Beside it, <path>.holder names the
// holder, for diagnostics only.
//
// Without SQLite the lock is a file that holds its holder's identity. The next acquisition reclaims the file of a holder
// that is gone, one reclaimer at a time. Two limits come with it: a crash between creating the file and writing the
// identity leaves an empty file that counts as held for 30 s; and a holder stopped for longer than that between the two
// steps can end up holding the lock together with its reclaimer.
//
// All processes that share a path must use the same mechanism, and a local file system: neither kind of lock is reliable
// over a network.
//
// # Guarantees
//
//   - One holder at a time, of all processes and of all goroutines of each.
//   - Two contenders that start together on a free lock never both lose.
//   - Acquisitions of one process take turns in order, in memory. Two paths are the same lock when their folders are the
//     same once symlinks are resolved, and their names are equal.
//   - A lock that this package reports as taken has been seen in the kernel: on a file this process may write, at the
//     path as it is now. On Linux no other code of the process can drop it by closing the file.
//   - A refusal is fast: the kernel is asked who has the lock, nothing is slept out.
//   - An interrupted acquisition, also one inside an attempt, holds nothing when it returns.
//
// # Paths
//
// A path names a regular file, or nothing yet, in an existing local folder. A symbolic link is refused as the last element
// (its folder may be reached through links), and so are directories, pipes, sockets, ":memory:" and files that hold
// something else. No character is special: "a?b" is the file of that name.
//
// # Other implementations
//
// The files are those of the Node.js package @rivus/agent-kit-collab, whose processes contend for the same locks.
package processlock
