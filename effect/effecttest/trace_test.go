package effecttest_test

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/scope"
	"github.com/samber/mo"
)

// notFound is a tagged failure that may have a message.
type notFound struct {
	ID      int
	message string
}

func (*notFound) Tag() string     { return "NotFound" }
func (e *notFound) Error() string { return e.message }

// code is a failure that is a number.
type code int

func (c code) Error() string { return fmt.Sprint("code ", int(c)) }

type record struct {
	ID        int
	UserName  string
	forgotten bool
}

func TestTextIsTheFormOfTraces(t *testing.T) {
	trace := effecttest.New()
	for _, c := range []struct {
		value any
		want  string
	}{
		{nil, "void"},
		{effect.Unit{}, "void"},
		{"text", "text"},
		{7, "7"},
		{true, "true"},
		{1500 * time.Millisecond, "1500"},
		{[]int{1, 2}, "[1,2]"},
		{[]string{}, "[]"},
		{effect.Pair[int, string]{First: 1, Second: "x"}, "[1,x]"},
		{record{ID: 1, UserName: "ada", forgotten: true}, "{id:1,userName:ada}"},
		{map[string]int{"b": 2, "a": 1}, "{a:1,b:2}"},
		{mo.Some("x"), "Some(x)"},
		{mo.None[int](), "None"},
		{mo.Ok([]int{1}), "Ok([1])"},
		{mo.Err[int](effecttest.Err("e")), "Err(e)"},
		{effecttest.Err("e"), "e"},
		{code(7), "code 7"},
		{io.EOF, "Error(EOF)"},
		{&notFound{ID: 7}, "NotFound{id:7}"},
		{&notFound{ID: 7, message: "no user 7"}, "NotFound(no user 7)"},
		{errors.NewCause(), "[]"},
		{errors.NewCause(errors.Fail{Err: effecttest.Err("e")}, errors.Die{Defect: io.EOF}, errors.Interrupt{}),
			"[Fail(e), Die(Error(EOF)), Interrupt(none)]"},
		{errors.InterruptCause(errors.InternalFiber), "[Interrupt(-1)]"},
		{effect.ExitSucceed(mo.Some(1)), "Success(Some(1))"},
		{effect.ExitSucceed(effect.Unit{}), "Success(void)"},
		{effect.ExitFail[int](effecttest.Err("e")), "Failure[Fail(e)]"},
		{scope.Exit{Value: 1}, "Success(1)"},
		{scope.Exit{Cause: errors.DieCause("d")}, "Failure[Die(d)]"},
	} {
		if got := trace.Text(c.value); got != c.want {
			t.Errorf("%#v: got %q; want %q", c.value, got, c.want)
		}
	}
}

func TestJSONIsTheFormOfRecordedExits(t *testing.T) {
	type object = map[string]any
	trace := effecttest.New()
	trace.Name(5, "child")
	for _, c := range []struct{ value, want any }{
		{nil, nil},
		{effect.Unit{}, nil},
		{7, 7.0},
		{"x", "x"},
		{[]int{1}, []any{1.0}},
		{effect.Pair[int, string]{First: 1, Second: "x"}, []any{1.0, "x"}},
		{record{ID: 1, UserName: "ada"}, object{"id": 1.0, "userName": "ada"}},
		{map[string]int{"a": 1}, object{"a": 1.0}},
		{mo.None[int](), object{"_tag": "None"}},
		{mo.Some(1), object{"_tag": "Some", "value": 1.0}},
		{mo.Ok(1), object{"_tag": "Ok", "value": 1.0}},
		{mo.Err[int](code(2)), object{"_tag": "Err", "error": 2.0}},
		{io.EOF, object{"_tag": "Error", "message": "EOF"}},
		{&notFound{message: "m"}, object{"_tag": "NotFound", "message": "m"}},
		{effect.ExitSucceed(1), object{"_tag": "Success", "value": 1.0}},
		{effect.ExitFailCause[int](errors.NewCause(errors.Fail{Err: effecttest.Err("e")}, errors.Die{Defect: "d"}, errors.Interrupt{By: 5})),
			object{"_tag": "Failure", "cause": []any{
				object{"_tag": "Fail", "error": "e"},
				object{"_tag": "Die", "defect": "d"},
				object{"_tag": "Interrupt", "by": "child"},
			}}},
	} {
		if got := trace.JSON(c.value); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%#v: got %#v; want %#v", c.value, got, c.want)
		}
	}
}

func wantLines(t *testing.T, trace *effecttest.Trace, want ...string) {
	t.Helper()
	if got := trace.Lines(); !slices.Equal(got, want) {
		t.Errorf("got %q; want %q", got, want)
	}
}

func TestAFiberAppearsUnderTheNameThatItGetsLater(t *testing.T) {
	trace := effecttest.New()
	trace.Add(errors.InterruptCause(5), " ", errors.FiberID(6))
	wantLines(t, trace, "[Interrupt(#5)] #6")
	trace.Name(5, "child")
	wantLines(t, trace, "[Interrupt(child)] #6")
}

func TestNamesOfFibersWithTheSameDigitsAreKeptApart(t *testing.T) {
	trace := effecttest.New()
	trace.Name(1, "one")
	trace.Name(11, "eleven")
	trace.Add(errors.FiberID(1), " ", errors.FiberID(11))
	wantLines(t, trace, "one eleven")
}

func TestLogAddsALineEachTimeItRuns(t *testing.T) {
	trace := effecttest.New()
	log := trace.Log("n=", 1)
	wantLines(t, trace)
	effecttest.Run(t, log.AndThen(log))
	wantLines(t, trace, "n=1", "n=1")
}

func TestLogExitAndLogValueAddWhatAnEffectEndsWith(t *testing.T) {
	trace := effecttest.New()
	effecttest.Run(t, trace.LogExit(effect.Fail[int](effecttest.Err("e"))).
		AndThen(trace.LogExit(effect.Succeed(1))).
		AndThen(trace.LogValue(effect.Succeed(2))))
	wantLines(t, trace, "Failure[Fail(e)]", "Success(1)", "2")
}

func TestATimedTraceHasTheMillisecondsSinceItsStart(t *testing.T) {
	effecttest.Bubble(t, func(t *testing.T) {
		time.Sleep(time.Second)
		trace := effecttest.NewTimed()
		trace.Add("a")
		time.Sleep(1500 * time.Millisecond)
		trace.Add("b")
		wantLines(t, trace, "a@0", "b@1500")
	})
}

func TestForkNamesTheFiber(t *testing.T) {
	trace := effecttest.New()
	effecttest.Run(t, trace.Named("root", effect.Gen(func(do effect.Do) (u effect.Unit, _ error) {
		child := do.Await(trace.Fork("child", effect.Never[int]()))
		do.Await(child.Interrupt())
		trace.Add(do.Await(child.Await()), " of ", child.ID())
		return
	})))
	wantLines(t, trace, "Failure[Interrupt(root)] of child")
}
