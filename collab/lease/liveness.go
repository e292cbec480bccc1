package lease

import "github.com/rivus/agentkit/platform"

// Silent is the reason of a takeover from a holder that is not known to be dead: it did not renew for a whole TTL.
const Silent = "the holder did not renew for a whole TTL"

// HolderLiveness judges a lease's holder from what the observer sees of the holder's pid: found is the process that has it now,
// if alive says that there is one. It is [platform.JudgeHolder], the rule for every record that names a process.
func HolderLiveness(holder, observer, found platform.ProcessIdentity, alive bool) platform.Judgement {
	return platform.JudgeHolder(holder, observer, found, alive)
}
