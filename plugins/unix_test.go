//go:build unix

package plugins

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"hermes/agent/event"
)

// gone reports whether no process has that id. One that only waits to be
// collected by its parent counts as gone.
func gone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(stat), ") Z ")
}

// litter leaves processes behind in every way: a child, a child in a session
// of its own, a daemon whose parent has ended, a fork without exec. It writes
// their ids into the file that it is given.
const litter = `
import os, subprocess, sys, time, threading

def run(args, **kw):
    pids = [subprocess.Popen(["sleep", "600"]).pid,
            subprocess.Popen(["sleep", "600"], start_new_session=True).pid]
    out = subprocess.run([sys.executable, "-c",
        "import subprocess; print(subprocess.Popen(['sleep', '600'], start_new_session=True, stdout=subprocess.DEVNULL).pid)"],
        stdout=subprocess.PIPE)
    pids.append(int(out.stdout))
    pid = os.fork()
    if pid == 0:
        time.sleep(600)
        os._exit(0)
    pids += [pid, os.getpid(), os.getppid()]
    threading.Thread(target=time.sleep, args=(600,)).start()
    with open(args["to"] + ".tmp", "w") as f:
        f.write(" ".join(map(str, pids)))
    os.rename(args["to"] + ".tmp", args["to"])
    if args.get("stay"):
        time.sleep(600)
    return "done"

def register(ctx):
    ctx.register_tool("litter", "x", {"name": "litter", "description": "d"}, run)
`

func pidsIn(t *testing.T, file string) []int {
	t.Helper()
	waitFor(t, func() bool { _, err := os.Stat(file); return err == nil })
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, f := range strings.Fields(string(data)) {
		n, err := strconv.Atoi(f)
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, n)
	}
	if len(pids) < 6 {
		t.Fatalf("only %v", pids)
	}
	return pids
}

func TestCloseLeavesNothingBehind(t *testing.T) {
	r := rigWith(t, map[string]string{"litter": litter}, nil).start()
	file := filepath.Join(t.TempDir(), "pids")
	r.call("litter", `{"to": "`+file+`"}`)
	pids := pidsIn(t, file)
	r.Close(context.Background())
	for _, pid := range pids {
		if !gone(pid) {
			t.Errorf("process %d of %v is left", pid, pids)
		}
	}
}

func TestADeadHostLeavesNothingBehind(t *testing.T) {
	r := rigWith(t, map[string]string{"litter": litter, "good": good}, nil).start()
	file := filepath.Join(t.TempDir(), "pids")
	r.call("litter", `{"to": "`+file+`"}`)
	pids := pidsIn(t, file)
	kill(t, pids[4]) // the one that runs plugins
	await(r, func(e event.HostState) bool { return e.State == event.HostReady && e.Restarts == 1 })
	for _, pid := range pids {
		if !gone(pid) {
			t.Errorf("process %d of %v is left", pid, pids)
		}
	}
	r.wantGood()
}

// cpuTicks is the processor time that a process has used, in clock ticks of
// 10 ms.
func cpuTicks(t *testing.T, pid int) int {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Skipf("no /proc: %v", err)
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return user + system
}

// Both processes of an idle host sleep: a loop would show as ticks that go up
// as fast as the clock, also on a busy machine.
func TestIdleHostUsesNoProcessorTime(t *testing.T) {
	r := rigWith(t, map[string]string{"good": good}, nil).start()
	r.wantGood()
	runner := await(r, func(e event.HostState) bool { return e.State == event.HostReady }).Pid
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", runner))
	if err != nil {
		t.Skipf("no /proc: %v", err)
	}
	waiter, _ := strconv.Atoi(strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))[1])
	waitFor(t, func() bool { // the first moments set things up
		before := cpuTicks(t, waiter) + cpuTicks(t, runner)
		time.Sleep(250 * time.Millisecond)
		return cpuTicks(t, waiter)+cpuTicks(t, runner) <= before+1
	})
}

// helperEnv makes the test binary play a program that dies.
const helperEnv = "HERMES_TEST_HELPER"

// TestHelperProgram is no test: it is what the one below starts.
func TestHelperProgram(t *testing.T) {
	file := os.Getenv(helperEnv)
	if file == "" {
		t.Skip("only as a helper of another test")
	}
	r := rigWith(t, map[string]string{"litter": litter}, nil).start()
	_, _ = r.try("litter", `{"to": "`+file+`", "stay": true}`) // killed meanwhile
}

func TestNothingOutlivesTheProgram(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pids")
	cmd := exec.Command(os.Args[0], "-test.run=^TestHelperProgram$")
	cmd.Env = append(os.Environ(), helperEnv+"="+file)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		for s := bufio.NewScanner(out); s.Scan(); {
			if strings.Contains(s.Text(), "FAIL") {
				t.Error(s.Text())
			}
		}
	}()
	pids := pidsIn(t, file)
	kill(t, cmd.Process.Pid)
	_ = cmd.Wait() // it was killed
	for _, pid := range pids {
		waitFor(t, func() bool { return gone(pid) })
	}
}
