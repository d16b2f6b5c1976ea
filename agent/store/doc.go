// Package store keeps sessions in state.db, the SQLite database that the
// program shares with hermes-agent 0.19.0: same tables, same rows, both may
// have it open at once (decision D50).
//
// Stored means committed: a method that writes returns after its transaction
// is in the write-ahead log (WAL, synchronous=NORMAL). A killed process loses
// nothing that was committed; only a power cut may take the last commits, never
// the database.
//
// A Store is safe for concurrent use. Writes go one after another through one
// connection and wait for other processes as the reference does (a busy wait
// of one second, then up to 15 more tries with jitter); reads run beside them.
// Opening is lazy: Open touches nothing, the first use, or Warm, does.
package store
