// Package core compares the library's core with hand-written Go that does the
// same work.
package core
