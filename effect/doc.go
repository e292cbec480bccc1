// Package effect describes programs as values and runs them with structured concurrency, scoped resources and typed failures.
//
// An [Effect] is a description of work. Nothing happens until it is run:
//
//	greet := effect.Gen(func(do effect.Do) (string, error) {
//		name := do.Await(readName)            // another effect: its value, or the end of this one
//		file := do.Try(os.Open(name + ".txt")) // a Go call that returns (T, error)
//		defer file.Close()
//		return describe(file)
//	})
//	text, err := greet.Retry(policy).Timeout(time.Second).Run(ctx)
//
// # How it ends
//
// A run ends with a value or with a cause, an [Exit]. A cause lists failures (expected errors), defects (panics) and
// interruptions; see package errors. [Effect.Catch] and its relatives see failures only. A panic in any function given to this
// package is a defect of the effect that called it. It does not crash the process, unless it happens on a goroutine that the
// function started by itself.
//
// # Contexts
//
// What Go code inside an effect needs to know, its context tells it: whether it is interrupted, and which values and services
// surround it. Blocking code that honours its context is interruptible. A [Do] is such a context, and so is what [Try] hands to
// its function.
//
//   - [Effect.Run] is a boundary, at the root and inside an effect alike: it has a fiber of its own, and nothing it started
//     runs on when it returns.
//   - [Await] continues the fiber around it: the direct style of functions that an effect calls.
//   - A region that cannot be interrupted has a context that is never done and has no deadline.
//
// # Fibers
//
// A fiber is what can be interrupted and what owns children. A forked fiber is a goroutine. Its children end with it: when its
// own program is over they are interrupted, all at once, and awaited. Only then is its exit visible.
//
// An interruption from outside cannot be caught where the fiber is interruptible: handlers are skipped and finalizers run.
//
// # Methods and functions
//
// A combinator whose result wraps A again, such as Effect[Exit[A]], is a function, for the compiler refuses such a method as
// an instantiation cycle: [ExitOf], [OptionOf], [ResultOf], [Fork], [Zip], [All]. The others are methods.
// Inference does not look at the expected result: write Fail[string](err).
//
// Some methods have a type parameter that only names the type of a function they take, as Catch[H ~func(error) Effect[A]]
// does. Read it as the function's type; it is always inferred. It keeps programs quick to compile: a method without a type
// parameter is compiled for every A that a program mentions, a generic one only where it is called.
//
// # Gotchas
//
//   - The value of an interruptible [Try] is lost when an interruption is pending at its end. Open what must be closed in
//     [AcquireRelease].
//   - A pending interruption at a fiber's end replaces its success.
//   - What waits for an inner effect costs stack: a loop of e = e.FlatMap(f), or recursion inside the effect whose value a
//     FlatMap waits for. It may be millions deep, at about 130 bytes a level. Recursion through f, to the right, costs none.
//
// The semantics are those of Effect (TypeScript) version 4.
package effect
