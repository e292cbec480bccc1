// Command quickstart lets several processes divide the files of a folder among themselves by leases. One of them is killed
// while it works and another is frozen until its lease has been taken over; every result is written exactly once all the same.
//
//	go run ./examples/quickstart [-dir folder] [-workers n] [-ttl duration] [-json] [-without fence|token]
//
// The exit status is 0 when all of that happened and every result is right, 1 when not, 2 for a wrong call, and 130 when it
// was interrupted.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

// config is a run, as the command line asks for it. Workers get the same command line with -worker and -store added.
type config struct {
	dir     string
	own     bool // dir is not given: this repository's own Go files
	workers int
	ttl     time.Duration
	json    bool
	without string // the protection to leave out, to see the check fail

	worker int    // the number of the worker that this process is; 0 in the parent
	store  string // the folder of the two databases
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	c, err := parse(args, stderr)
	if err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		fmt.Fprintln(stderr, "quickstart:", err)
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	defer stop()
	program := parent(c, stdout)
	if c.worker > 0 {
		program = worker(c, newWire(os.Stdin, stdout))
	}
	// The root: everything below is a description, and this runs it.
	_, err = program.Run(ctx)
	switch {
	case ctx.Err() != nil:
		return 130
	case err != nil:
		fmt.Fprintln(stderr, "quickstart:", err)
		return 1
	}
	return 0
}

func parse(args []string, stderr io.Writer) (c config, err error) {
	flags := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&c.dir, "dir", "", "the `folder` whose files are divided (default: the Go files below this one)")
	flags.IntVar(&c.workers, "workers", 4, "how many processes, 3 to 16: one dies, one freezes, the others go on")
	flags.DurationVar(&c.ttl, "ttl", 2*time.Second, "how long a silent process keeps its lease, 200ms to 5s")
	flags.BoolVar(&c.json, "json", false, "print events and results as JSON lines")
	flags.StringVar(&c.without, "without", "", "leave out a protection, `fence` or token, and see the check fail")
	flags.IntVar(&c.worker, "worker", 0, "used by the parent")
	flags.StringVar(&c.store, "store", "", "used by the parent")
	if err := flags.Parse(args); err != nil {
		return c, err
	}
	c.own = c.dir == ""
	if c.own {
		c.dir = "."
	}
	switch info, err := os.Stat(c.dir); {
	case err != nil:
		return c, fmt.Errorf("-dir: %w", err)
	case !info.IsDir():
		return c, fmt.Errorf("-dir: %s is not a folder", c.dir)
	case flags.NArg() > 0:
		return c, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case c.workers < 3 || c.workers > 16:
		return c, fmt.Errorf("-workers is %d, it must be at least 3, since one dies and one freezes, and at most 16", c.workers)
	case c.worker < 0 || c.worker > 0 && c.store == "":
		return c, errors.New("-worker and -store are for the parent to use")
	case c.ttl < 200*time.Millisecond || c.ttl > 5*time.Second:
		return c, fmt.Errorf("-ttl is %v, it must be between 200ms and 5s", c.ttl)
	case c.without != "" && c.without != "fence" && c.without != "token":
		return c, fmt.Errorf("-without is %q, it must be fence or token", c.without)
	}
	c.dir, err = filepath.EvalSymlinks(c.dir)
	return c, err
}

// complaints is how many things that are wrong are named.
const complaints = 10

// parent is the whole program of the first process.
func parent(c config, stdout io.Writer) effect.Effect[effect.Unit] {
	return effect.Gen(func(do effect.Do) (none effect.Unit, err error) {
		files, skipped, err := list(c)
		do.Check(err)
		out := newTimeline(stdout, c)
		out.skipped(skipped)
		if len(files) == 0 {
			out.nothing()
			return none, nil
		}
		began := time.Now()
		story := do.Await(direct(c, files, out))
		want := do.Try(computeAll(do, c.dir, files))
		verdict := verify(c, story, want, func(file string) bool { return changedSince(c.dir, file, began) })
		out.table(story, want)
		out.verdict(story, verdict)
		if more := len(verdict) - complaints; more > 0 {
			verdict = append(verdict[:complaints], fmt.Errorf("and %d complaints more", more))
		}
		return none, errors.Join(verdict...)
	})
}
