//go:build unix

package main

import (
	"bufio"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rivus/agentkit/platform/platformtest"
)

// The test binary is the program too.
func TestMain(m *testing.M) {
	platformtest.Main(m, map[string]platformtest.Program{"fenced-sqlite": func(args []string, _ *bufio.Scanner) error {
		os.Args = append([]string{"fenced-sqlite"}, args...)
		os.Stderr = os.Stdout // the test reads both
		main()
		return nil
	}})
}

// notes are the rows of the database.
func notes(t *testing.T, dir string) (texts []string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "notes.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT text FROM notes ORDER BY rowid`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return texts
}

func TestTheWriteOfAStaleOwnerIsRefused(t *testing.T) {
	dir := t.TempDir()
	stale := platformtest.Start(t, "fenced-sqlite", "-dir", dir, "-ttl", "1s")
	stale.Expect("token 1; a note, please:")
	stale.Stop(filepath.Join(dir, "leases.db"))

	successor := platformtest.Start(t, "fenced-sqlite", "-dir", dir, "-ttl", "1s")
	successor.Expect("token 2; a note, please:")
	successor.Send("right")
	successor.Expect("written with token 2")
	if err := successor.Wait(); err != nil {
		t.Error(err)
	}

	stale.Continue()
	stale.Send("too late")
	if line := stale.Line(); !strings.Contains(line, `token 1 of lease "notes" is refused: generation 2 is current`) {
		t.Errorf("it says %q", line)
	}
	if err := stale.Wait(); err == nil {
		t.Error("its exit status is 0")
	}
	if got := notes(t, dir); !slices.Equal(got, []string{"right"}) {
		t.Errorf("the notes are %q", got)
	}
}

func TestTheNextOwnerWritesAtOnceWhenTheLeaseWasGivenBack(t *testing.T) {
	dir := t.TempDir()
	for _, note := range []string{"one", "two"} {
		c := platformtest.Start(t, "fenced-sqlite", "-dir", dir, "-ttl", "1h")
		c.Line()
		c.Send(note)
		c.Line()
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
	}
	if got := notes(t, dir); !slices.Equal(got, []string{"one", "two"}) {
		t.Errorf("the notes are %q", got)
	}
}
