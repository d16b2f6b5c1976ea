//go:build unix && !linux

package proc

// member: without /proc only the group is known.
type member struct{ pid, group int }

func family(int, bool) []member { return nil }

// groupOf: a group whose leader is gone is left alone, its number may be
// another's by now.
func groupOf(int, []member) bool { return false }

func (m member) alive() bool { return false }
