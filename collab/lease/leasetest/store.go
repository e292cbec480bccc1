package leasetest

import (
	"context"
	"testing"

	"github.com/rivus/agentkit/collab/lease"
)

// A Store is a kind of repository under test.
type Store struct {
	// Name tells it from other stores of the test binary.
	Name string

	// Open opens the repository at a location; closed ends it. Repositories at one location share their records, those at
	// others do not. It is called in child processes too.
	Open func(ctx context.Context, location string) (repository lease.Repository, closed func() error, err error)

	// NewLocation makes an empty location. Defaults to a temporary directory of the test.
	NewLocation func(t testing.TB) string

	// Persistent says that records outlive the process and are shared by several. Without it the parts of the contract
	// about reopening and processes do not apply.
	Persistent bool

	// Age makes what a killed process left behind at a location look old, for a store that waits before it cleans that up.
	// Nil: it does not wait.
	Age func(t testing.TB, location string)

	// Foreign makes what is stored for key, in a location that has a record of it, of a version the repository does not know,
	// and returns a function that tells whether it is still as Foreign left it. Nil: the store has no versions.
	Foreign func(t testing.TB, location, key string) (untouched func() bool)
}

// opened is a repository at a location of its own.
type opened struct {
	t          testing.TB
	store      Store
	location   string
	repository lease.Repository
}

// open makes a new location and opens it.
func (s Store) open(t testing.TB) *opened {
	t.Helper()
	location := ""
	if s.NewLocation != nil {
		location = s.NewLocation(t)
	} else {
		location = t.TempDir()
	}
	return s.openAt(t, location)
}

func (s Store) openAt(t testing.TB, location string) *opened {
	t.Helper()
	repository, closed, err := s.Open(context.Background(), location)
	if err != nil {
		t.Fatalf("open %s at %s: %v", s.Name, location, err)
	}
	t.Cleanup(func() {
		if err := closed(); err != nil {
			t.Errorf("close %s: %v", s.Name, err)
		}
	})
	return &opened{t: t, store: s, location: location, repository: repository}
}
