// Package scope owns resources: a [Scope] is a stack of finalizers that run when it closes, last in, first out, whatever
// happened in between.
//
// Plain Go uses it as it is:
//
//	err := scope.Do(ctx, func(ctx context.Context, s *scope.Scope) error {
//		f, err := os.Create(path)
//		if err != nil {
//			return err
//		}
//		if err := s.Add(ctx, func(context.Context, scope.Exit) error { return f.Close() }); err != nil {
//			return err
//		}
//		return write(f)
//	})
//
// [Do] reports what the body and the finalizers report, together: neither hides the other. The finalizers run also when the
// body panics or ends its goroutine, each with the [Exit] the scope closes with and with a context that the cancellation which
// ended the body does not cancel.
//
// The context that Do hands to its body carries the scope. An effect run with it acquires into that scope; [Into] does the
// same for a scope made with [New].
//
// # Rules
//
//   - Finalizers run one at a time in reverse order of registration; in a scope made by [NewParallel] they all run at once.
//   - A finalizer that fails or panics stops none of the others. What went wrong is one cause, in the order in which the
//     finalizers would have run one by one.
//   - A scope is marked closed before its finalizers run. A finalizer added to a closed scope runs at once with the exit the
//     scope closed with. A second Close does nothing, and does not wait for the first.
//   - A child made by [Scope.Fork] closes at its place in its parent, with the parent's exit. A child closed by itself leaves
//     its parent, which does not grow.
//
// These are the rules of Scope in version 4 of Effect (TypeScript).
package scope
