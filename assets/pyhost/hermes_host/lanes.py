"""Lanes: one thread each, first in, first out.

The program names a lane in each request. All work of one lane runs on one
thread, as it would in one interpreter: thread-locals and database handles of
a plugin keep working from one call to the next. A call that was given up
costs the lane its thread: a new one takes over, and what the old one still
brings is dropped.
"""

import sys
import threading
import time
from collections import deque
from queue import Empty, SimpleQueue

#: A lane without work for this long gives its thread back, in seconds.
IDLE_LIMIT = 300.0


class Abandoned(BaseException):
    """Raised inside plugin code whose caller no longer waits."""


class Job:
    """One request on its way through a lane."""

    __slots__ = ("id", "method", "params", "lane", "state", "owner", "started", "worker", "run", "extra")

    def __init__(self, call_id, method, params, lane):
        self.id = call_id
        self.method = method
        self.params = params
        self.lane = lane
        self.state = "queued"  # queued, running, done, given up
        self.owner = None  # key of the plugin whose code runs
        self.started = 0.0
        self.worker = None
        self.run = None  # of a hook: where it stands
        self.extra = None  # of a tool: keyword arguments that only this process knows


class Worker:
    """One thread of a lane."""

    __slots__ = ("lane", "thread", "retired", "ident", "broken_off")

    def __init__(self, lane):
        self.lane = lane
        self.retired = False
        self.broken_off = False
        self.ident = 0
        self.thread = None


class Lane:
    """A queue and the worker that empties it."""

    def __init__(self, name, host):
        self.name = name
        self.host = host
        self.queue = SimpleQueue()
        self.first = deque()  # goes before the queue: rests of hooks
        self.worker = None

    def start(self):
        worker = self.worker = Worker(self)
        worker.thread = threading.Thread(target=self._work, args=(worker,), name="lane " + self.name, daemon=True)
        worker.thread.start()

    def adopt_current_thread(self):
        """Work on the calling thread until the host stops (the main lane)."""
        worker = self.worker = Worker(self)
        worker.thread = threading.current_thread()
        self._work(worker)

    def _work(self, worker):
        worker.ident = threading.get_ident()
        self.host.local.worker = worker
        forever = self.name == "main"
        while not worker.retired:
            if self.first:
                job = self.first.popleft()
            else:
                try:
                    job = self.queue.get(timeout=None if forever else IDLE_LIMIT)
                except Empty:
                    if self.host.drop_idle(self):
                        return
                    continue
            if job is None:
                return
            try:
                self.host.carry_out(job, worker)
            except Abandoned:
                pass  # arrived after the call had been given up
            except BaseException:
                # Memory ran out, or a defect of ours: the lane must go on.
                import traceback

                traceback.print_exc()
        self.host.worker_gone(worker)


def guest(host):
    """A worker for a thread that is no lane's: what the program asks for on
    behalf of its call runs on it, and what is skipped there goes on in a lane
    of its own."""
    worker = Worker(Lane("guest", host))
    worker.thread = threading.current_thread()
    worker.ident = threading.get_ident()
    return worker


def inject(worker, host_dir):
    """Raise Abandoned in the worker if plugin code is what runs there.

    Never inside the host's own code: an exception between taking a lock and
    giving it back would stop every other lane. Plugin code that blocks in C
    sees it when it comes back.
    """
    frame = sys._current_frames().get(worker.ident)
    if frame is None or frame.f_code.co_filename.startswith(host_dir):
        return False
    try:
        import ctypes
    except ImportError:
        return False
    set_exc = ctypes.pythonapi.PyThreadState_SetAsyncExc
    return set_exc(ctypes.c_ulong(worker.ident), ctypes.py_object(Abandoned)) == 1


def now():
    return time.monotonic()
