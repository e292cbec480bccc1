package platform

import "context"

// Immediate runs body inside a BEGIN IMMEDIATE transaction of conn and commits. After any error, that of BEGIN or COMMIT
// included, the transaction is rolled back before the error is returned, so that no lock stays behind: an interrupted
// BEGIN can fail with the transaction open. A panic rolls back too. The rollback is not interrupted.
//
// It fails with body's error, or with [*SQLiteFailure]; use [SQLiteFailure.Busy] to tell that another process is writing.
func Immediate(ctx context.Context, conn SQLiteConn, body func(context.Context) error) error {
	done := false
	defer func() {
		if !done {
			// The error that led here is the one worth reporting; this one says at most that nothing was open.
			_, _ = conn.Exec(context.WithoutCancel(ctx), "ROLLBACK")
		}
	}()
	if _, err := conn.Exec(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if err := body(ctx); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, "COMMIT"); err != nil {
		return err
	}
	done = true
	return nil
}
