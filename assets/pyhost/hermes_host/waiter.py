"""The half of the process that only waits (Unix).

It imports no plugin and holds no end of the channel, so that the program
notices at once when the other half is gone.
"""

import os
import select
import sys
import time

from .boot import LEAVE_LIMIT

PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h


def wait(pid, channel, wake, wake_write):
    """Wait for pid or for the end of the program; never returns.

    wake is readable when a child ended: the interpreter writes the signal's
    number to wake_write.
    """
    import _signal as signal

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    _close_all_but(channel.life, wake, wake_write)
    _become_subreaper()

    poll = select.poll()
    poll.register(channel.life, select.POLLIN | select.POLLHUP)
    poll.register(wake, select.POLLIN)
    status = None
    while status is None:
        ready = [fd for fd, _ in poll.poll()]
        if wake in ready:
            os.read(wake, 64)
            status = _reap(pid)
        if status is None and channel.life in ready:
            status = _let_leave(pid, wake)
    _end_descendants()
    os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))


def _close_all_but(*keep):
    """Let go of the channel and of the captured output."""
    first = 0
    for fd in sorted(keep):
        os.closerange(first, fd)
        first = fd + 1
    os.closerange(first, first + 256)


def _become_subreaper():
    """Orphans of plugins become children of this process (Linux)."""
    if not sys.platform.startswith("linux"):
        return
    try:
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    except Exception:
        pass  # a Python without ctypes: the process group is still ended


def _reap(pid):
    """Collect every child that ended; the status of pid, None while it runs."""
    status = None
    while True:
        try:
            done, code = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return status
        if done == 0:
            return status
        if done == pid:
            status = code


def _let_leave(pid, wake):
    """The program is gone: give the other half time to leave, then end it."""
    import _signal as signal

    poll = select.poll()
    poll.register(wake, select.POLLIN)
    end = time.monotonic() + LEAVE_LIMIT
    while True:
        left = end - time.monotonic()
        if left <= 0 or not poll.poll(int(left * 1000) + 1):
            break
        os.read(wake, 64)
        status = _reap(pid)
        if status is not None:
            return status
    try:
        os.kill(pid, signal.SIGKILL)
        return os.waitpid(pid, 0)[1]
    except (ProcessLookupError, ChildProcessError):
        return 0


def _end_descendants():
    """End every process below this one, also those that left the group."""
    import _signal as signal

    for _ in range(20):  # what is killed may have been forking
        if _childless():
            return
        below = _descendants(os.getpid())
        if not below:
            return
        for pid in below:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        _reap(-1)


def _childless():
    """Whether nothing is left, where the kernel says so cheaply. Orphans count
    as children here; with none there is no need to look through /proc."""
    try:
        with open("/proc/self/task/%d/children" % os.getpid(), "rb") as f:
            return not f.read().strip()
    except OSError:
        return False


def _descendants(root):
    """Process ids below root, from /proc; empty where there is none."""
    children = {}
    try:
        names = os.listdir("/proc")
    except OSError:
        return []
    for name in names:
        if not name.isdigit():
            continue
        try:
            with open("/proc/" + name + "/stat", "rb") as f:
                stat = f.read()
        except OSError:
            continue
        # The command name may hold anything; the fields follow its last ")".
        fields = stat[stat.rfind(b")") + 2 :].split()
        if fields[0] != b"Z":
            children.setdefault(int(fields[1]), []).append(int(name))
    found, todo = [], [root]
    while todo:
        kids = children.get(todo.pop(), ())
        found.extend(kids)
        todo.extend(kids)
    return found
