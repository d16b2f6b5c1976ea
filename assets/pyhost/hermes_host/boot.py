"""First steps of the process: descriptors, the fork, the supervisor's half.

Nothing here imports more than it must: the time until the host is ready is
spent before the user sees any plugin.
"""

import os

#: Descriptors of the channel are moved up here, out of the way of plugins
#: that close every descriptor they can think of.
HIGH_FD = 512

#: How long plugins may take to leave once the program is gone, in seconds.
LEAVE_LIMIT = 2.5


class Channel:
    """The descriptors that belong to the host."""

    __slots__ = ("read", "write", "life", "box", "null", "err")

    def __init__(self, read, write, life, box):
        self.read, self.write, self.life, self.box = read, write, life, box
        self.null = self.err = -1


def main(argv):
    channel = _claim(argv)
    if channel.life >= 0:
        _fork_once(channel)
    from . import paths, runtime

    paths.extend()
    runtime.run(channel)


def _claim(argv):
    """Take the channel away from descriptors 0 to 2 before anyone prints."""
    if argv:
        fds = [int(n) for n in argv[0].split(",")]
        channel = Channel(_move_up(fds[0]), _move_up(fds[1]), _move_up(fds[2]), _move_up(fds[3]))
        for fd in fds:
            os.close(fd)
    else:
        channel = Channel(os.dup(0), os.dup(1), -1, -1)
        if os.name == "nt":
            import msvcrt

            msvcrt.setmode(channel.read, os.O_BINARY)
            msvcrt.setmode(channel.write, os.O_BINARY)
    null = os.open(os.devnull, os.O_RDWR)
    channel.null = _move_up(null)
    os.close(null)
    channel.err = _move_up(2)
    restore_streams(channel)
    return channel


def _move_up(fd):
    try:
        import fcntl
    except ImportError:
        return os.dup(fd)
    for floor in (HIGH_FD, 64):
        try:
            return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, floor)
        except OSError:  # the limit of open files is lower
            continue
    return os.dup(fd)


def restore_streams(channel):
    """Input reads nothing, output and error go to the pipe that is captured."""
    os.dup2(channel.null, 0)
    os.dup2(channel.err, 1)
    os.dup2(channel.err, 2)


def streams_moved(channel):
    """Whether a plugin closed or redirected one of the three descriptors."""
    try:
        null, err = os.fstat(channel.null), os.fstat(channel.err)
        for fd, want in ((0, null), (1, err), (2, err)):
            got = os.fstat(fd)
            if got.st_ino != want.st_ino or got.st_dev != want.st_dev:
                return True
    except OSError:
        return True
    return False


def _fork_once(channel):
    """Split into a process that only waits and the one that runs plugins.

    The first is what os.getppid() names and leads the process group: a plugin
    that signals its parent or its group does not reach the program. It ends
    what plugins leave behind, and everything when the program goes away.
    """
    import _signal as signal

    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake_write)
    pid = os.fork()
    if pid == 0:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.close(wake_read)
        os.close(wake_write)
        os.close(channel.life)
        channel.life = -1
        return
    try:
        from . import waiter

        waiter.wait(pid, channel, wake_read, wake_write)
    finally:
        os._exit(70)
