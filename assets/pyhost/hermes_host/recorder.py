"""Flight recorder: which plugin's code runs on each thread, and in what.

A few bytes in a file that the program holds open as well. After a sudden
death (os._exit, a crash in C, the kernel's out-of-memory killer) they say
whose code it was. A write costs about a microsecond.
"""

import itertools
import os
import sys
import threading

#: Threads that have a place of their own; later ones share.
SLOTS = 256
#: Bytes of one place: a plugin's number, little endian, 0 for none; then text,
#: ended by NUL: what runs ("register", "tool x") and, once the code is about to
#: end the process, file (below the plugin's folder), line and function. A line
#: feed is between them.
WIDTH = 512
NUMBER = 4

_IDLE = b"\0" * (NUMBER + 1)


class Recorder:
    def __init__(self, fd):
        self.fd = fd if hasattr(os, "pwrite") else -1
        self.codes = {}
        self.folders = []  # (folder with separator, or file, of the code; key)
        self._next = itertools.count()
        self._local = threading.local()

    def name(self, key, number, folder):
        self.codes[key] = number.to_bytes(NUMBER, "little")
        self.folders = [f for f in self.folders if f[1] != key] + [(_prefix(folder), key)]

    def enter(self, key, where):
        """Code of the plugin key runs from now on; None for none."""
        self._local.entered = key, where
        self._write(key, where)

    def leave_words(self, frame):
        """The process may end here: note where in the plugin that is."""
        while frame is not None:
            path = frame.f_code.co_filename
            for folder, key in self.folders:
                if folder and path.startswith(folder):
                    where = getattr(self._local, "entered", (None, ""))[1]
                    words = (where, path[len(folder) :] or os.path.basename(path), str(frame.f_lineno), frame.f_code.co_name)
                    self._write(key, "\n".join(words))
                    return
            frame = frame.f_back

    def take_back(self):
        """It did not end."""
        self._write(*getattr(self._local, "entered", (None, "")))

    def forget(self):
        """This is a fork: it must not write for the process it came from."""
        self.fd = -1

    def _write(self, key, text):
        if self.fd < 0:
            return
        try:
            place = self._local.place
        except AttributeError:
            place = self._local.place = next(self._next) % SLOTS * WIDTH
        data = _IDLE
        if key is not None:
            data = self.codes.get(key, _IDLE) + text.encode("utf-8", "replace")[: WIDTH - NUMBER - 1] + b"\0"
        try:
            os.pwrite(self.fd, data, place)
        except OSError:
            self.fd = -1  # closed by a plugin


def _prefix(code):
    """How the paths of a plugin's code begin: a module alone is one file."""
    return code if not code or code.endswith(".py") else code + os.sep


def watch_exits(recorder):
    """Have the functions that end a process on the spot leave words before."""

    def ourselves(*args, **kwargs):
        target = args[0] if args else None
        return len(args) > 1 and args[1] != 0 and target in (os.getpid(), os.getppid(), 0, -1, -os.getpgrp())

    def our_group(*args, **kwargs):
        return len(args) > 1 and args[1] != 0 and args[0] in (0, os.getpgrp())

    for name, ends in (("_exit", None), ("execv", None), ("execve", None), ("kill", ourselves), ("killpg", our_group)):
        function = getattr(os, name, None)
        if function is not None:
            setattr(os, name, _watched(function, ends, recorder))


def _watched(function, ends, recorder):
    import functools

    @functools.wraps(function)
    def watched(*args, **kwargs):
        if ends is not None and not ends(*args, **kwargs):
            return function(*args, **kwargs)
        recorder.leave_words(sys._getframe(1))
        try:
            return function(*args, **kwargs)
        finally:
            recorder.take_back()

    return watched
