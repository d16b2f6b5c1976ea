"""Finds out whether a callback edited its arguments in place."""

import json

from . import encode

#: Arguments that are watched in no hook: copies in the reference too.
NEVER = frozenset(("request_messages", "middleware_trace"))

#: What has become longer than this, in characters of JSON, is not told.
MAX_EDIT = 8 << 20

#: Large ones: the only hook in which an edit of theirs counts.
LARGE = {"conversation_history": "pre_llm_call"}


def over(hook, payload):
    """A watcher for each argument whose edits count."""
    watched = {}
    for name, value in payload.items():
        if not isinstance(value, (dict, list)) or name in NEVER:
            continue
        if name not in LARGE:
            watched[name] = Text(encode.dumps(value))
        elif LARGE[name] == hook:
            watched[name] = Shape(_shape(value))
    return watched


class Text:
    """Remembers a value as its JSON text: every edit shows."""

    __slots__ = ("text",)

    def __init__(self, text):
        self.text = text

    def next(self, value):
        """The watcher of value as it is now, None when nothing changed."""
        if encode.larger(value, MAX_EDIT):
            return None
        text = encode.dumps(value)
        return None if text == self.text else Text(text)

    def restored(self):
        """A copy of the value that was remembered."""
        return json.loads(self.text)


class Shape:
    """Remembers the containers of a value and shares the texts in them.

    What it costs depends on the number of values, not on their length: texts
    are equal when they are the same object, and nobody can edit a text. What
    does not show is a number that became an equal one of another type.
    """

    __slots__ = ("shape",)

    def __init__(self, shape):
        self.shape = shape

    def next(self, value):
        try:
            if value == self.shape:
                return None
        except Exception:
            pass  # an object of the plugin's cannot be compared: it is new
        if encode.larger(value, MAX_EDIT):
            return None
        try:
            return Shape(_shape(value))
        except RecursionError:
            return Shape(json.loads(encode.dumps(value)))

    def restored(self):
        return _shape(self.shape)


def _shape(value):
    if isinstance(value, dict):
        return {k: _shape(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_shape(v) for v in value]
    return value
