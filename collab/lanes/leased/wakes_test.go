package leased_test

import (
	"context"
	"errors"
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
