package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/scope"
)

// process is a worker, seen from the parent.
type process struct {
	number  int
	command *exec.Cmd
	answers io.WriteCloser
	heard   chan<- news
	quit    chan struct{} // closed when nobody hears any more
	ended   chan struct{} // closed when the process is gone and waited for
}

// news is what a worker said, or that it is gone.
type news struct {
	event
	at   time.Time
	gone bool
	exit *os.ProcessState // how, when it is gone
}

// start runs a worker of this program, and kills it when the scope closes.
func start(c config, number int, heard chan<- news) effect.Effect[*process] {
	open := effect.Try(func(context.Context) (*process, error) {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		command := exec.Command(self, "-workers", strconv.Itoa(c.workers), "-ttl", c.ttl.String(), "-without", c.without,
			"-worker", strconv.Itoa(number), "-store", c.store)
		if !c.own {
			command.Args = append(command.Args, "-dir", c.dir)
		}
		command.Stderr = os.Stderr
		command.SysProcAttr = ownGroup() // what a terminal sends to all, such as Ctrl-C, is the parent's to act on
		answers, err := command.StdinPipe()
		if err != nil {
			return nil, err
		}
		said, err := command.StdoutPipe()
		if err != nil {
			return nil, err
		}
		if err := command.Start(); err != nil {
			return nil, err
		}
		p := &process{number, command, answers, heard, make(chan struct{}), make(chan struct{})}
		go p.listen(said)
		return p, nil
	})
	return effect.AcquireRelease(open, func(p *process, _ scope.Exit) effect.Effect[effect.Unit] {
		return effect.Call(func() {
			close(p.quit)
			_ = p.command.Process.Kill() // it may be gone already
			<-p.ended
		})
	})
}

func (p *process) listen(said io.Reader) {
	defer close(p.ended)
	for lines := bufio.NewScanner(said); lines.Scan(); {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) == nil { // the last line of a killed process may be cut off
			p.pass(news{event: e})
		}
	}
	_ = p.command.Wait() // its outcome is in the state
	p.pass(news{event: event{Worker: p.number}, gone: true, exit: p.command.ProcessState})
}

func (p *process) pass(n news) {
	n.at = time.Now()
	select {
	case p.heard <- n:
	case <-p.quit:
	}
}

// answer lets the worker go on from its checkpoint. A worker that is gone does not hear it.
func (p *process) answer(a answer) { _, _ = fmt.Fprintln(p.answers, a) }
