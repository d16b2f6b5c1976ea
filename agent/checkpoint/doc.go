// Package checkpoint keeps snapshots of the folders that the agent works in, so
// that the user can go back (contract/core §7.11).
//
// Snapshots live in one bare git repository, <home>/checkpoints/store, which
// hermes-agent 0.19.0 shares: the ref refs/hermes/<id> of a folder, where id is
// the beginning of the SHA-256 of its absolute path, is a chain of commits, the
// newest first. indexes/<id> is the folder's index and projects/<id>.json its
// path. The user's own repository is never touched: git runs with the store as
// its GIT_DIR and without anybody's configuration.
//
// What builds make, dependencies and large files are left out, and so is
// whatever the project's .gitignore leaves out. What a snapshot does not hold
// is never changed or removed by going back to it.
//
// A Manager is safe for concurrent use; several processes may share a store.
package checkpoint
