"""Coroutines of plugins, run to their end on the thread that called.

Each thread keeps one event loop, so that a client a plugin made in one call
still works in the next.
"""

import threading

_local = threading.local()

#: Thread id -> the task that runs there.
_tasks = {}


def is_awaitable(value):
    return hasattr(type(value), "__await__")


def run(awaitable, limit=None):
    """The result of awaitable; TimeoutError after limit seconds."""
    import asyncio

    loop = getattr(_local, "loop", None)
    if loop is None or loop.is_closed():
        loop = _local.loop = asyncio.new_event_loop()
    return loop.run_until_complete(_bounded(asyncio, awaitable, limit))


async def _bounded(asyncio, awaitable, limit):
    ident = threading.get_ident()
    _tasks[ident] = asyncio.current_task()
    try:
        if limit is None:
            return await awaitable
        return await asyncio.wait_for(awaitable, limit)
    finally:
        _tasks.pop(ident, None)


def cancel(ident):
    """Cancel what runs on that thread; False when it runs no coroutine."""
    task = _tasks.get(ident)
    if task is None:
        return False
    try:
        task.get_loop().call_soon_threadsafe(task.cancel)
    except RuntimeError:  # the loop was closed meanwhile
        return False
    return True


def discard(value):
    """Close a coroutine that nobody awaits, without its warning."""
    close = getattr(value, "close", None)
    if close is not None and type(value).__name__ == "coroutine":
        try:
            close()
        except BaseException:
            pass
