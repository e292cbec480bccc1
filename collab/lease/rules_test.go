package lease

import (
	"math"
	"testing"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform"
)

var (
	here  = platform.ProcessIdentity{Host: "here", BootID: "boot-1", PID: 100, StartTime: 1000}
	holds = Record{Key: "k", Generation: 3, Revision: 7, Holder: &here, HolderID: "id-1", RenewedAt: time.UnixMilli(5)}
	tomb  = Record{Key: "k", Generation: 3, Revision: 8, RenewedAt: time.UnixMilli(6)}
)

// LD-1
func TestReleaseLeavesATombstoneAndTheNextAcquisitionTakesTheNextGeneration(t *testing.T) {
	first := acquired(mo.None[Record](), "k", here, "id-1", time.UnixMilli(1))
	if first.Generation != 1 || first.Revision != 1 {
		t.Fatalf("first acquisition is generation %d revision %d, want 1 and 1", first.Generation, first.Revision)
	}
	grave := released(renewed(first, time.UnixMilli(2)), time.UnixMilli(3))
	if want := (Record{Key: "k", Generation: 1, Revision: 3, RenewedAt: time.UnixMilli(3)}); grave != want {
		t.Fatalf("tombstone is %+v, want %+v", grave, want)
	}
	second := acquired(mo.Some(grave), "k", here, "id-2", time.UnixMilli(4))
	if second.Generation != 2 || second.Revision != 4 || second.HolderID != "id-2" {
		t.Fatalf("second acquisition is %+v, want generation 2 revision 4", second)
	}
}

// LD-3
func TestAnAcquisitionIsRecognisedByItsIDAndGenerationTogether(t *testing.T) {
	for name, c := range map[string]struct {
		record     Record
		generation int64
		id         string
		want       bool
	}{
		"its own":                           {holds, 3, "id-1", true},
		"same process, newer acquisition":   {holds, 3, "id-0", false},
		"same id, another generation (ABA)": {holds, 2, "id-1", false},
		"tombstone":                         {tomb, 3, "", false},
	} {
		if got := c.record.heldBy(c.generation, c.id); got != c.want {
			t.Errorf("%s: heldBy = %v, want %v", name, got, c.want)
		}
	}
}

// LD-4
func TestRecordsThatBreakAnInvariantAreRefused(t *testing.T) {
	with := func(change func(*Record)) Record {
		r := holds
		change(&r)
		return r
	}
	for name, c := range map[string]struct {
		record Record
		valid  bool
	}{
		"held":                      {holds, true},
		"tombstone":                 {tomb, true},
		"revision = generation":     {with(func(r *Record) { r.Revision = 3 }), true},
		"largest counters":          {with(func(r *Record) { r.Generation, r.Revision = MaxCounter, MaxCounter }), true},
		"empty key":                 {with(func(r *Record) { r.Key = "" }), false},
		"generation 0":              {with(func(r *Record) { r.Generation = 0 }), false},
		"generation too large":      {with(func(r *Record) { r.Generation, r.Revision = MaxCounter+1, MaxCounter+1 }), false},
		"revision below generation": {with(func(r *Record) { r.Revision = 2 }), false},
		"revision too large":        {with(func(r *Record) { r.Revision = MaxCounter + 1 }), false},
		"holder without id":         {with(func(r *Record) { r.HolderID = "" }), false},
		"id without holder":         {with(func(r *Record) { r.Holder = nil }), false},
	} {
		err := c.record.Validate()
		if (err == nil) != c.valid {
			t.Errorf("%s: Validate() = %v, want valid %v", name, err, c.valid)
		}
		if failure, ok := errors.AsType[*RepositoryFailure](err); err != nil && (!ok || failure.Reason != InvalidRecord) {
			t.Errorf("%s: Validate() = %#v, want reason invalid-record", name, err)
		}
	}
}

