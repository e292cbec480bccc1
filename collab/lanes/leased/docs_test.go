package leased_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestEveryTestThatTheDocsNameExists(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var tests strings.Builder
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tests.Write(content)
	}
	named := regexp.MustCompile(`\bTest[A-Z]\w+`).FindAllString(string(doc), -1)
	if len(named) < 5 {
		t.Errorf("doc.go names %d tests; want one for each guarantee", len(named))
	}
	for _, name := range named {
		if !strings.Contains(tests.String(), "func "+name+"(t *testing.T)") {
			t.Errorf("doc.go names %s, which does not exist", name)
		}
	}
}
