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

#: Python refuses to write an integer of more digits in decimal (since 3.11).
MAX_BITS = 4300 * 3


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
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        return int(value) if value.bit_length() < MAX_BITS else "<int of %d bits>" % value.bit_length()
    if depth >= MAX_DEPTH or id(value) in above:
        return _text(value)[:200]
    above = above + (id(value),)
    if isinstance(value, dict):
        return {_key(k): plain(v, depth + 1, above) for k, v in list(value.items())}
    if isinstance(value, (list, tuple)):
        return [plain(v, depth + 1, above) for v in value]
    return _text(value)


def larger(value, limit):
    """Whether the JSON of value has more than limit characters, about.

    Encoding a gigabyte keeps the interpreter's lock for many seconds, in which
    the host does not answer; so this is asked before.
    """
    return room_after(value, limit) < 0


def room_after(value, room):
    """What is left of room characters once the JSON of value is written, about;
    negative when it does not fit."""
    return _left(value, room, 0)


def _left(value, left, depth):
    """What is left of a number of characters after value."""
    left -= 2
    if isinstance(value, (str, bytes, bytearray)):
        return left - len(value)
    if depth >= MAX_DEPTH:
        return left
    if isinstance(value, dict):
        for key, one in list(value.items()):
            left = _left(one, left - (len(key) if isinstance(key, str) else 2), depth + 1)
            if left < 0:
                break
    elif isinstance(value, (list, tuple)):
        for one in value:
            left = _left(one, left, depth + 1)
            if left < 0:
                break
    return left


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
