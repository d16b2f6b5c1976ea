"""Tool calls and availability checks (plugin contract section 7)."""

import json
import os
import re

from . import aio, encode, lanes, trace

#: The contract's limit of an error text for the model, in characters.
MAX_ERROR = 2000
#: A result longer than this many characters travels through a file.
SPOOL_FROM = 1 << 20
#: A result longer than this many characters is cut.
MAX_RESULT = 64 << 20
#: Content parts longer than this, in characters of JSON, are left out.
MAX_PARTS = 40 << 20
#: Edited arguments longer than this, in characters of JSON, are not reported.
MAX_ARGS = 8 << 20

_TAGS = re.compile(
    r"</?(?:tool_call|function_call|result|response|output|input|system|assistant|user)>", re.IGNORECASE
)
_CDATA = re.compile(r"<!\[CDATA\[.*?\]\]>", re.DOTALL)
_FENCE_START = re.compile(r"^\s*```(?:json|xml|html|markdown)?\s*", re.MULTILINE)
_FENCE_END = re.compile(r"\s*```\s*$", re.MULTILINE)


def call(host, job):
    """Run one handler; what it does wrong is a result, never an error here."""
    params = job.params
    plugin, tool = _find(host, params)
    if tool is None:
        return {"missing": True}
    job.owner = plugin.key
    args = params.get("args")
    before = encode.dumps(args)
    kwargs = {
        "task_id": params.get("task_id"),
        "session_id": params.get("session_id"),
        "user_task": params.get("user_task"),
    }
    if job.extra:
        kwargs.update(job.extra)
    try:
        value = host.plugin_call(plugin.key, "tool " + str(tool.name), _run, tool, args, kwargs)
        answer = _result(tool, value)
    except lanes.Abandoned:
        raise
    except BaseException as exc:
        answer = _raised(tool, exc, plugin)
    finally:
        host.output.stdout.end_line()
        host.output.stderr.end_line()
        host.output.flood_report(plugin.key)
    if not encode.larger(args, MAX_ARGS) and encode.dumps(args) != before:
        answer["args"] = args
    return _spooled(host, job, answer)


def _find(host, params):
    plugin = host.plugins.get(params.get("plugin"))
    return plugin, plugin.tool(params.get("name"), params.get("nth") or 0) if plugin else None


def _run(tool, args, kwargs):
    value = tool.handler(args, **kwargs)
    if tool.is_async and aio.is_awaitable(value):
        value = aio.run(value)
    return value


def _result(tool, value):
    if isinstance(value, str):
        return {"content": str(value)}
    if isinstance(value, dict):
        if value.get("_multimodal") is True and isinstance(value.get("content"), list):
            return _multimodal(value)
        if len(value) == 1 and "error" in value and not encode.larger(value, MAX_RESULT):  # D6
            return {"content": json.dumps(value, ensure_ascii=False, default=str)}
    kind = type(value).__name__
    aio.discard(value)
    content = json.dumps(
        {
            "error": "Tool handler returned unsupported result type: " + kind,
            "error_type": "tool_result_contract",
            "tool": tool.name,
            "result_type": kind,
        },
        ensure_ascii=False,
    )
    return {"content": content, "contract": kind, "value": _shown(value)}


def _multimodal(value):
    """A result of content parts, and its words for models that take no other."""
    answer = {"content": _summary(value), "parts": value["content"]}
    if encode.larger(value["content"], MAX_PARTS):
        del answer["parts"]
        answer["content"] += "\n\n[Pictures left out: they have more than %d characters.]" % MAX_PARTS
    return answer


def _summary(value):
    text = value.get("text_summary")
    if isinstance(text, str):
        return text
    texts, others = [], 0
    for part in value["content"]:
        text = part.get("text") if isinstance(part, dict) else part
        if isinstance(text, str):
            texts.append(text)
        else:
            others += 1
    return "\n".join(texts) or "[%d picture%s]" % (others, "" if others == 1 else "s")


def _shown(value):
    """value in a few words, whatever its size."""
    import reprlib

    try:
        return reprlib.repr(value)[:200]
    except Exception:
        return ""


def _raised(tool, exc, plugin):
    # A text of any length may come; what is cut away cannot matter below.
    message = trace.message_of(exc)[: 16 * MAX_ERROR]
    text = "Tool execution failed: %s: %s" % (type(exc).__name__, message)
    return {
        "content": json.dumps({"error": "[TOOL_ERROR] " + clean(text)}),
        "error": trace.describe(exc, plugin.dir, "tool " + str(tool.name)),
    }


def clean(text):
    """text without what could be taken for the markup of a conversation."""
    text = _TAGS.sub("", text)
    text = _CDATA.sub("", text)
    text = _FENCE_START.sub("", text)
    text = _FENCE_END.sub("", text)
    if len(text) > MAX_ERROR:
        text = text[: MAX_ERROR - 3] + "..."
    return text


def _spooled(host, job, answer):
    """Put a large result into a file of the program's cache folder."""
    text = answer["content"]
    if len(text) <= SPOOL_FROM:
        return answer
    if len(text) > MAX_RESULT:
        answer["cut"] = len(text)
        text = text[:MAX_RESULT]
    folder = host.init.get("spool")
    if not folder:
        answer["content"] = text
        return answer
    os.makedirs(folder, mode=0o700, exist_ok=True)
    name = "result-%s" % job.id
    with open(os.path.join(folder, name), "wb") as f:
        for at in range(0, len(text), SPOOL_FROM):
            f.write(_utf8(text[at : at + SPOOL_FROM]))
    answer["content"] = ""
    answer["file"] = name
    return answer


def _utf8(text):
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:  # half a surrogate pair
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode("utf-8")


def check(host, params):
    """Whether a tool's check_fn says that it can be used now."""
    plugin, tool = _find(host, params)
    if tool is None or tool.check_fn is None:
        return {"ok": tool is not None}
    name = getattr(tool.check_fn, "__qualname__", type(tool.check_fn).__name__)
    try:
        value = host.plugin_call(plugin.key, "check " + str(tool.name), tool.check_fn)
        return {"ok": bool(value), "check": name}
    except lanes.Abandoned:
        raise
    except BaseException as exc:
        return {"ok": False, "check": name, "error": trace.describe(exc, plugin.dir, "check " + str(tool.name))}
