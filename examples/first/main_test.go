package main

import (
	"os"
	"strings"
	"testing"
)

func Example() {
	dir, err := os.MkdirTemp("", "first-*")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Chdir(dir); err != nil {
		panic(err)
	}
	main()
	main()
	// Output:
	// saved with token 1
	// refused: token 1 is in use
	// saved with token 2
	// refused: token 2 is in use
}

// The README shows this program and its output as they are.
func TestTheReadmeShowsThisProgram(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	_, program, _ := strings.Cut(string(source), "\nfunc main")
	if !strings.Contains(string(readme), "```go\nfunc main"+program+"```") {
		t.Error("the program in the README differs from main.go")
	}
}
