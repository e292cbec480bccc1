package cron_test

import (
	"slices"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/cron"
	"github.com/rivus/agentkit/effect/effecttest"
	"github.com/rivus/agentkit/errors"
)

// runs are the times of the first n runs of a repeat that begins at the given time.
func runs(t *testing.T, expression string, zone *time.Location, begin time.Time, n int) (at []string) {
	t.Helper()
	s, err := cron.Parse(expression, zone)
	if err != nil {
		t.Fatal(err)
	}
	effecttest.Bubble(t, func(t *testing.T) {
		time.Sleep(time.Until(begin))
		work := effect.Call(func() {
			at = append(at, time.Now().In(begin.Location()).Format(time.RFC3339))
		})
		effect.RunExit(t.Context(), work.Schedule(s.Times(n)))
	})
	return at
}

func wantRuns(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("it runs at %q; want %q", got, want)
	}
}

var begin = time.Date(2026, time.March, 27, 9, 15, 30, 0, time.UTC) // a Friday

func TestItRecursAtTheTimesOfTheExpression(t *testing.T) {
	wantRuns(t, runs(t, "30 9 * * 1-5", nil, begin, 3), "2026-03-27T09:30:00Z", "2026-03-30T09:30:00Z", "2026-03-31T09:30:00Z")
}

func TestSixFieldsBeginWithTheSeconds(t *testing.T) {
	wantRuns(t, runs(t, "*/20 * * * * *", nil, begin, 3), "2026-03-27T09:15:40Z", "2026-03-27T09:16:00Z", "2026-03-27T09:16:20Z")
}

func TestTheTimesAreThoseOfTheZone(t *testing.T) {
	wantRuns(t, runs(t, "0 12 * * *", time.FixedZone("", 2*60*60), begin, 1), "2026-03-27T10:00:00Z")
}

func TestATimeThatNeverComesIsTheEnd(t *testing.T) {
	wantRuns(t, runs(t, "0 0 30 2 *", nil, begin, 3))
}

func TestAWrongExpressionIsRefusedWithWhatIsExpected(t *testing.T) {
	_, err := cron.Parse("61 * * * *", nil)
	refused, ok := errors.AsType[*cron.ParseError](err)
	if !ok || refused.Expression != "61 * * * *" || refused.Tag() != "CronParseError" {
		t.Errorf("got %v", err)
	}
}

func FuzzParseNeitherPanicsNorGoesBack(f *testing.F) {
	f.Add("30 9 * * 1-5")
	f.Add("*/20 * * * * *")
	f.Add("@every 90s")
	f.Add("0 0 30 2 *")
	f.Add("TZ=UTC 1-2/3 , * * *")
	f.Fuzz(func(t *testing.T, expression string) {
		s, err := cron.Parse(expression, nil)
		if err != nil {
			if _, ok := errors.AsType[*cron.ParseError](err); !ok {
				t.Errorf("an error of type %T: %v", err, err)
			}
			return
		}
		var delay time.Duration = 1
		asked := s.Times(1).Tap(func(m effect.ScheduleMetadata[time.Duration]) effect.Effect[effect.Unit] {
			delay = m.Delay
			return effect.Succeed(effect.Unit{})
		}).ModifyDelay(func(effect.ScheduleMetadata[time.Duration]) effect.Effect[time.Duration] {
			return effect.Succeed(time.Duration(0))
		})
		effect.RunExit(t.Context(), effect.Succeed(1).Repeat(asked))
		if delay <= 0 {
			t.Errorf("%q has the delay %v", expression, delay)
		}
	})
}

func berlin(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func TestATimeThatDoesNotExistIsSkipped(t *testing.T) {
	before := time.Date(2026, time.March, 28, 12, 0, 0, 0, berlin(t)) // 02:00 to 03:00 is missing on the 29th
	wantRuns(t, runs(t, "30 2 * * *", berlin(t), before, 1), "2026-03-30T02:30:00+02:00")
}

func TestATimeThatComesTwiceRecursTwice(t *testing.T) {
	before := time.Date(2026, time.October, 24, 12, 0, 0, 0, berlin(t)) // 02:00 to 03:00 comes twice on the 25th
	wantRuns(t, runs(t, "30 2 * * *", berlin(t), before, 3), "2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00", "2026-10-26T02:30:00+01:00")
}
