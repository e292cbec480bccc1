package lease

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rivus/agentkit/errors"
)

func TestKeyFileNamesAreThoseOfTheGoldenTable(t *testing.T) {
	data, err := os.ReadFile("testdata/golden/key-file-names.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		Key, Name string
		Length    int
	}
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors) < 20 {
		t.Fatalf("the table has %d rows", len(vectors))
	}
	for _, v := range vectors {
		if got := FileName(v.Key); got != v.Name || len(got) != v.Length {
			t.Errorf("FileName(%q) = %q (%d), want %q (%d)", v.Key, got, len(got), v.Name, v.Length)
		}
	}
}

// B11, the rule
func TestKeysThatStoresCannotKeepApartAreRefused(t *testing.T) {
	for key, valid := range map[string]bool{
		"": false, "a\x00b": false, "\x00": false, "\xff": false, "ok\xc3": false, "\xed\xa0\x80": false,
		".": true, "../../x": true, "a/b": true, strings.Repeat("x", 10_000): true, "é": true, "e\u0301": true,
		"x?y": true, "x#y": true, "x%2Fy": true, "\n": true, "\ufeff": true,
	} {
		err := ValidateKey(key)
		if _, ok := errors.AsType[*KeyInvalid](err); (err == nil) != valid || err != nil && !ok {
			t.Errorf("ValidateKey(%.20q) = %v, want valid %v", key, err, valid)
		}
		if err != nil && len(err.Error()) > 300 {
			t.Errorf("the message for %.20q is %d bytes long", key, len(err.Error()))
		}
	}
}

func FuzzKeyFileNamesStayInTheirFolderAndApart(f *testing.F) {
	f.Add("a/b", "a_b")
	f.Add(strings.Repeat("x", 999)+"a", strings.Repeat("x", 999)+"b")
	f.Add("é", "e\u0301")
	f.Fuzz(func(t *testing.T, a, b string) {
		nameA, nameB := FileName(a), FileName(b)
		if len(nameA) > 200 || nameA != "" && filepath.Base(nameA) != nameA || strings.ContainsAny(nameA, "./\\\x00") {
			t.Errorf("FileName(%q) = %q leaves the folder or is too long", a, nameA)
		}
		if (a == b) != (nameA == nameB) {
			t.Errorf("%q and %q share the name %q", a, b, nameA)
		}
	})
}
