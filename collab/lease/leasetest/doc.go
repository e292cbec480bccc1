// Package leasetest is the contract that every lease.Repository must pass, ours and other people's.
//
// A test binary that runs it says so in its TestMain, because part of the contract is about several processes, which are
// this binary started again:
//
//	var store = leasetest.Store{Name: "etcd", Open: open, Persistent: true}
//
//	func TestMain(m *testing.M)       { platformtest.Main(m, leasetest.Programs(store)) }
//	func TestContract(t *testing.T)   { leasetest.Run(t, store) }
//
// The contract: a save compares and writes in one step for all who share the store; a fence has one holder at a time, and
// falls with its holder's process; what was saved is there after a reopening and after a crash; a schema the repository does
// not know is refused and left alone; and a lease.Renewer renews exactly the records that are at their revision.
package leasetest
