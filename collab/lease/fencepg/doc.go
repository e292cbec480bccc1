// Package fencepg makes a PostgreSQL database refuse the late writes of a lease's former holders.
//
// It is a module of its own, so that programs that use leases with SQLite do not download anything for PostgreSQL. It needs no
// particular driver: any that database/sql takes will do.
//
//	err := l.RunFenced(func(token lease.Token) effect.Effect[effect.Unit] {
//		return effect.Try(func(ctx context.Context) (effect.Unit, error) {
//			tx, err := db.BeginTx(ctx, nil)
//			if err != nil {
//				return effect.Unit{}, err
//			}
//			defer tx.Rollback()
//			if err := fencepg.AdmitToken(ctx, tx, token); err != nil {
//				return effect.Unit{}, err // *lease.FenceRejected: somebody newer was here
//			}
//			... // writes
//			return effect.Unit{}, tx.Commit()
//		})
//	})
package fencepg