// LD-5
func TestAnObserverTimesARevisionFromWhenItFirstSawIt(t *testing.T) {
	const ttl = 10 * time.Second
	seen := Observation{}.Observe(holds, time.Minute, 0)
	if again := seen.Observe(holds, time.Minute+5*time.Second, 0); again != seen {
		t.Errorf("observing the same revision moved the observation from %+v to %+v", seen, again)
	}
	next := renewed(holds, time.UnixMilli(9))
	if moved := seen.Observe(next, 2*time.Minute, 0); moved.FirstSeen != 2*time.Minute || moved.Revision != next.Revision {
		t.Errorf("observing a new revision gave %+v, want it first seen now", moved)
	}
	for name, c := range map[string]struct {
		record Record
		now    time.Duration
		want   bool
	}{
		"just seen":              {holds, time.Minute, true},
		"one ns before the ttl":  {holds, time.Minute + ttl - 1, true},
		"exactly at the ttl":     {holds, time.Minute + ttl, false},
		"a revision never seen":  {next, time.Hour, true},
		"a tombstone, just seen": {tomb, time.Minute, false},
		"renewedAt says nothing": {holds, time.Minute + 1, true},
	} {
		if got := IsFresh(c.record, seen, c.now, ttl); got != c.want {
			t.Errorf("%s: IsFresh = %v, want %v", name, got, c.want)
		}
	}
}

// D04, the rule
func TestASuspendRestartsAnObservation(t *testing.T) {
	seen := Observation{}.Observe(holds, time.Minute, time.Second)
	if o := seen.Observe(holds, time.Minute+time.Second, time.Second+suspendTolerance); o != seen {
		t.Errorf("jitter between the clocks restarted the observation: %+v", o)
	}
	if o := seen.Observe(holds, time.Minute+time.Second, 10*time.Minute); o.FirstSeen != time.Minute+time.Second {
		t.Errorf("after ten minutes of sleep the revision counts as first seen at %v, want now", o.FirstSeen)
	}
}

// LD-2, LD-6
func TestALeaseCanBeAcquiredWhenReleasedOrDeadOrSilent(t *testing.T) {
	const unknown, alive, dead = platform.LivenessUnknown, platform.LivenessAlive, platform.LivenessDead
	for _, c := range []struct {
		record   Record
		liveness platform.Liveness
		fresh    bool
		want     bool
	}{
		{tomb, unknown, false, true},
		{holds, alive, true, false},
		{holds, unknown, true, false},
		{holds, dead, true, true},
		{holds, alive, false, true},
		{holds, unknown, false, true},
		{holds, dead, false, true},
	} {
		if got := CanAcquire(c.record, c.liveness, c.fresh); got != c.want {
			t.Errorf("CanAcquire(released %v, %v, fresh %v) = %v, want %v", c.record.Released(), c.liveness, c.fresh, got, c.want)
		}
	}
}

// LD-7 (S63)
func TestAHolderIsTheSameProcessOnlyIfHostBootPidAndStartTimeAllMatch(t *testing.T) {
	with := func(change func(*platform.ProcessIdentity)) platform.ProcessIdentity {
		p := here
		change(&p)
		return p
	}
	for name, c := range map[string]struct {
		holder, found platform.ProcessIdentity
		alive         bool
		want          platform.Liveness
	}{
		"running":           {here, here, true, platform.LivenessAlive},
		"another host":      {with(func(p *platform.ProcessIdentity) { p.Host = "there" }), platform.ProcessIdentity{}, false, platform.LivenessUnknown},
		"an older boot":     {with(func(p *platform.ProcessIdentity) { p.BootID = "boot-0" }), here, true, platform.LivenessDead},
		"the pid is free":   {here, platform.ProcessIdentity{}, false, platform.LivenessDead},
		"the pid is reused": {here, with(func(p *platform.ProcessIdentity) { p.StartTime++ }), true, platform.LivenessDead},
	} {
		if got := HolderLiveness(c.holder, here, c.found, c.alive); got.Liveness != c.want {
			t.Errorf("%s: HolderLiveness = %v, want %v", name, got, c.want)
		}
	}
}

// LD-8 (S62)
func TestTheNextTokenIsOneAfterTheRecordAndAFenceRefusesOnlyOlderOnes(t *testing.T) {
	if got := NextToken(mo.None[Record](), "k"); got != (Token{"k", 1}) {
		t.Errorf("NextToken without a record = %v, want k#1", got)
	}
	if got := NextToken(mo.Some(tomb), "k"); got != (Token{"k", 4}) {
		t.Errorf("NextToken over generation 3 = %v, want k#4", got)
	}
	none := mo.None[Token]()
	last := mo.Some(Token{"k", 5})
	for _, c := range []struct {
		last    mo.Option[Token]
		token   Token
		refused bool
	}{
		{none, Token{"k", 1}, false},
		{last, Token{"k", 4}, true},
		{last, Token{"k", 5}, false},
		{last, Token{"k", 6}, false},
		{last, Token{"other", 1}, false},
	} {
		got, err := CheckFence(c.last, c.token)
		if !c.refused {
			if err != nil || got != c.token {
				t.Errorf("CheckFence(%v, %v) = %v, %v; want the token accepted", c.last, c.token, got, err)
			}
			continue
		}
		rejected, ok := errors.AsType[*FenceRejected](err)
		if !ok || rejected.Generation != 4 || rejected.Current != mo.Some[int64](5) {
			t.Errorf("CheckFence(%v, %v) = %v, want it rejected with current 5", c.last, c.token, err)
		}
	}
}

