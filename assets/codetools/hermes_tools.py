"""Tools of the agent, for scripts that the execute_code tool runs.

Every function returns what the tool answered: a dict, or a text where the
answer is no JSON. A call that the agent refuses returns {"error": ...}.
"""

import json
import os
import shlex
import threading
import time

_lock = threading.Lock()
_streams = None


def _open():
    global _streams
    answers, requests = (int(fd) for fd in os.environ["HERMES_CODE_CHANNEL"].split(","))
    for fd in (answers, requests):
        os.set_inheritable(fd, False)
    _streams = (
        os.fdopen(answers, "r", encoding="utf-8", newline="\n"),
        os.fdopen(requests, "w", encoding="utf-8", newline="\n"),
    )


def _call(tool, **args):
    request = json.dumps({"tool": tool, "args": {k: v for k, v in args.items() if v is not None}})
    with _lock:
        if _streams is None:
            _open()
        answers, requests = _streams
        requests.write(request + "\n")
        requests.flush()
        line = answers.readline()
    if not line:
        raise RuntimeError("the agent does not answer any more")
    text = json.loads(line)["result"]
    try:
        return json.loads(text, strict=False)
    except ValueError:
        return text


def read_file(path, offset=1, limit=500):
    """Lines of a text file with their numbers: "content", "total_lines"."""
    return _call("read_file", path=path, offset=offset, limit=limit)


def write_file(path, content, **more):
    """Write a whole file, folders included."""
    return _call("write_file", path=path, content=content, **more)


def search_files(pattern, target="content", path=".", file_glob=None, limit=50, offset=0,
                 output_mode="content", context=0):
    """Search in files (a regular expression), or for files (target="files", a glob)."""
    return _call("search_files", pattern=pattern, target=target, path=path, file_glob=file_glob, limit=limit,
                 offset=offset, output_mode=output_mode, context=context)


def patch(path=None, old_string=None, new_string=None, replace_all=False, mode="replace", patch=None, **more):
    """Replace a text in a file (mode="replace"), or apply a patch of several files (mode="patch")."""
    return _call("patch", mode=mode, path=path, old_string=old_string, new_string=new_string,
                 replace_all=replace_all or None, patch=patch, **more)


def terminal(command, timeout=None, workdir=None):
    """Run a shell command: "output", "exit_code"."""
    return _call("terminal", command=command, timeout=timeout, workdir=workdir)


def web_search(query, limit=5):
    """Search the web."""
    return _call("web_search", query=query, limit=limit)


def web_extract(urls, char_limit=None):
    """The text of web pages."""
    return _call("web_extract", urls=urls, char_limit=char_limit)


def json_parse(text):
    """json.loads that takes tabs and line ends inside of strings."""
    return json.loads(text, strict=False)


def shell_quote(text):
    """One word for the shell."""
    return shlex.quote(text)


def retry(fn, max_attempts=3, delay=2):
    """Call fn until it raises nothing, at most max_attempts times; the wait doubles each time."""
    for attempt in range(max_attempts):
        try:
            return fn()
        except Exception:
            if attempt + 1 >= max_attempts:
                raise
            time.sleep(delay * 2 ** attempt)
