//go:build linux

package bench

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// tree returns a process and all that descend from it.
func tree(root int) []int {
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is valid
	for _, file := range stats {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if parent, ok := parentOf(file); ok {
			children[parent] = append(children[parent], pid)
		}
	}
	out := []int{root}
	for i := 0; i < len(out); i++ {
		out = append(out, children[out[i]]...)
	}
	return out
}

// parentOf reads the parent's id; the name before it may hold anything.
func parentOf(stat string) (int, bool) {
	b, err := os.ReadFile(stat)
	if err != nil {
		return 0, false // it ended
	}
	fields := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
	if len(fields) < 2 {
		return 0, false
	}
	parent, err := strconv.Atoi(fields[1])
	return parent, err == nil
}

// pss returns the proportional memory of processes, in MiB.
func pss(pids []int) (float64, error) {
	total := 0
	for _, pid := range pids {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
		if err != nil {
			continue // it ended
		}
		for sc := bufio.NewScanner(bytes.NewReader(b)); sc.Scan(); {
			if rest, ok := strings.CutPrefix(sc.Text(), "Pss:"); ok {
				kb, err := strconv.Atoi(strings.Fields(rest)[0])
				if err != nil {
					return 0, fmt.Errorf("read memory of %d: %w", pid, err)
				}
				total += kb
			}
		}
	}
	return float64(total) / 1024, nil
}

// busy returns the time that the threads of processes have run.
func busy(pids []int) time.Duration {
	var total time.Duration
	for _, pid := range pids {
		files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid)) // the pattern is valid
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				continue // the thread ended
			}
			if fields := strings.Fields(string(b)); len(fields) > 0 {
				ns, _ := strconv.ParseInt(fields[0], 10, 64)
				total += time.Duration(ns)
			}
		}
	}
	return total
}

// load is the load average of the last minute, "" when it cannot be read.
func load() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	return strings.Fields(string(b))[0]
}