// LD-9, LM-15 (S65)
func TestTimingMustBePositiveAndLeaveRoomForASecondHeartbeat(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		config Config
		valid  bool
	}{
		{Config{TTL: 60 * s, Heartbeat: 15 * s}, true},
		{Config{TTL: 2 * s, Heartbeat: s}, true},
		{Config{TTL: 2*s - 1, Heartbeat: s}, false},
		{Config{TTL: 60 * s, Heartbeat: 15 * s, Retry: mo.Some[time.Duration](1)}, true},
		{Config{TTL: 60 * s, Heartbeat: 15 * s, Retry: mo.Some[time.Duration](-1)}, false},
		{Config{TTL: 60 * s, Heartbeat: 15 * s, Retry: mo.Some[time.Duration](0)}, false},
		{Config{TTL: math.MaxInt64, Heartbeat: math.MaxInt64 / 2}, true},
		{Config{TTL: 60 * s}, false},
		{Config{Heartbeat: s}, false},
		{Config{TTL: -60 * s, Heartbeat: -15 * s}, false},
		{Config{TTL: math.MaxInt64, Heartbeat: math.MaxInt64}, false},
	} {
		m, err := NewManager(NewMemory(), c.config)
		if (err == nil) != c.valid {
			t.Errorf("NewManager(%+v) = %v, want valid %v", c.config, err, c.valid)
		}
		if _, ok := errors.AsType[*ConfigInvalid](err); err != nil && !ok {
			t.Errorf("NewManager(%+v) failed with %T, want *ConfigInvalid", c.config, err)
		}
		if err == nil && c.config.Retry.IsAbsent() && m.config.Retry != mo.Some(c.config.Heartbeat) {
			t.Errorf("Retry defaults to %v, want the heartbeat %v", m.config.Retry, c.config.Heartbeat)
		}
	}
	if _, err := NewManager(nil, Config{TTL: 60 * s, Heartbeat: s}); err == nil {
		t.Error("NewManager without a repository succeeded")
	}
	if _, err := NewManager(NewMemory(), Config{TTL: 60 * s, Heartbeat: s, Platform: &platform.Platform{}}); err == nil {
		t.Error("NewManager over an empty platform succeeded")
	}
}

// A TTL for ever must not be over at once because a sum of times has no room for it.
func TestTheLongestTTLIsNotOverAtOnce(t *testing.T) {
	m, err := NewManager(NewMemory(), Config{TTL: math.MaxInt64, Heartbeat: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	l := &Lease{manager: m, confirmed: time.Minute}
	if left := l.leftLocked(time.Hour); left < 100*365*24*time.Hour {
		t.Errorf("%v are left of it", left)
	}
}

// LD-10
func TestALossIsNamedByTheRecordTheLoserFinds(t *testing.T) {
	for want, found := range map[LossReason]mo.Option[Record]{
		Missing: mo.None[Record](), ReleasedElsewhere: mo.Some(tomb), TakenOver: mo.Some(holds),
	} {
		if got := lossReason(found); got != want {
			t.Errorf("lossReason(%v) = %q, want %q", found, got, want)
		}
	}
}

// LD-11, C07 as a rule
func TestAHolderGivesUpBeforeOthersMayTakeTheLease(t *testing.T) {
	const ttl = 2 * time.Second
	if holderExpired(time.Minute, time.Minute+ttl-1, ttl) || !holderExpired(time.Minute, time.Minute+ttl, ttl) {
		t.Error("a holder expires at exactly one ttl after its last confirmed renewal")
	}
	for _, ttl := range []time.Duration{2, 20 * time.Millisecond, ttl, time.Minute, time.Hour} {
		if got := renewDeadline(ttl); got > ttl || got < ttl*9/10 || ttl >= 20*time.Millisecond && got == ttl {
			t.Errorf("renewDeadline(%v) = %v, want a little less", ttl, got)
		}
	}
}
