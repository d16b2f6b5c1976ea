"""The process in which Hermes plugins run.

It speaks newline-delimited JSON-RPC 2.0 with the program that started it and
needs nothing but the standard library of Python 3.9 or later.
"""

__version__ = "1.0.0"

#: Major version of the wire protocol; both sides must agree on it.
PROTOCOL = 1
