"""JSON that always encodes.

Plugins hand over anything: NaN, bytes, objects, cycles, half a surrogate
pair. The text is ASCII only, because a lone surrogate could not be written as
UTF-8; it arrives as U+FFFD.
"""

import json

_strict = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":"), default=lambda v: _text(v))
_decode = json.JSONDecoder().decode

#: Nesting beyond this is written as text.
MAX_DEPTH = 200


def dumps(value):
    """JSON text of value, on one line."""
    try:
        return _strict.encode(value)
    except (ValueError, TypeError, RecursionError):
        # NaN, a cycle, keys that are no text, or too deep.
        return _strict.encode(plain(value))


def loads(line):
    """The value of one line of UTF-8 bytes."""
    return _decode(line.decode("utf-8", "replace"))


def plain(value, depth=0, above=()):
    """A copy of value that holds nothing JSON does not have."""
    if value is None or value is True or value is False or type(value) is str:
        return value
    if isinstance(value, float):
        return float(value) if value - value == 0 else None
    if isinstance(value, (str, int)):
        return str(value) if isinstance(value, str) else int(value)
    if depth >= MAX_DEPTH or id(value) in above:
        return _text(value)[:200]
    above = above + (id(value),)
    if isinstance(value, dict):
        return {_key(k): plain(v, depth + 1, above) for k, v in list(value.items())}
    if isinstance(value, (list, tuple)):
        return [plain(v, depth + 1, above) for v in value]
    return _text(value)


def _key(key):
    if isinstance(key, str):
        return str(key)
    if key is None or isinstance(key, bool):
        return {None: "null", True: "true", False: "false"}[key]
    return _text(key)


def _text(value):
    try:
        return str(value)
    except Exception:
        return "<unprintable %s>" % type(value).__name__
