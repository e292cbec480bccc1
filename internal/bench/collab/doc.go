// Package collab compares the process lock, the lease and the lanes with the
// same done by hand, and with other libraries that people use for it.
package collab
