package lease_test

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestTheListOfBehavioursNamesExactlyTheTestsThereAre(t *testing.T) {
	list, err := os.ReadFile("../../docs/behaviour-lease.md")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, match := range regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9]+)`").FindAllStringSubmatch(string(list), -1) {
		named[match[1]] = true
	}
	declared := map[string]bool{"TestMain": true}
	declaration := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)[A-Za-z0-9]+)\(`)
	err = fs.WalkDir(os.DirFS("."), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := os.ReadFile(path)
		for _, match := range declaration.FindAllStringSubmatch(string(data), -1) {
			declared[match[1]] = true
			if !named[match[1]] && match[1] != "TestMain" {
				t.Errorf("%s in %s is not in the list", match[1], path)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range named {
		if !declared[name] {
			t.Errorf("the list names %s, which does not exist", name)
		}
	}
}
