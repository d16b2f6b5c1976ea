"""One JSON-RPC 2.0 peer over two descriptors, one message a line."""

import io
import os
import threading
from collections import deque

from . import encode

#: The program takes no longer line, in bytes.
MAX_LINE = 64 << 20

# Error codes: JSON-RPC's own, then ours.
METHOD_NOT_FOUND = -32601
INTERNAL = -32603
CANCELLED = -32800
STOPPING = -32801


class RpcError(Exception):
    """An answer that is an error of the protocol, not of a plugin."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code
        self.message = message


class Wire:
    """Reads messages on the caller's thread; any thread may send.

    A send never waits for another sender: the line goes to a queue and
    whoever holds the lock writes until it is empty. So a print inside a
    signal handler or a destructor that runs in the middle of a write neither
    deadlocks nor cuts a line in two.
    """

    def __init__(self, read_fd, write_fd):
        self._in = io.BufferedReader(io.FileIO(read_fd, "rb", closefd=False), 1 << 16)
        self._out_fd = write_fd
        self._out = deque()
        self._lock = threading.Lock()
        self.is_cut = False

    def cut(self):
        """Send nothing any more (in a forked copy of the process)."""
        self.is_cut = True
        self._lock = threading.Lock()  # the old one may be held by a thread that is not here

    def messages(self):
        """Yield every message until the other side is gone."""
        while True:
            try:
                line = self._in.readline()
            except OSError:
                return
            if not line:
                return
            if line.strip():
                yield encode.loads(line)

    def send(self, message):
        self._send_text(encode.dumps(message))

    def _send_text(self, text):
        if self.is_cut:
            return
        self._out.append(text.encode("ascii") + b"\n")
        while self._out and self._lock.acquire(False):
            try:
                self._drain()
            finally:
                self._lock.release()

    def _drain(self):
        while self._out:
            try:
                data = memoryview(self._out.popleft())
            except IndexError:
                return
            try:
                while data:
                    data = data[os.write(self._out_fd, data) :]
            except OSError:
                return  # the program is gone; the reader notices, too

    def notify(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def answer(self, call_id, result):
        try:
            text = encode.dumps({"jsonrpc": "2.0", "id": call_id, "result": result})
            size = len(text)
        except MemoryError:
            text, size = None, 1 << 30
        except Exception as exc:
            self.refuse(call_id, INTERNAL, "the answer cannot be encoded: %s" % type(exc).__name__)
            return
        if size >= MAX_LINE:
            self.refuse(call_id, INTERNAL, "the answer has %d bytes or more, over the limit of a message" % size)
            return
        self._send_text(text)

    def refuse(self, call_id, code, message):
        self.send({"jsonrpc": "2.0", "id": call_id, "error": {"code": code, "message": message}})
