package effect

// SubscriptionRef is a [SynchronizedRef] whose changes can be followed (Effect's SubscriptionRef).
type SubscriptionRef[A any] struct {
	SynchronizedRef[A]
	hub *PubSub[A]
}

// NewSubscriptionRef is a SubscriptionRef with a value.
func NewSubscriptionRef[A any](a A) *SubscriptionRef[A] {
	r := &SubscriptionRef[A]{hub: NewUnboundedPubSub[A](Replay(1))}
	r.turn, r.value.value = NewSemaphore(1), a
	r.changed = func(a A) { r.hub.PublishNow(a) }
	r.changed(a)
	return r
}

// Changes is a subscription to the value as it is now and to all that come after it, the same values again included, until the
// surrounding scope closes (Effect's changes). Without a scope it is the defect [NoScope].
func (r *SubscriptionRef[A]) Changes() Effect[*Subscription[A]] { return r.hub.Subscribe() }
