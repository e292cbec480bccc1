package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
)

// kind is what a worker tells its parent. At a checkpoint it waits for an answer: there the parent may kill or stop it.
type kind string

const (
	took      kind = "took"
	computing kind = "computing" // checkpoint
	computed  kind = "computed"  // checkpoint: between computing and writing, outside any transaction
	wrote     kind = "wrote"
	refused   kind = "refused" // checkpoint
)

// event is a line from a worker.
type event struct {
	Worker int    `json:"worker"`
	Kind   kind   `json:"kind"`
	File   string `json:"file"`
	Token  int64  `json:"token"`
	From   int    `json:"from,omitempty"` // the process that a lease was taken over from
	Reason string `json:"reason,omitempty"`
	By     string `json:"by,omitempty"` // what refused a write: lease or table
}

// answer is a line to a worker.
type answer string

const (
	goOn   answer = "go on"
	insist answer = "insist" // write all the same, as a process that knows nothing of leases would
)

// wire is a worker's side of the conversation.
type wire struct {
	answers <-chan answer
	out     *json.Encoder
}

func newWire(in io.Reader, out io.Writer) *wire {
	answers := make(chan answer)
	go func() {
		defer close(answers) // the parent is gone
		for lines := bufio.NewScanner(in); lines.Scan(); {
			answers <- answer(lines.Text())
		}
	}()
	return &wire{answers, json.NewEncoder(out)}
}

func (w *wire) tell(e event) error { return w.out.Encode(e) }

// ask tells e and waits for the answer.
func (w *wire) ask(ctx context.Context, e event) (answer, error) {
	if err := w.tell(e); err != nil {
		return "", err
	}
	select {
	case a, ok := <-w.answers:
		if !ok {
			return "", io.ErrUnexpectedEOF
		}
		return a, nil
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}
