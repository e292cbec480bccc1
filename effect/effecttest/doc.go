// Package effecttest tests effects: it runs them under virtual time, records what they do, and compares the record with what
// was expected.
//
//	func TestTimeoutReleasesTheResource(t *testing.T) {
//		effecttest.Bubble(t, func(t *testing.T) {
//			trace := effecttest.NewTimed()
//			exit := effect.RunExit(t.Context(), program(trace))
//			got := effecttest.Recording{Trace: trace.Lines(), Exit: trace.JSON(exit)}
//			if err := effecttest.Compare(want, got, effecttest.Forced); err != nil {
//				t.Error(err)
//			}
//		})
//	}
//
// # Virtual time
//
// [Bubble] and [Run] use testing/synctest: time moves only when every goroutine of the test waits, so that a test of an hour's
// timeout takes no time and ends the same each time. A goroutine that is left over fails the test. Inside a bubble t.Run,
// t.Parallel and t.Deadline must not be called, and everything that the test waits for must belong to the bubble.
//
// # Traces
//
// A [Trace] is a list of lines. [Trace.Log] is the effect that appends one, [Trace.Add] does it for plain Go. Values, exits and
// causes have one text form ([Trace.Text]); fibers that were given a name appear under it.
//
// [Compare] says whether two recordings agree, as far as their [Order] promises.
package effecttest
