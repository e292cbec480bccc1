package leased_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rivus/agentkit/collab/lanes/leased"
	tagged "github.com/rivus/agentkit/errors"
	"github.com/rivus/agentkit/platform"
	"github.com/rivus/agentkit/scope"
)

func TestEveryStoreOfWakesKeepsTheContract(t *testing.T) {
	for name, open := range map[string]func(t *testing.T) leased.Wakes{
		"memory": func(*testing.T) leased.Wakes { return &leased.Memory{} },
		"sqlite": openWakes,
	} {
		t.Run(name, func(t *testing.T) {
			ctx, s := t.Context(), open(t)
			check := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			keys := func(want ...string) {
				t.Helper()
				got, err := s.Keys(ctx)
				check(err)
				if !slices.Equal(got, want) {
					t.Errorf("the keys are %q; want %q", got, want)
				}
			}
			for _, key := range []string{"b", "a", "ключ ☕"} {
				check(s.Note(ctx, key))
			}
			keys("b", "a", "ключ ☕")
			first, found, err := s.Find(ctx, "b")
			check(err)
			if !found {
				t.Fatal("b has no note")
			}
			check(s.Note(ctx, "b"))
			second, _, err := s.Find(ctx, "b")
			check(err)
			if first == second {
				t.Error("a ticket was used twice")
			}
			keys("b", "a", "ключ ☕") // b keeps its place
			check(s.Settle(ctx, "b", first))
			keys("b", "a", "ключ ☕") // a newer note stays
			check(s.Settle(ctx, "b", second))
			check(s.Settle(ctx, "b", second))
			check(s.Settle(ctx, "never noted", "x"))
			keys("a", "ключ ☕")
			if _, found, err := s.Find(ctx, "b"); found || err != nil {
				t.Errorf("b is found after it was settled, %v", err)
			}
			check(s.Note(ctx, "b"))
			keys("a", "ключ ☕", "b")
		})
	}
}

func openWakes(t *testing.T) leased.Wakes {
	s := scope.New()
	store, err := leased.OpenSQLite(filepath.Join(t.TempDir(), "wakes.db"), nil).Run(scope.Into(t.Context(), s))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(context.Background(), scope.Exit{}); err != nil {
			t.Error(err)
		}
		if _, err := store.Keys(context.Background()); err == nil {
			t.Error("a closed store answers")
		}
	})
	return store
}

func TestAStoreThatCannotBeOpenedSaysWhy(t *testing.T) {
	for name, row := range map[string]struct {
		path string
		p    *platform.Platform
		is   error
	}{
		"no such folder": {filepath.Join(t.TempDir(), "missing", "wakes.db"), nil, nil},
		"no SQLite":      {filepath.Join(t.TempDir(), "wakes.db"), &platform.Platform{}, errors.ErrUnsupported},
	} {
		_, err := leased.OpenSQLite(row.path, row.p).Scoped().Run(t.Context())
		f, ok := errors.AsType[*leased.StoreFailure](err)
		if !ok || f.Path != row.path || f.Tag() != "LaneStoreFailure" || row.is != nil && !errors.Is(err, row.is) {
			t.Errorf("%s: got %v", name, err)
		}
		if _, ok := tagged.TagOf(err); !ok {
			t.Errorf("%s: %v has no tag", name, err)
		}
	}
}

func TestWhatIsNoDatabaseOfWakesIsRefusedAndLeftAsItIs(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		os.Mkdir(at("folder"), 0o700), os.Symlink(at("target"), at("dangling")),
		os.WriteFile(at("empty"), nil, 0o600), os.Symlink(at("empty"), at("link")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	other, err := platform.OS().SQLite.Open(t.Context(), at("other"), platform.ReadWriteCreate)
	if err == nil {
		_, err = other.Exec(t.Context(), "CREATE TABLE users (name TEXT)")
	}
	if err := errors.Join(err, other.Close()); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(at("other"))
	for _, name := range []string{"folder", "dangling", "link", "other"} {
		_, err := leased.OpenSQLite(at(name), nil).Scoped().Run(t.Context())
		if f, ok := errors.AsType[*leased.StoreFailure](err); !ok || f.Operation != "open" {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if after, _ := os.ReadFile(at("other")); string(after) != string(before) {
		t.Error("the database of something else was changed")
	}
	if entries, err := os.ReadDir(dir); len(entries) != 5 || err != nil {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
	if info, err := os.Stat(at("empty")); err != nil || info.Size() > 0 {
		t.Errorf("the target of a link: %v, %v", info, err)
	}
}

// A note in a file that nobody else opens any more is not noted.
func TestAStoreThatWasRemovedOrReplacedIsNoticed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wakes.db")
	err := scope.Do(t.Context(), func(ctx context.Context, _ *scope.Scope) error {
		store, err := leased.OpenSQLite(path, nil).Run(ctx)
		if err != nil {
			return err
		}
		if err := store.Note(ctx, "a"); err != nil {
			return err
		}
		for _, harm := range []func() error{
			func() error { return os.Remove(path) }, func() error { return os.WriteFile(path, nil, 0o600) },
		} {
			if err := harm(); err != nil {
				return err
			}
			if f, ok := errors.AsType[*leased.StoreFailure](store.Note(ctx, "b")); !ok || f.Operation != "note" {
				t.Errorf("a note ends with %v", f)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
