package repocheck

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// What a method of Effect mentions without a type parameter is compiled again in every package, for every type of effect there:
// one careless signature makes each program slow to compile. Time cannot be tested, but the number of functions can.
func TestAProgramWithOneTypeOfEffectCompilesFewFunctions(t *testing.T) {
	const most = 600                          // 401 when this was written; a Layer in a signature made it 2,666
	dir, err := os.MkdirTemp(".", "weight-*") // inside the module, so that the import is found
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	source := `package main

import (
	"context"

	"github.com/rivus/agentkit/effect"
)

type value struct{ n int }

func main() { _, _ = effect.Succeed(value{1}).Run(context.Background()) }
`
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	listing, err := exec.Command("go", "build", "-gcflags=-S", "-o", os.DevNull, "./"+dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, listing)
	}
	if n := bytes.Count(listing, []byte(" STEXT ")); n == 0 || n > most {
		t.Errorf("%d functions; want at most %d", n, most)
	}
}
