package platform_test

import (
	"context"
	"database/sql/driver"
)

// exec runs a statement on a connection of the driver.
func exec(c driver.Conn, sql string) error {
	_, err := c.(driver.ExecerContext).ExecContext(context.Background(), sql, nil)
	return err
}
