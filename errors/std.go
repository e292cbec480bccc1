package errors

import "errors"

// ErrUnsupported is the standard library's errors.ErrUnsupported.
var ErrUnsupported = errors.ErrUnsupported

// New is the standard library's errors.New.
func New(text string) error { return errors.New(text) }

// Is is the standard library's errors.Is.
func Is(err, target error) bool { return errors.Is(err, target) }

// As is the standard library's errors.As.
func As(err error, target any) bool { return errors.As(err, target) }

// AsType is the standard library's errors.AsType.
func AsType[E error](err error) (E, bool) { return errors.AsType[E](err) }

// IsType tells whether [AsType] finds an E: a predicate such as RetryOptions.While takes, errors.IsType[*lease.Held].
func IsType[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// Join is the standard library's errors.Join.
func Join(errs ...error) error { return errors.Join(errs...) }

// Unwrap is the standard library's errors.Unwrap.
func Unwrap(err error) error { return errors.Unwrap(err) }
