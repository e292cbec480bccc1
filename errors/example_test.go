package errors_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/rivus/agentkit/errors"
)

// Held is a failure of a lock.
type Held struct {
	Path  string
	Since time.Time
}

func (e *Held) Tag() string { return "Held" }

func (e *Held) Error() string {
	return fmt.Sprintf("%s is held since %s; wait, or stop the holder", e.Path, e.Since.Format(time.TimeOnly))
}

func ExampleTagged() {
	err := fmt.Errorf("start the daemon: %w", &Held{"daemon.lock", time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)})
	if held, ok := errors.AsType[*Held](err); ok {
		fmt.Println(held.Tag(), "-", held)
	}
	// Output: Held - daemon.lock is held since 12:00:00; wait, or stop the holder
}

func ExampleTagOf() {
	tag, ok := errors.TagOf(fmt.Errorf("start: %w", &Held{}))
	fmt.Println(tag, ok)
	// Output: Held true
}

func ExampleCause() {
	cause := errors.FailCause(errors.New("connection lost")).Combine(errors.DieCause("nil map"))
	fmt.Println(cause)
	fmt.Printf("%+v\n", cause)
	// Output:
	// connection lost; defect: nil map
	// failure: connection lost
	// defect: nil map
}

func ExampleCause_Squash() {
	cause := errors.NewCause(errors.Interrupt{By: 3}, errors.Fail{Err: errors.New("disk full")})
	fmt.Println(cause.Squash())
	// Output: disk full
}

func ExampleCause_Combine() {
	body := errors.FailCause(errors.ErrUnsupported)
	fmt.Println(body.Combine(body).Combine(errors.DieCause("bug in the finalizer")))
	// Output: unsupported operation; defect: bug in the finalizer
}

func ExampleCause_MarshalJSON() {
	out, _ := json.Marshal(errors.FailCause(&Held{Path: "daemon.lock"}))
	fmt.Println(string(out))
	// Output: [{"_tag":"Fail","tag":"Held","error":"daemon.lock is held since 00:00:00; wait, or stop the holder"}]
}

func ExampleInterrupt() {
	err := errors.NewCause(errors.Interrupt{Kind: context.Canceled, Err: errors.New("shutting down")}).AsError()
	fmt.Println(err)
	fmt.Println(errors.Is(err, context.Canceled))
	// Output:
	// interrupted: shutting down
	// true
}

func ExampleIsType() {
	transient := errors.IsType[*fs.PathError]
	_, err := os.Open("/no/such/file")
	fmt.Println(transient(fmt.Errorf("load: %w", err)), transient(errors.New("something else")))
	// Output: true false
}
