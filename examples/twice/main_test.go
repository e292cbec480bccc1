package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// The test binary is the program too.
func TestMain(m *testing.M) {
	if os.Getenv("TWICE") != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

func TestBothProgramsPrintTheSame(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(self)
	command.Env = append(os.Environ(), "TWICE=1")
	got, err := command.CombinedOutput()
	if want := read(t, "output.txt"); string(got) != want || err != nil {
		t.Errorf("this one, %v:\n%s\nthe other one:\n%s", err, got, want)
	}
}

func TestBothProgramsHaveTheSamePartsInTheSameOrder(t *testing.T) {
	parts := func(name, pattern string) (found []string) {
		for _, part := range regexp.MustCompile(pattern).FindAllStringSubmatch(read(t, name), -1) {
			found = append(found, part[1])
		}
		return found
	}
	here, there := parts("main.go", `(?m)^(?:type|func|var) (\w+)`), parts("program.ts.txt", `(?m)^(?:class|const) (\w+)`)
	for _, name := range here {
		if len(there) > 0 && name == there[0] { // some need a part more here, such as a type
			there = there[1:]
		}
	}
	if len(there) > 0 {
		t.Errorf("in the order of the other program, this one lacks %q: it has %q", there, here)
	}
}
