package processlock

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

func TestTheListOfBehavioursNamesTheTestsThereAre(t *testing.T) {
	list, err := os.ReadFile("../../docs/behaviour-processlock.md")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, match := range regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9]+)`").FindAllStringSubmatch(string(list), -1) {
		named[match[1]] = true
	}
	there := map[string]bool{"TestMain": true, t.Name(): true}
	for _, folder := range []string{".", "../../platform", "../../platform/platformtest"} {
		files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("the tests in %s: %v, %v", folder, files, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, match := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)[A-Za-z0-9]+)\(`).FindAllStringSubmatch(string(text), -1) {
				there[match[1]] = true
				if !named[match[1]] && match[1] != "TestMain" && match[1] != t.Name() {
					t.Errorf("%s in %s is not in the list", match[1], file)
				}
			}
		}
	}
	for name := range named {
		if !there[name] {
			t.Errorf("the list names %s, which does not exist", name)
		}
	}
}
