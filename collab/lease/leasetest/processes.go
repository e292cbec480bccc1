package leasetest

import (
	"bufio"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform/platformtest"
)

// Programs are the child processes of the contract, for platformtest.Main.
func Programs(stores ...Store) map[string]platformtest.Program {
	programs := map[string]platformtest.Program{}
	for _, s := range stores {
		for name, body := range bodies {
			programs[s.program(name)] = func(args []string, commands *bufio.Scanner) error {
				repository, closed, err := s.Open(context.Background(), args[0])
				if err != nil {
					return err
				}
				fmt.Println("open")
				return errors.Join(body(repository, commands), closed())
			}
		}
	}
	return programs
}

func (s Store) program(name string) string { return "leasetest " + s.Name + " " + name }

// start starts a child that opens the location of o.
func (o *opened) start(program string) *platformtest.Child {
	child := platformtest.Start(o.t, o.store.program(program), o.location)
	child.Expect("open")
	return child
}

// bodies are what the children do with the repository. They obey a line at a time.
var bodies = map[string]func(repository lease.Repository, commands *bufio.Scanner) error{
	"raise": func(repository lease.Repository, commands *bufio.Scanner) error {
		commands.Scan()
		wrote, err := raise(context.Background(), repository, "k", raises)
		for _, revision := range wrote {
			fmt.Println(revision)
		}
		return err
	},
	"write": func(repository lease.Repository, commands *bufio.Scanner) error {
		commands.Scan()
		for {
			wrote, err := raise(context.Background(), repository, "k", 1)
			if err != nil {
				return err
			}
			fmt.Println(wrote[0])
		}
	},
	"hold": func(repository lease.Repository, commands *bufio.Scanner) error {
		release, err := repository.Fence(context.Background(), "k")
		if err != nil {
			return err
		}
		fmt.Println("held")
		commands.Scan()
		return release()
	},
	"enter": func(repository lease.Repository, commands *bufio.Scanner) error {
		commands.Scan()
		marker := commands.Text()
		for range entries {
			if err := enter(repository, marker); err != nil {
				fmt.Println(err)
				return nil
			}
		}
		fmt.Println("done")
		return nil
	},
}

const (
	processes = 4
	raises    = 20
	entries   = 10
)

// enter passes the fence once. The marker is there exactly while somebody is inside.
func enter(repository lease.Repository, marker string) error {
	release, err := repository.Fence(context.Background(), "k")
	if err != nil {
		return err
	}
	f, err := os.OpenFile(marker, os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return errors.Join(errors.New("another process is inside the fence"), release())
	}
	if err == nil {
		time.Sleep(time.Millisecond)
		err = errors.Join(f.Close(), os.Remove(marker))
	}
	return errors.Join(err, release())
}

func concurrentProcesses(ctx context.Context, o *opened) error {
	var children []*platformtest.Child
	for range processes {
		children = append(children, o.start("raise"))
	}
	for _, child := range children {
		child.Send("go")
	}
	var wrote []int64
	for _, child := range children {
		for range raises {
			revision, err := strconv.ParseInt(child.Line(), 10, 64)
			if err != nil {
				return err
			}
			wrote = append(wrote, revision)
		}
	}
	return o.noneLost(ctx, "k", wrote)
}

func fencedProcesses(_ context.Context, o *opened) error {
	marker := filepath.Join(o.t.TempDir(), "inside")
	var children []*platformtest.Child
	for range processes {
		children = append(children, o.start("enter"))
	}
	for _, child := range children {
		child.Send(marker)
	}
	for _, child := range children {
		if line := child.Line(); line != "done" {
			return errors.New(line)
		}
	}
	return nil
}

func killedHolder(ctx context.Context, o *opened) error {
	child := o.start("hold")
	child.Expect("held")
	if err := o.fenceHeld(ctx, "k"); err != nil {
		return err
	}
	child.Kill()
	release, err := o.fenceSoon(ctx, "k")
	if err != nil {
		return fmt.Errorf("the fence of a killed process is not free: %w", err)
	}
	return release()
}

func killedWriter(ctx context.Context, o *opened) error {
	for round := range 3 {
		child := o.start("write")
		child.Send("go")
		last := int64(0)
		for range 5 + 7*round {
			revision, err := strconv.ParseInt(child.Line(), 10, 64)
			if err != nil {
				return err
			}
			last = revision
		}
		child.Kill()
		if o.store.Age != nil {
			o.store.Age(o.t, o.location)
		}
		r, found, err := o.repository.Load(ctx, "k")
		if err != nil || !found || r.Revision < last {
			return fmt.Errorf("a writer that had reported revision %d was killed: found %v, revision %d, %v", last, found, r.Revision, err)
		}
		if wrote, err := raise(ctx, o.repository, "k", 1); err != nil || wrote[0] != r.Revision+1 {
			return fmt.Errorf("the write after the crash = %v, %v; want revision %d", wrote, err, r.Revision+1)
		}
	}
	return nil
}
