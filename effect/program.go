package effect

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/rivus/agentkit/errors"
)

// Main runs e as the whole of a program and ends the process; it is what func main calls (Effect's runMain). It is
// [Program.Main] of the zero Program.
func Main[A any](e Effect[A]) { Program{}.Main(e) }

// Program says how [Program.Main] runs an effect as the whole of a program.
type Program struct {
	// Signals interrupt the effect. Defaults to os.Interrupt (Ctrl-C) and SIGTERM.
	Signals []os.Signal
	// Report is told why the program failed, unless it was only interrupted. Defaults to printing the cause's reasons and
	// stacks to the standard error.
	Report func(*errors.Cause)
	// Context is what the effect is run with. Defaults to context.Background().
	Context context.Context
}

// Main runs e and ends the process with [Program.Code].
func (p Program) Main[A any](e Effect[A]) { os.Exit(p.Code(e)) }

// Code runs e to its end and returns the exit code of a process that ran it:
//
//   - 0 when e succeeds;
//   - 128 and the signal's number, as a shell has it (130 for Ctrl-C, 143 for SIGTERM), when a signal interrupted e; 130 when
//     something else did;
//   - the ExitCode of the first failure, if it or an error that it wraps has such a method (as *exec.ExitError has) and the code is
//     above zero;
//   - 1 for every other failure and for defects.
//
// The first signal interrupts e: its finalizers run, and Code waits for them. A second one ends the process at once, for the
// signals then do again what they did before. The interruption has the cause [Signaled].
//
// What e started with [ForkDetach] dies with the process.
func (p Program) Code[A any](e Effect[A]) int {
	ctx, stop := p.listen()
	defer stop()
	cause := RunExit(ctx, e).Cause
	if cause != nil && !cause.HasInterruptsOnly() {
		p.report(cause)
	}
	return exitCode(cause, ctx)
}

// listen is a context that the first signal cancels. The signals are let go of then, or when stop is called.
func (p Program) listen() (_ context.Context, stop func()) {
	parent := p.Context
	if parent == nil {
		parent = context.Background()
	}
	watched := p.Signals
	if watched == nil {
		watched = []os.Signal{os.Interrupt, syscall.SIGTERM}
	}
	ctx, cancel := context.WithCancelCause(parent)
	arrived := make(chan os.Signal, 1)
	if len(watched) > 0 { // none would mean all of them
		signal.Notify(arrived, watched...)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case s := <-arrived:
			signal.Stop(arrived)
			cancel(&Signaled{s})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(arrived)
		cancel(nil)
		<-done
	}
}

func (p Program) report(cause *errors.Cause) {
	if p.Report != nil {
		p.Report(cause)
		return
	}
	_, _ = fmt.Fprintf(os.Stderr, "%+v\n", cause)
}

func exitCode(cause *errors.Cause, ctx context.Context) int {
	const failed, interrupted, signals = 1, 130, 128
	switch err, isFail := typedFail(cause); {
	case cause == nil:
		return 0
	case cause.HasInterruptsOnly():
		if s, ok := errors.AsType[*Signaled](context.Cause(ctx)); ok {
			if number, ok := s.Signal.(syscall.Signal); ok {
				return signals + int(number)
			}
		}
		return interrupted
	case isFail:
		if coded, ok := errors.AsType[interface {
			error
			ExitCode() int
		}](err); ok && coded.ExitCode() > 0 {
			return coded.ExitCode()
		}
	}
	return failed
}

// Signaled is the cause of the interruption of a [Program] by a signal of the operating system.
type Signaled struct {
	Signal os.Signal // what the system sent
}

// Tag is "Signaled".
func (e *Signaled) Tag() string { return "Signaled" }

// Error names the signal.
func (e *Signaled) Error() string {
	return fmt.Sprintf("the process received the signal %q and stops; a second one ends it at once", e.Signal)
}
