package proc

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// member is a process as /proc shows it. The start time tells it from another
// one that got its number later.
type member struct {
	pid, parent, group, session int
	start                       string
}

// family returns the living processes of a child's session and, as long as it
// is not reaped, the child and its descendants, whatever session they went to.
func family(pid int, reaped bool) []member {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil
	}
	var all []member
	for _, path := range stats {
		m, ok := readMember(path)
		if ok && reaped && m.pid == pid {
			return nil // somebody else has the number: nobody of ours is left
		}
		if ok {
			all = append(all, m)
		}
	}
	in := map[int]bool{}
	for grew := true; grew; {
		grew = false
		for _, m := range all {
			ours := m.session == pid || in[m.parent] || (!reaped && m.pid == pid)
			if ours && !in[m.pid] {
				in[m.pid], grew = true, true
			}
		}
	}
	var out []member
	for _, m := range all {
		if in[m.pid] {
			out = append(out, m)
		}
	}
	return out
}

// groupOf reports whether one of all is in the group that pid led.
func groupOf(pid int, all []member) bool {
	for _, m := range all {
		if m.group == pid && m.alive() {
			return true
		}
	}
	return false
}

// left reports whether somebody of a reaped child's session still runs.
func left(pid int) bool { return len(family(pid, true)) > 0 }

// readMember reads a stat file; zombies do not count.
func readMember(path string) (member, bool) {
	b, err := os.ReadFile(path)
	if err != nil {
		return member{}, false // it ended in the meantime
	}
	open, end := bytes.IndexByte(b, '('), bytes.LastIndexByte(b, ')')
	if open < 0 || end < open {
		return member{}, false
	}
	f := bytes.Fields(b[end+1:]) // state ppid pgrp session … starttime is the 20th
	if len(f) < 20 || f[0][0] == 'Z' || f[0][0] == 'X' {
		return member{}, false
	}
	m := member{start: string(f[19])}
	for i, field := range []struct {
		to   *int
		text []byte
	}{{&m.pid, bytes.TrimSpace(b[:open])}, {&m.parent, f[1]}, {&m.group, f[2]}, {&m.session, f[3]}} {
		n, err := strconv.Atoi(string(field.text))
		if err != nil || (i == 0 && n <= 1) {
			return member{}, false
		}
		*field.to = n
	}
	return m, true
}

func (m member) alive() bool {
	now, ok := readMember("/proc/" + strconv.Itoa(m.pid) + "/stat")
	return ok && now.start == m.start
}
