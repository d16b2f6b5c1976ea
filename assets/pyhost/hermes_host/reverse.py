"""What plugins ask of the program: other tools, and messages of their own."""

import json

from . import encode, tools, wire

#: Arguments longer than this, in characters of JSON, are refused.
MAX_ARGS = 32 << 20

#: Keyword arguments of the reference's dispatcher that mean nothing here.
_IGNORED = ("parent_agent", "session_id", "task_id")


def dispatch(host, plugin, name, args, extra):
    """Have the program run a tool; its result, always a text.

    extra are keyword arguments for the handler, when that is in this process.
    """
    name = str(name)
    if args is None:
        args = {}
    if encode.larger(args, MAX_ARGS):
        return _error("Tool execution failed: ValueError: the arguments have more than %d characters" % MAX_ARGS)
    job = host.job_here()
    params = {
        "plugin": plugin.key,
        "job": job.id if job is not None else 0,
        "name": name,
        "args": args,
        "task_id": str(extra.get("task_id") or ""),
    }
    extra = {k: v for k, v in extra.items() if k not in _IGNORED}

    def prepare(nested):
        if extra and nested.method == "tool.call" and nested.params.get("name") == name:
            nested.extra = dict(extra)

    try:
        answer = host.call("tool.dispatch", params, prepare)
    except wire.RpcError as exc:
        answer = {"content": _error("Tool execution failed: %s" % exc.message)}
    host.leave_if_given_up()
    return answer.get("content") or ""


def _error(text):
    return json.dumps({"error": "[TOOL_ERROR] " + tools.clean(text)})


def inject(host, plugin, content, role):
    """Put a message into the conversation; False when there is none."""
    params = {"plugin": plugin.key, "content": str(content), "role": str(role)}
    try:
        return bool(host.call("message.inject", params).get("ok"))
    except wire.RpcError:
        return False
