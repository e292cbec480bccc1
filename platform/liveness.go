package platform

// Liveness is what an observer can say about the process that a record names.
type Liveness int

// The verdicts. Only LivenessDead is proof; a record's holder that is alive or unknown keeps what it holds.
const (
	// LivenessUnknown: the observer cannot tell. It is the zero value.
	LivenessUnknown Liveness = iota
	// LivenessAlive: the very process is running.
	LivenessAlive
	// LivenessDead: that process has ended.
	LivenessDead
)

// String returns "unknown", "alive" or "dead".
func (l Liveness) String() string {
	switch l {
	case LivenessAlive:
		return "alive"
	case LivenessDead:
		return "dead"
	default:
		return "unknown"
	}
}

// A Judgement is a liveness with the reason for it, in words for a person: "the holder's boot is over".
type Judgement struct {
	// Liveness is the verdict.
	Liveness Liveness
	// Reason says why.
	Reason string
}

// JudgeHolder says whether the process that a record names is alive, as seen by observer, where looking up the holder's
// pid gave found and alive (see [Processes.Identify]). It is a pure rule.
//
// A holder on another host is unknown. One of an earlier boot of this host is dead. A pid means something only inside
// its pid namespace, and a start time inside its time namespace, so a holder recorded in another one is unknown, unless
// its pid is gone from the observer's own namespace. A record that names no namespace is taken to be of the observer's.
func JudgeHolder(holder, observer, found ProcessIdentity, alive bool) Judgement {
	switch {
	case holder.Host != observer.Host:
		return Judgement{LivenessUnknown, "the holder is on another host"}
	case holder.BootID != observer.BootID:
		return Judgement{LivenessDead, "the holder's boot is over"}
	case differ(holder.PIDNamespace, observer.PIDNamespace):
		return Judgement{LivenessUnknown, "the holder is in another pid namespace"}
	case !alive:
		return Judgement{LivenessDead, "the holder's process is gone"}
	case differ(holder.TimeNamespace, observer.TimeNamespace):
		return Judgement{LivenessUnknown, "the holder is in another time namespace"}
	case !holder.Same(found):
		return Judgement{LivenessDead, "the holder's pid was reused"}
	default:
		return Judgement{LivenessAlive, "the holder is running"}
	}
}

// differ reports whether two namespaces are known to be different ones.
func differ(a, b uint64) bool { return a != 0 && b != 0 && a != b }

// ObserveHolder judges the holder by looking it up through processes, and only if the answer depends on that. A lookup
// that fails leaves the holder unknown. It fails with [*IdentityUnavailable] when this process's own identity, without
// which there is nothing to compare with, cannot be read.
func ObserveHolder(processes Processes, holder ProcessIdentity) (Judgement, error) {
	observer, err := processes.Self()
	if err != nil {
		return Judgement{}, err
	}
	// With the holder itself as the lookup's result, the rule says what it says without one.
	if j := JudgeHolder(holder, observer, holder, true); j.Liveness != LivenessAlive && !differ(holder.TimeNamespace, observer.TimeNamespace) {
		return j, nil
	}
	found, alive, err := processes.Identify(holder.PID)
	if err != nil {
		return Judgement{LivenessUnknown, err.Error()}, nil
	}
	return JudgeHolder(holder, observer, found, alive), nil
}
