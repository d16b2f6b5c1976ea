"""Hook calls (plugin contract section 6).

The callbacks of one hook run in registration order on the lane's thread. The
program watches the clock: it asks where a hook stands and may skip the
callback that runs; the rest then goes on with a new thread.
"""

from . import aio, encode, hookdefs, lanes, trace, watch

#: The values of one hook call together, in characters of JSON; what goes beyond
#: is refused.
MAX_VALUES = 8 << 20

#: Characters of a dropped value that are told.
MAX_LATE = 8192


class Run:
    """Where one hook call stands."""

    __slots__ = ("callbacks", "kwargs", "index", "began", "returns", "room", "trace", "watched", "changed")

    def __init__(self, hook, callbacks, payload):
        self.callbacks = callbacks
        self.kwargs = dict(payload)
        self.kwargs["telemetry_schema_version"] = hookdefs.SCHEMA_VERSION
        self.index = 0
        self.began = 0.0
        self.returns = []
        self.trace = []
        self.room = MAX_VALUES
        self.watched = watch.over(hook, payload)
        self.changed = set()

    def edits(self):
        """A watcher for each argument that was edited since the last look."""
        found = {}
        for name, before in self.watched.items():
            after = before.next(self.kwargs[name])
            if after is not None:
                found[name] = after
        return found


def invoke(host, job):
    """Run what is left of a hook's callbacks."""
    run = job.run
    if run is None:
        params = job.params
        only, skip = params.get("only"), params.get("skip") or ()
        callbacks = [
            c
            for c in host.hooks.get(params["name"], ())
            if (only is None or c.plugin.key in only) and c.plugin.key not in skip
        ]
        run = job.run = Run(params["name"], callbacks, params.get("payload") or {})
    worker = job.worker
    while run.index < len(run.callbacks):
        callback = run.callbacks[run.index]
        job.owner = callback.plugin.key
        where = "hook " + callback.hook
        began = run.began = lanes.now()
        try:
            value = host.plugin_call(callback.plugin.key, where, _call, callback, run.kwargs)
            told = _told(callback.hook, value, run.room)
            error = None
        except lanes.Abandoned:
            raise
        except BaseException as exc:
            value = told = None
            error = trace.describe(exc, callback.plugin.dir, where)
        host.output.stdout.end_line()
        host.output.stderr.end_line()
        edits = run.edits()  # before the lock: it may run code of the plugin
        with host.mu:
            skipped = job.worker is not worker or job.state != "running"
            if not skipped:
                _note(run, callback, value, told, error, edits)
        if skipped:
            _late(host, job, worker, callback, began, value, error)
            raise lanes.Abandoned
    with host.mu:
        job.owner = None
    return {
        "returns": run.returns,
        "changed": {name: run.kwargs[name] for name in run.changed},
        "trace": run.trace,
    }


def _call(callback, kwargs):
    value = callback.fn(**kwargs)
    if aio.is_awaitable(value):
        value = aio.run(value)
    return value


def _note(run, callback, value, told, error, edits):
    """Write down what a callback did; the caller holds the lock."""
    entry = {
        "plugin": callback.plugin.key,
        "callback": callback.name,
        "ms": (lanes.now() - run.began) * 1000,
    }
    if error is not None:
        entry["error"] = error
    if edits:
        run.watched.update(edits)
        run.changed.update(edits)
        entry["changed"] = sorted(edits)
    if value is not None:
        if told is None:
            entry["foreign"] = type(value).__name__
        else:
            entry["value"] = len(run.returns)
            run.returns.append(told)
            run.room = encode.room_after(told, run.room)
    run.trace.append(entry)
    run.index += 1


def _told(hook, value, room):
    """value as the program takes it: what is text for it must be a str here.

    None for a value that JSON has no form for: no hook has a use for it, and
    as text it would look like an answer. A value for which there is no room is
    an error.
    """
    value = _worded(hook, value)
    if encode.larger(value, room):
        raise ValueError("returned a value of more than %d characters, which is the limit" % room)
    return value


def _worded(hook, value):
    if hook == "pre_llm_call" and isinstance(value, dict):
        try:
            context = value.get("context")
            if context and not isinstance(context, str):
                return dict(value, context=str(context))
        except Exception:
            return None
        return value
    return value if isinstance(value, (str, int, float, dict, list, tuple)) else None


def _late(host, job, worker, callback, began, value, error):
    """Tell of a callback that came to its end after it had been skipped. What
    it returned is dropped."""
    if error is not None and worker.broken_off:
        return  # most likely our own doing
    payload = job.params.get("payload") or {}
    note = {
        "hook": callback.hook,
        "plugin": callback.plugin.key,
        "callback": callback.name,
        "ms": (lanes.now() - began) * 1000,
    }
    for name in ("session_id", "turn_id", "tool_call_id"):
        note[name] = payload.get(name)
    if error is not None:
        note["error"] = error
    elif value is not None:
        big = encode.larger(value, MAX_VALUES)
        note["value"] = "(very long)" if big else encode.dumps(value)[:MAX_LATE]
    host.wire.notify("hook.late", note)


def where(host, call_id):
    """Which callback of a running hook runs, and for how long."""
    with host.mu:
        job = host.jobs.get(call_id)
        run = job.run if job is not None else None
        if run is None or run.index >= len(run.callbacks):
            return {"running": False}
        callback = run.callbacks[run.index]
        return {
            "running": True,
            "index": run.index,
            "plugin": callback.plugin.key,
            "callback": callback.name,
            "ms": (lanes.now() - run.began) * 1000 if run.began else 0,
        }


def skip(host, params):
    """Give up the callback that runs, if it is still the one meant.

    It is broken off after params["leave"] seconds, at once when that is 0,
    never when it is negative.
    """
    with host.mu:
        job = host.jobs.get(params.get("id"))
        run = job.run if job is not None else None
        if run is None or run.index != params.get("index") or run.index >= len(run.callbacks):
            return {"skipped": False}
        worker = job.worker
        if worker is None or worker.retired or worker.lane.name == "main":
            return {"skipped": False}
        callback = run.callbacks[run.index]
        run.trace.append(
            {
                "plugin": callback.plugin.key,
                "callback": callback.name,
                "ms": (lanes.now() - run.began) * 1000,
                "skipped": params.get("reason") or "timeout",
                "at": host.place_of(job),
            }
        )
        run.index += 1
        run.began = 0.0
        job.worker = None
        # What it still edits is its own from here on.
        run.kwargs = dict(run.kwargs)
        for name, before in run.watched.items():
            run.kwargs[name] = before.restored()
        worker.lane.first.append(job)
        host._retire(worker)
    leave = params.get("leave") or 0
    if leave > 0:
        host.break_off_later(worker, leave)
    elif leave == 0:
        host.break_off(worker)
    return {"skipped": True}
