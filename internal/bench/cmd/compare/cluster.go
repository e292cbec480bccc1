package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
)

// measureCluster runs the comparison with etcd and Kubernetes' client, which is
// a module of its own and takes minutes to compile.
func (r *report) measureCluster(o options) error {
	if !o.cluster {
		return nil
	}
	command := exec.Command("go", "run", ".", "-rounds", fmt.Sprint(o.rounds), "-round", o.round.String())
	command.Dir = "cluster"
	command.Stderr = os.Stderr
	output, err := command.Output()
	if err != nil {
		return fmt.Errorf("run the comparison in the folder cluster: %w", err)
	}
	r.cluster = string(output)
	return nil
}

func (r *report) writeCluster(w io.Writer) error {
	if r.cluster == "" {
		return nil
	}
	_, err := fmt.Fprintf(w, "\n## Beside a cluster\n\n%s", r.cluster)
	return err
}
