package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/rivus/agentkit/effect"
)

// notDone is the failure to hand a job over. The job is still one's own.
type notDone struct{ err error }

func (e *notDone) Error() string {
	return fmt.Sprintf("the holder of the lock did not do it: %v", e.err)
}

func (e *notDone) Unwrap() error { return e.err }

// handOver has the holder of the lock do the job, and waits until it is done. A holder that dies half-way does not answer: then
// somebody does the job again.
func (p program) handOver(job string) effect.Effect[effect.Unit] {
	ask := func(ctx context.Context) (string, error) {
		conn, err := new(net.Dialer).DialContext(ctx, "unix", p.socket)
		if err != nil {
			return "", err
		}
		defer conn.Close()
		defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
		if _, err := fmt.Fprintf(conn, "%q\n", job); err != nil {
			return "", err
		}
		fmt.Printf("pid %d hands %q over\n", os.Getpid(), job)
		return bufio.NewReader(conn).ReadString('\n')
	}
	return effect.Try(ask).MapError(func(err error) error { return &notDone{err} }).Map(func(answer string) effect.Unit {
		fmt.Print(answer)
		return effect.Unit{}
	})
}

// serve does the job that another start sends. One that sends nothing is left alone.
func (p program) serve(conn net.Conn) effect.Effect[effect.Unit] {
	return effect.Gen(func(do effect.Do) (none effect.Unit, _ error) {
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(time.Second))
		line, err := bufio.NewReader(conn).ReadString('\n')
		if err != nil {
			return none, nil
		}
		job, err := strconv.Unquote(line[:len(line)-1])
		if err != nil {
			return none, nil
		}
		do.Await(p.perform(job))
		_ = conn.SetDeadline(time.Now().Add(time.Second))
		_, _ = fmt.Fprintf(conn, "pid %d has done %q\n", os.Getpid(), job) // a start that is gone does not hear it
		return none, nil
	})
}
