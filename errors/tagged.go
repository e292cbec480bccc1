package errors

import "errors"

// Tagged is an expected failure that can be told apart by name, also in another process or another language.
//
// The tags of this module's packages are the `_tag`s of the TypeScript packages that share files with them.
type Tagged interface {
	error
	// Tag names the kind of failure. It is constant for a type.
	Tag() string
}

// TagOf is the tag of the first [Tagged] error in err's tree; false if there is none.
func TagOf(err error) (string, bool) {
	if t, ok := errors.AsType[Tagged](err); ok {
		return t.Tag(), true
	}
	return "", false
}
