"""Where a plugin failed, in the terms of its author."""

import os
import sys

_HOST_DIR = os.path.dirname(os.path.abspath(__file__))

#: Characters of a traceback that travel.
MAX_TRACEBACK = 32768
MAX_MESSAGE = 8192


def describe(exc, plugin_dir, where):
    """A record of exc: type, text, place inside the plugin, traceback."""
    record = {
        "type": type(exc).__name__,
        "message": message_of(exc)[:MAX_MESSAGE],
        "where": where,
        "file": "",
        "line": 0,
        "func": "",
        "source": "",
        "traceback": "",
    }
    try:
        _place(record, exc, plugin_dir)
        record["traceback"] = _traceback(exc)
    except Exception:
        pass  # the exception lies about itself; type and text must do
    return record


def message_of(exc):
    try:
        return str(exc)
    except Exception:
        return "unprintable %s" % type(exc).__name__


def _place(record, exc, plugin_dir):
    """The innermost frame inside the plugin; for a syntax error its line."""
    if isinstance(exc, SyntaxError) and exc.filename and _inside(exc.filename, plugin_dir):
        record["file"], record["line"] = exc.filename, exc.lineno or 0
        record["source"] = (exc.text or "").strip()
        return
    tb, best = exc.__traceback__, None
    while tb is not None:
        if _inside(tb.tb_frame.f_code.co_filename, plugin_dir):
            best = tb
        tb = tb.tb_next
    if best is None:
        return
    code = best.tb_frame.f_code
    record["file"], record["line"], record["func"] = code.co_filename, best.tb_lineno, code.co_name
    import linecache

    linecache.checkcache(code.co_filename)
    record["source"] = linecache.getline(code.co_filename, best.tb_lineno).strip()


def _inside(path, folder):
    return bool(folder) and (path == folder or path.startswith(folder + os.sep))


def _traceback(exc):
    import traceback

    tb = exc.__traceback__
    while tb is not None and _is_machinery(tb.tb_frame.f_code.co_filename):
        tb = tb.tb_next
    message = message_of(exc)
    if len(message) > MAX_TRACEBACK:  # not copied around again and again
        last = "%s: %s [...]\n" % (type(exc).__name__, message[:MAX_MESSAGE])
        return "Traceback (most recent call last):\n" + "".join(traceback.format_tb(tb))[-MAX_TRACEBACK:] + last
    text = "".join(traceback.format_exception(type(exc), exc, tb))
    if len(text) > MAX_TRACEBACK:
        half = MAX_TRACEBACK // 2
        text = text[:half] + "\n  [...]\n" + text[-half:]
    return text


def describe_thread(ident, plugin_dir, message):
    """The same for code that still runs: where a thread is inside the plugin."""
    frame = sys._current_frames().get(ident)
    record = {"type": "TimeoutError", "message": message}
    if frame is None:
        return record
    import linecache
    import traceback

    inner = frame
    while frame is not None and not _inside(frame.f_code.co_filename, plugin_dir):
        frame = frame.f_back
    if frame is not None:
        code = frame.f_code
        record["file"], record["line"], record["func"] = code.co_filename, frame.f_lineno, code.co_name
        record["source"] = linecache.getline(code.co_filename, frame.f_lineno).strip()
    stack = [s for s in traceback.extract_stack(inner) if not _is_machinery(s.filename)]
    record["traceback"] = "".join(traceback.format_list(stack))[-MAX_TRACEBACK:]
    return record


def _is_machinery(path):
    return path.startswith(_HOST_DIR) or path.startswith("<frozen importlib")


def exit_text(exc):
    """Text of exc with its type when the text alone says nothing (SystemExit: 3)."""
    text = message_of(exc)
    if isinstance(exc, Exception) and text:
        return text
    return "%s: %s" % (type(exc).__name__, text) if text else type(exc).__name__
