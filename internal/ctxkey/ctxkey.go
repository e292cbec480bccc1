// Package ctxkey holds the context keys that packages of this module share.
package ctxkey

// Scope is the key under which a *scope.Scope travels in a context.
type Scope struct{}
