"""Slash commands (plugin contract section 8, handler forms of D7)."""

from . import aio, lanes, tools, trace

#: The contract's limit of an async handler, in seconds.
ASYNC_LIMIT = 30.0


def run(host, job):
    """Call a handler; answers its text, what it printed, and its error."""
    params = job.params
    plugin = host.plugins.get(params.get("plugin"))
    command = plugin.commands.get(params.get("name")) if plugin else None
    if command is None:
        return {"missing": True}
    job.owner = plugin.key
    raw = params.get("args") or ""
    where = "command /" + command.name
    captured = host.output.capture()
    answer = {"content": ""}
    try:
        value = host.plugin_call(plugin.key, where, _call, host, plugin, command, raw)
        if value:
            answer["content"] = str(value)
    except lanes.Abandoned:
        raise
    except BaseException as exc:
        answer["error"] = trace.describe(exc, plugin.dir, where)
        answer["error"]["message"] = trace.exit_text(exc)
    finally:
        host.output.end_capture()
    answer["output"] = captured.text()
    return tools._spooled(host, job, answer)


def _call(host, plugin, command, raw):
    from . import context

    if takes_context(command.handler):
        value = command.handler(context.PluginContext(host, plugin), raw)
    else:
        value = command.handler(raw)
    if aio.is_awaitable(value):
        value = _await(value)
    return value


def _await(value):
    import asyncio

    try:
        return aio.run(value, ASYNC_LIMIT)
    except asyncio.TimeoutError:
        raise TimeoutError("Plugin command async handler did not complete within 30s") from None


def takes_context(handler):
    """Whether handler requires two positional arguments: (ctx, argstr)."""
    function = getattr(handler, "__func__", handler)  # of a bound method
    code = getattr(function, "__code__", None)
    if code is None:
        return _signature_takes_two(handler)
    bound = 0 if function is handler else 1
    return code.co_argcount - len(function.__defaults__ or ()) - bound == 2


def _signature_takes_two(handler):
    import inspect

    try:
        parameters = inspect.signature(handler).parameters.values()
    except (TypeError, ValueError):
        return False
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return len([p for p in parameters if p.kind in positional and p.default is p.empty]) == 2
