package collab

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/rivus/agentkit/collab/lease"
	"github.com/rivus/agentkit/collab/processlock"
	"github.com/rivus/agentkit/effect"
)

// What crosses processes is measured with real ones: this program, started once
// more in another role, which the environment names.
const (
	roleVariable = "AGENTKIT_BENCH_ROLE"
	pathVariable = "AGENTKIT_BENCH_PATH"

	roleHoldLock  = "hold-lock"  // holds the lock until it is killed
	roleTakeTurns = "take-turns" // takes and releases it, line by line
	roleHoldLease = "hold-lease" // holds the lease until it is killed
	roleContend   = "contend"    // takes and releases the lease until it is killed
)

// RunRole does what a process started in another role has to do, and never
// returns then. A program that measures calls it first.
func RunRole() {
	role := os.Getenv(roleVariable)
	if role == "" {
		return
	}
	if err := play(role, os.Getenv(pathVariable)); err != nil {
		fmt.Fprintln(os.Stderr, role+":", err)
		os.Exit(1)
	}
	os.Exit(0)
}

func play(role, path string) error {
	switch role {
	case roleHoldLock:
		if _, err := processlock.Take(context.Background(), path, processlock.Options{}); err != nil {
			return err
		}
		fmt.Println("held")
		_, err := io.Copy(io.Discard, os.Stdin) // until the parent goes away
		return err
	case roleTakeTurns:
		return takeTurns(path)
	case roleHoldLease:
		return leased(path, lease.Wait, func() effect.Effect[unit] {
			fmt.Println("held")
			return effect.Never[unit]()
		})
	case roleContend:
		for {
			if err := leased(path, lease.Wait, func() effect.Effect[unit] {
				fmt.Println("turn")
				return effect.Succeed(unit{})
			}); err != nil {
				return err
			}
		}
	}
	return fmt.Errorf("there is no such role")
}

// takeTurns waits for the lock at each line it is sent, answers with the time it
// got it, and releases it at the next line.
func takeTurns(path string) error {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		lock, err := processlock.Take(context.Background(), path, processlock.Options{Wait: true})
		if err != nil {
			return err
		}
		fmt.Println(time.Now().UnixNano())
		lines.Scan()
		if err := lock.Release(); err != nil {
			return err
		}
		fmt.Println("released")
	}
	return lines.Err()
}

// A process is another one of this program.
type process struct {
	command *exec.Cmd
	input   io.WriteCloser
	lines   *bufio.Scanner
}

func start(role, path string) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &process{command: exec.Command(self)}
	p.command.Env = append(os.Environ(), roleVariable+"="+role, pathVariable+"="+path)
	p.command.Stderr = os.Stderr
	if p.input, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	output, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.lines = bufio.NewScanner(output)
	return p, p.command.Start()
}

// next is the next line that the process writes.
func (p *process) next() (string, error) {
	if !p.lines.Scan() {
		return "", fmt.Errorf("the other process has ended: %w", p.lines.Err())
	}
	return p.lines.Text(), nil
}

// nextTime is the next line as a time.
func (p *process) nextTime() (time.Time, error) {
	line, err := p.next()
	if err != nil {
		return time.Time{}, err
	}
	nanos, err := strconv.ParseInt(line, 10, 64)
	return time.Unix(0, nanos), err
}

// send sends an empty line.
func (p *process) send() error {
	_, err := io.WriteString(p.input, "\n")
	return err
}

// kill ends the process as an accident would, and waits until it is gone.
func (p *process) kill() {
	_ = p.command.Process.Kill()
	_ = p.command.Wait()
}
