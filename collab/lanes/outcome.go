package lanes

import "github.com/rivus/agentkit/errors"

// exitOf is how an activation is reported.
//
// cutShort is the stop that came while its work ran; body is how the work ended; finalizer is what its finalizers added; stop
// is the stop that had come when they were through.
func exitOf[K comparable](key K, cutShort StopReason, body, finalizer *errors.Cause, stop StopReason) ActivationExit[K] {
	if cutShort != 0 {
		// What the finalizers of stopped work add is lost, as is the end of work that did not heed its interruption. A defect
		// of the work itself is a bug that must be seen.
		if body.HasDies() {
			return ActivationFailed[K]{key, body.WithoutInterrupts().Elect()}
		}
		return ActivationInterrupted[K]{key, cutShort}
	}
	if stop != 0 {
		finalizer = finalizer.WithoutInterrupts()
	}
	if !finalizer.IsEmpty() {
		body = body.Combine(finalizer).Elect()
	}
	if body.IsEmpty() {
		return ActivationSucceeded[K]{key}
	}
	return ActivationFailed[K]{key, body}
}
