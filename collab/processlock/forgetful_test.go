//go:build unix

package processlock_test

import (
	"context"

	"github.com/rivus/agentkit/platform"
	"github.com/rivus/agentkit/platform/platformtest"
)

// forgetful is a platform whose SQLite executes nothing and reports success, as over a file system without locks.
func forgetful(fake *platformtest.Fake) *platform.Platform {
	p := fake.Platform()
	p.SQLite = &forgetfulSQLite{platform.OS().SQLite}
	return p
}

type forgetfulSQLite struct{ platform.SQLite }

func (s *forgetfulSQLite) Open(ctx context.Context, path string, mode platform.OpenMode) (platform.SQLiteConn, error) {
	c, err := s.SQLite.Open(ctx, path, mode)
	return forgetfulConn{c}, err
}

type forgetfulConn struct{ platform.SQLiteConn }

func (forgetfulConn) Exec(context.Context, string, ...any) (int64, error) { return 0, nil }
