// Package history records what processes do with leases, and checks that it could have happened if the leases keep their
// promises. Only tests use it.
//
// The log is one file to which every process appends a line at a time, so its order is an order in which things happened: what
// ended before something else began stands before it.
package history
