// Package config reads and changes the user's settings: config.yaml and .env
// below the home folder, shared both ways with the reference.
//
// A Config is a snapshot: it never changes after Load, and any goroutine may
// ask it. Values are resolved when they are asked for, by YAML 1.1 rules
// (package yaml11), with ${NAME} expanded. Changes go through Edit and SetEnv,
// which take a lock, read again, change and replace the file, and leave
// comments, order and everything they were not asked to touch as it is
// (decision D50).
//
// The package prints nothing. What a user should be told is a Notice or an
// error with a text in every language.
package config
