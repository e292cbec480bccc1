package processlock

// MaxDatabasePath is the longest path of a SQLite lock, for tests at the limit.
const MaxDatabasePath = maxDatabasePath
