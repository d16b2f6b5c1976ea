"""The host itself: requests in, plugin code, answers out."""

import os
import sys
import threading

from . import PROTOCOL, __version__, aio, boot, lanes, methods, paths, wire

_HOST_DIR = os.path.dirname(os.path.abspath(__file__))

#: How long exit handlers of plugins may take, in seconds.
EXIT_LIMIT = 2.0


class Host:
    """Owns the lanes, the plugins and everything they registered."""

    def __init__(self, channel):
        self.channel = channel
        self.wire = wire.Wire(channel.read, channel.write)
        self.mu = threading.Lock()  # guards lanes, jobs, zombies and job states
        self.lanes = {}
        self.jobs = {}
        self.zombies = []  # workers given up while plugin code ran
        self.calls = {}  # our own calls that wait for an answer
        self.next_call = 0
        self.stopping = False
        self.init = {}
        self.cwd = os.getcwd()
        self.plugins = {}  # key -> loader.Plugin, in load order
        self.modules = {}  # module name -> key
        self.hooks = {}  # name -> [Callback], in registration order
        self.local = threading.local()
        self.recorder = None
        self.output = None
        self.pid = os.getpid()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forked)

    # ---- start

    def run(self):
        main = lanes.Lane("main", self)
        self.lanes["main"] = main
        threading.Thread(target=self._read, name="reader", daemon=True).start()
        self._hello()
        main.adopt_current_thread()
        self._leave()

    def _hello(self):
        version = "%d.%d.%d" % sys.version_info[:3]
        self.wire.notify(
            "hello",
            {
                "protocol": PROTOCOL,
                "host": __version__,
                "python": version,
                "implementation": sys.implementation.name,
                "executable": sys.executable,
                "prefix": sys.prefix,
                "site": paths.folders(),
                "pid": os.getpid(),
                "features": sorted(methods.QUEUED),
            },
        )

    def configure(self, params):
        """Answer of init: everything that must be there before a plugin."""
        from . import limits, output, recorder

        self.init = params
        limit = params.get("memory_limit") or 0
        if limit:
            limits.bound_memory(limit)
        limits.prefer_as_victim()
        if params.get("cwd"):
            self.cwd = params["cwd"]
        self.recorder = recorder.Recorder(self.channel.box)
        recorder.watch_exits(self.recorder)
        self.output = output.Output(self)
        self.output.install()
        try:
            import faulthandler

            faulthandler.enable(file=self.channel.err, all_threads=False)
        except Exception:
            pass  # a build without it: a crash is attributed by the recorder
        return {}

    def _forked(self):
        """A plugin forked: the copy must not speak for the host, nor keep its
        channel open. What it prints goes to the captured descriptors."""
        self.wire.cut()
        if self.recorder is not None:
            self.recorder.forget()
        for fd in (self.channel.read, self.channel.write):
            try:
                os.close(fd)
            except OSError:
                pass

    # ---- reading

    def _read(self):
        try:
            for message in self.wire.messages():
                self._take(message)
        finally:
            self.stop()

    def _take(self, message):
        if not isinstance(message, dict):
            return
        method = message.get("method")
        if method is None:
            self._answered(message)
            return
        params = message.get("params") or {}
        call_id = message.get("id")
        urgent = methods.URGENT.get(method)
        if urgent is not None:
            result = urgent(self, params)
            if call_id is not None:
                self.wire.answer(call_id, result)
            return
        if call_id is None:
            return  # a notification that this version does not know
        job = lanes.Job(call_id, method, params, message.get("lane") or "main")
        parent = message.get("parent")
        with self.mu:
            if self.stopping:
                refused = True
            else:
                refused = False
                self.jobs[call_id] = job
        if refused:
            self.wire.refuse(call_id, wire.STOPPING, "the plugin host is stopping")
            return
        if parent is not None and self._hand_to_caller(parent, job):
            return
        self._enqueue(job)

    def _enqueue(self, job):
        with self.mu:
            lane = self.lanes.get(job.lane)
            if lane is None:
                lane = self.lanes[job.lane] = lanes.Lane(job.lane, self)
                lane.start()
            lane.queue.put(job)

    def drop_idle(self, lane):
        with self.mu:
            if not lane.queue.empty() or lane.first:
                return False
            if self.lanes.get(lane.name) is lane:
                del self.lanes[lane.name]
            return True

    def worker_gone(self, worker):
        with self.mu:
            if worker in self.zombies:
                self.zombies.remove(worker)

    # ---- work

    def carry_out(self, job, worker):
        """Run one job on this thread and answer it, unless nobody waits."""
        with self.mu:
            rest_of_hook = job.state == "running" and job.worker is None
            if job.state != "queued" and not rest_of_hook:
                return
            job.state = "running"
            job.worker = worker
            job.started = lanes.now()
        handler = methods.QUEUED.get(job.method)
        code, result = 0, None
        above, self.local.job = getattr(self.local, "job", None), job
        try:
            if handler is None:
                raise wire.RpcError(wire.METHOD_NOT_FOUND, "unknown method %r" % job.method)
            result = handler(self, job)
        except wire.RpcError as exc:
            code, result = exc.code, exc.message
        except lanes.Abandoned:
            return
        except BaseException as exc:
            import traceback

            code = wire.INTERNAL
            result = "%s: %s\n%s" % (type(exc).__name__, exc, traceback.format_exc(limit=-10))
        finally:
            self.local.job = above
        self.finish(job, worker, code, result)

    def finish(self, job, worker, code, result):
        if os.getpid() != self.pid:
            os._exit(0)  # a fork that came back from the plugin's code
        with self.mu:
            if job.state != "running" or (job.worker is not worker):
                return  # given up meanwhile, or another worker went on with it
            job.state = "done"
            self.jobs.pop(job.id, None)
        if code:
            self.wire.refuse(job.id, code, result)
        else:
            self.wire.answer(job.id, result)

    def plugin_call(self, key, where, fn, *args, **kwargs):
        """Call plugin code: name it as running and put back what it moved.

        where is the place in the terms of its author: "register", "tool x".
        """
        local = self.local
        above, above_where = getattr(local, "plugin", None), getattr(local, "where", "")
        local.plugin, local.where = key, where
        self.recorder.enter(key, where)
        try:
            return fn(*args, **kwargs)
        finally:
            local.plugin, local.where = above, above_where
            self.recorder.enter(above, above_where)
            self.tidy()

    def tidy(self):
        """Put back the working directory and the standard streams (D17)."""
        try:
            if os.getcwd() != self.cwd:
                os.chdir(self.cwd)
        except OSError:
            try:
                os.chdir(self.cwd)
            except OSError:
                pass  # the folder itself is gone
        if boot.streams_moved(self.channel):
            boot.restore_streams(self.channel)
        self.output.reinstall()

    def plugin_of_module(self, name):
        """Key of the plugin that a module belongs to, None for others.

        A package that an entry point names belongs to its plugin as a whole.
        """
        while name:
            key = self.modules.get(name)
            if key is not None:
                return key
            name = name.rpartition(".")[0]
        return None

    # ---- giving up

    def give_up(self, call_id):
        """Stop waiting for a call; its lane goes on with a new thread."""
        with self.mu:
            job = self.jobs.pop(call_id, None)
            if job is None:
                return {"found": False}
            was = job.state
            job.state = "given up"
            if was != "running":
                return {"found": True}
            at = self.place_of(job)
            worker = self._retire(job.worker)
        if worker is not None:
            self.break_off(worker)
        return {"found": True, "at": at}

    def place_of(self, job):
        """Where the plugin code of a running job is; the caller holds mu."""
        plugin = self.plugins.get(job.owner)
        if plugin is None or job.worker is None:
            return None
        from . import trace

        return trace.describe_thread(job.worker.ident, plugin.dir, "did not come back")

    def break_off(self, worker):
        """Try to end the plugin code that a given-up worker runs."""
        worker.broken_off = True
        if not aio.cancel(worker.ident):
            lanes.inject(worker, _HOST_DIR)

    def break_off_later(self, worker, seconds):
        """The same after a while, unless it has come to its end by then."""

        def end():
            with self.mu:  # worker cannot leave its thread to another meanwhile
                if worker in self.zombies:
                    self.break_off(worker)

        timer = threading.Timer(seconds, end)
        timer.daemon = True
        timer.start()

    def _retire(self, worker):
        """Take the lane from worker; the caller holds mu."""
        if worker is None or worker.retired or worker.lane.name == "main":
            return None
        worker.retired = True
        self.zombies.append(worker)
        worker.lane.start()
        return worker

    # ---- our own calls

    def call(self, method, params, prepare=None):
        """Ask the program; work that it does for this call runs here.

        The thread that waits carries out the requests whose parent is this
        call, so that nested hooks run where they would in one interpreter.
        prepare, when given, sees each of these jobs before it runs.
        """
        from queue import SimpleQueue

        inbox = SimpleQueue()
        worker = getattr(self.local, "worker", None)
        guest = worker is None  # a thread of the plugin's own
        if guest:
            worker = self.local.worker = lanes.guest(self)
        with self.mu:
            self.next_call += 1
            call_id = "h%d" % self.next_call
            if self.stopping:
                inbox.put(("gone", None))
            self.calls[call_id] = inbox
        try:
            self.wire.send({"jsonrpc": "2.0", "id": call_id, "method": method, "params": params})
            return self._await(inbox, worker, prepare)
        finally:
            with self.mu:
                self.calls.pop(call_id, None)
            while not inbox.empty():  # came with the answer; nobody waits here any more
                kind, what = inbox.get()
                if kind == "job":
                    self._enqueue(what)
            if guest:
                self.local.worker = None
                self.worker_gone(worker)

    def _await(self, inbox, worker, prepare):
        """The answer that comes into inbox; the jobs before it are carried out."""
        while True:
            kind, what = inbox.get()
            if kind == "job":
                if prepare is not None:
                    prepare(what)
                self.carry_out(what, worker)
                continue
            if kind == "gone":
                raise wire.RpcError(wire.STOPPING, "the program is gone")
            error = what.get("error")
            if error:
                raise wire.RpcError(error.get("code", wire.INTERNAL), error.get("message", ""))
            return what.get("result")

    def job_here(self):
        """The request that runs on this thread, None on a plugin's own thread."""
        return getattr(self.local, "job", None)

    def leave_if_given_up(self):
        """End the plugin code on this thread when nobody waits for it any more."""
        job = self.job_here()
        if job is None:
            return
        with self.mu:
            over = job.state == "given up" or job.worker is not self.local.worker
        if over:
            raise lanes.Abandoned

    def _answered(self, message):
        with self.mu:
            inbox = self.calls.get(message.get("id"))
        if inbox is not None:
            inbox.put(("answer", message))

    def _hand_to_caller(self, parent, job):
        with self.mu:  # once it is taken out of calls, nothing may come into it
            inbox = self.calls.get(parent)
            if inbox is None:
                return False
            inbox.put(("job", job))
        return True

    # ---- end

    def stop(self):
        with self.mu:
            if self.stopping:
                return
            self.stopping = True
            waiting = list(self.calls.values())
            main = self.lanes["main"]
        for inbox in waiting:
            inbox.put(("gone", None))
        limit = threading.Timer(EXIT_LIMIT, os._exit, (0,))
        limit.daemon = True
        limit.start()
        main.queue.put(None)

    def _leave(self):
        """Run exit handlers, then go without waiting for plugin threads."""
        import atexit

        try:
            atexit._run_exitfuncs()
        except BaseException:
            pass
        os._exit(0)


def run(channel):
    Host(channel).run()
