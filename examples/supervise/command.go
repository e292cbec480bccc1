package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

// run runs a command to its end, and what is left of its process group with it. It fails with *exec.ExitError when the command
// does. It is plain Go that honours its context, and so an effect that can be interrupted.
func run(command []string, token lease.Token, grace time.Duration) effect.Effect[effect.Unit] {
	return effect.TryCall(func(ctx context.Context) error {
		c := exec.CommandContext(ctx, command[0], command[1:]...)
		c.Env = append(os.Environ(), "LEASE_KEY="+token.Key, "LEASE_TOKEN="+strconv.FormatInt(token.Generation, 10))
		c.SysProcAttr = ownGroup() // a Ctrl-C in the terminal is the supervisor's to act on
		c.WaitDelay = grace
		c.Cancel = func() error {
			if _, asked := errors.AsType[*effect.Signaled](context.Cause(ctx)); asked {
				return endGroup(c.Process)
			}
			return killGroup(c.Process) // the lease is lost: somebody else may begin
		}
		out, in, err := os.Pipe()
		if err != nil {
			return err
		}
		defer out.Close()
		c.Stdout, c.Stderr = in, in
		err = c.Start()
		_ = in.Close() // the command has it now
		if err != nil {
			return err
		}
		passed := make(chan struct{})
		go func() {
			defer close(passed)
			pass(out, token.Key+"| ")
		}()
		err = c.Wait()
		_ = killGroup(c.Process)                             // while somebody is left in it, the id of the group is nobody else's
		_ = out.SetReadDeadline(time.Now().Add(time.Second)) // a process that left the group may keep the pipe open
		<-passed
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return err
	})
}

// pass passes on what a command says, line by line.
func pass(out io.Reader, prefix string) {
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadString('\n')
		if line != "" {
			fmt.Println(prefix + strings.TrimSuffix(line, "\n"))
		}
		if err != nil {
			return
		}
	}
}
