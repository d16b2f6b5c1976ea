"""What plugins print and log, with the name of the plugin it came from."""

import io
import os
import sys
import threading
import time

#: A line longer than this many characters is cut.
MAX_LINE = 4096
#: A line without end is sent in pieces of this many characters.
MAX_OPEN = 65536
#: Lines and characters a second that are passed on; the rest is counted.
LINE_RATE = 500
CHAR_RATE = 1 << 20
#: Characters of a slash command's output that are kept.
MAX_CAPTURE = 1 << 20


class Bucket:
    """Lets a bounded number through each second and counts the rest."""

    def __init__(self):
        self.second = 0
        self.lines = self.chars = self.dropped = 0

    def admit(self, size):
        second = int(time.monotonic())
        if second != self.second:
            self.second, self.lines, self.chars = second, 0, 0
        if self.lines >= LINE_RATE or self.chars + size > CHAR_RATE:
            self.dropped += 1
            return False
        self.lines += 1
        self.chars += size
        return True

    def take_dropped(self):
        n, self.dropped = self.dropped, 0
        return n


class Output:
    """Owns sys.stdout, sys.stderr and the root log handler of the process."""

    def __init__(self, host):
        self.host = host
        self.buckets = {}
        self.captures = {}  # thread id -> _Capture of a slash command
        self.stdout = Stream(self, "stdout", 1)
        self.stderr = Stream(self, "stderr", 2)
        self.logging_ready = False
        self.root_handler = None

    def install(self):
        sys.stdout, sys.stderr = self.stdout, self.stderr
        try:
            sys.stdin = open(0, "r", closefd=False)
        except OSError:
            pass

    def reinstall(self):
        if sys.stdout is not self.stdout:
            sys.stdout = self.stdout
        if sys.stderr is not self.stderr:
            sys.stderr = self.stderr
        if self.root_handler is not None:
            self._keep_handler()

    # ---- lines

    def line(self, stream, text):
        if self.host.wire.is_cut:
            os.write(2, text.encode("utf-8", "backslashreplace") + b"\n")
            return
        plugin = self.owner()
        if len(text) > MAX_LINE:
            text = text[:MAX_LINE] + "…"
        bucket = self._bucket(plugin)
        if not bucket.admit(len(text)):
            return
        self.host.wire.notify(
            "output", {"plugin": plugin, "stream": stream, "line": text, "dropped": bucket.take_dropped()}
        )

    def flood_report(self, plugin):
        """Say how many lines of a plugin were not passed on, if any."""
        bucket = self.buckets.get(plugin)
        if bucket is not None and bucket.dropped:
            self.host.wire.notify(
                "output", {"plugin": plugin, "stream": "stderr", "line": "", "dropped": bucket.take_dropped()}
            )

    def _bucket(self, plugin):
        bucket = self.buckets.get(plugin)
        if bucket is None:
            bucket = self.buckets[plugin] = Bucket()
        return bucket

    def owner(self):
        """Key of the plugin whose call runs on this thread, else of the code
        that called, for threads that plugins start themselves."""
        key = getattr(self.host.local, "plugin", None)
        if key is not None:
            return key
        frame = sys._getframe(1)
        while frame is not None:
            name = frame.f_globals.get("__name__") or ""
            key = self.host.plugin_of_module(name)
            if key is not None:
                return key
            frame = frame.f_back
        return None

    # ---- capture for slash commands

    def capture(self):
        captured = _Capture()
        self.captures[threading.get_ident()] = captured
        return captured

    def end_capture(self):
        self.captures.pop(threading.get_ident(), None)

    # ---- logging

    def take_logging(self):
        """Route the logging module; called before the first plugin loads."""
        if self.logging_ready:
            return
        self.logging_ready = True
        import logging

        handler = _make_handler(self, logging)
        self.root_handler = handler
        root = logging.getLogger()
        level = logging.getLevelName(str(self.host.init.get("log_level") or "INFO").upper())
        root.setLevel(level if isinstance(level, int) else logging.INFO)
        root.addHandler(handler)
        if self.host.init.get("debug"):
            logging.getLogger("hermes_cli.plugins").setLevel(logging.DEBUG)

    def _keep_handler(self):
        """Undo basicConfig(force=True) and the like of one plugin."""
        import logging

        root = logging.getLogger()
        if self.root_handler not in root.handlers:
            root.addHandler(self.root_handler)


class _Capture:
    def __init__(self):
        self.parts = []
        self.size = 0

    def write(self, text):
        if self.size < MAX_CAPTURE:
            self.parts.append(text[: MAX_CAPTURE - self.size])
        self.size += len(text)

    def text(self):
        return "".join(self.parts)


class Stream(io.TextIOBase):
    """Stands in for sys.stdout or sys.stderr."""

    def __init__(self, output, name, fd):
        self._output = output
        self._stream = name
        self._fd = fd
        self._open = threading.local()
        self.buffer = _Bytes(self)

    encoding = "utf-8"
    errors = "backslashreplace"
    newlines = None
    name = property(lambda self: "<%s>" % self._stream)
    mode = "w"

    def fileno(self):
        return self._fd

    def isatty(self):
        return False

    def writable(self):
        return True

    def reconfigure(self, **_):
        pass

    def flush(self):
        pass

    def close(self):
        pass  # a plugin that closes it closes it for everyone

    def detach(self):
        return self.buffer

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError("write() argument must be str, not %s" % type(text).__name__)
        capture = self._output.captures.get(threading.get_ident())
        if capture is not None:
            capture.write(text)
            return len(text)
        pending = getattr(self._open, "text", "") + text
        if "\n" in pending:
            lines = pending.split("\n")
            pending = lines.pop()
            for line in lines:
                self._output.line(self._stream, line.rstrip("\r"))
        if len(pending) > MAX_OPEN:
            whole = len(pending) - len(pending) % MAX_OPEN
            for at in range(0, whole, MAX_OPEN):
                self._output.line(self._stream, pending[at : at + MAX_OPEN])
            pending = pending[whole:]
        self._open.text = pending
        return len(text)

    def end_line(self):
        """Send what this thread wrote without a line end."""
        pending = getattr(self._open, "text", "")
        if pending:
            self._open.text = ""
            self._output.line(self._stream, pending)


class _Bytes(io.RawIOBase):
    """sys.stdout.buffer: bytes are read as UTF-8."""

    def __init__(self, stream):
        self._stream_text = stream

    def writable(self):
        return True

    def fileno(self):
        return self._stream_text.fileno()

    def close(self):
        pass

    def write(self, data):
        data = bytes(data)
        self._stream_text.write(data.decode("utf-8", "replace"))
        return len(data)


def _make_handler(output, logging):
    class Handler(logging.Handler):
        """Sends each record to the program's log."""

        def emit(self, record):
            try:
                host = output.host
                name = record.name
                plugin = host.plugin_of_module(name) or output.owner()
                bucket = output._bucket(("log", plugin))
                text = record.getMessage()
                if not bucket.admit(len(text)):
                    return
                exc = ""
                if record.exc_info and record.exc_info[0] is not None:
                    exc = logging.Formatter().formatException(record.exc_info)
                host.wire.notify(
                    "log",
                    {
                        "plugin": plugin,
                        "logger": name,
                        "level": record.levelname,
                        "message": text[:MAX_OPEN],
                        "exc": exc[:MAX_OPEN],
                        "dropped": bucket.take_dropped(),
                    },
                )
            except Exception:
                self.handleError(record)

    return Handler()
