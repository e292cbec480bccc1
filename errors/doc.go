// Package errors says why a computation did not succeed.
//
// Three things end a computation, and a program reacts to each in its own way:
//
//   - an expected failure ([Fail]): part of the contract, an ordinary Go error, usually [Tagged];
//   - a defect ([Die]): a bug, such as a panic, that no caller is expected to handle;
//   - an interruption ([Interrupt]): somebody asked the computation to stop.
//
// A [Cause] is the list of all that came together, in order: a body may fail and its finalizer panic, or two fibers fail at
// once. It is an error itself, and [errors.Is] and [errors.As] look through it into failures and interruptions, but not into
// defects: a bug must not be mistaken for the failure it resembles.
//
// The package also has the functions of the standard library's errors, so that one import serves.
//
// # Semantics
//
// Causes are flat, as in version 4 of Effect (TypeScript); the operations carry that library's meaning, and its names where
// Go has none of its own.
package errors
