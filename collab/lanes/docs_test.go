package lanes

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

func TestMain(m *testing.M) {
	flag.Parse()
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue {
		_ = checks.Value.Set("2000") // a history takes about a millisecond
	}
	os.Exit(m.Run())
}

// tests is the names of the tests in this folder.
func tests(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range parsed.Decls {
			if f, ok := declared.(*ast.FuncDecl); ok && f.Recv == nil {
				names[f.Name.Name] = true
			}
		}
	}
	return names
}

func text(t *testing.T, file string) string {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestEveryTestThatTheDocsNameExists(t *testing.T) {
	declared := tests(t)
	for _, file := range []string{"doc.go", filepath.Join("..", "..", "docs", "behaviour-lanes.md")} {
		named := regexp.MustCompile(`\bTest[A-Z]\w+`).FindAllString(text(t, file), -1)
		if len(named) == 0 {
			t.Errorf("%s names no test", file)
		}
		for _, name := range named {
			if !declared[name] {
				t.Errorf("%s names %s, which does not exist", file, name)
			}
		}
	}
}

func TestEveryGuaranteeNamesItsTest(t *testing.T) {
	guarantees := regexp.MustCompile(`(?m)^//\s+(\d+)\. [^:]+:`).FindAllStringSubmatchIndex(text(t, "doc.go"), -1)
	if len(guarantees) < 10 {
		t.Fatalf("found %d guarantees", len(guarantees))
	}
	doc := text(t, "doc.go")
	for i, at := range guarantees {
		end := len(doc)
		if i+1 < len(guarantees) {
			end = guarantees[i+1][0]
		}
		if number := doc[at[2]:at[3]]; number != fmt.Sprint(i+1) || !regexp.MustCompile(`\(Test\w+\)`).MatchString(doc[at[0]:end]) {
			t.Errorf("guarantee %s, the %dth: no test, or out of order", number, i+1)
		}
	}
}

func TestEveryScenarioIsInTheBehaviourDocument(t *testing.T) {
	doc := text(t, filepath.Join("..", "..", "docs", "behaviour-lanes.md"))
	var ids []string
	for i := 1; i <= 9; i++ {
		ids = append(ids, fmt.Sprintf("LN-%d", i))
	}
	for i := 1; i <= 17; i++ {
		ids = append(ids, fmt.Sprintf("LA-%d", i))
	}
	ids = append(ids, "S40", "N01", "N02", "N04", "N06", "N07", "N09")
	for i := 100; i <= 108; i++ {
		ids = append(ids, fmt.Sprintf("S%d", i))
	}
	for _, id := range ids {
		if !regexp.MustCompile(id + `\b`).MatchString(doc) {
			t.Errorf("%s is not in it", id)
		}
	}
}
