package ctxkey

// Scope is the key under which a *scope.Scope travels in a context.
type Scope struct{}
