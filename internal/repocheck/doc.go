// Package repocheck holds the rules of this repository that a machine can
// check: which package may import which, that no library package runs an
// effect, that everything exported is documented, how long a file may be, which
// words must not appear, what each package exports, and that a reader finds every
// example.
//
// Each check is a function of a file system (or of type-checked packages) that
// returns findings. The tests run it twice: on the repository, where it must
// find nothing, and on a small fixture that breaks the rule, where it must.
//
// Texts for people are held to the code too: how failures read, and that the
// code, names, links and commands in the README and the guides are true.
package repocheck
