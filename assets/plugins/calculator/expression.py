"""Arithmetic without eval: the syntax tree is walked by hand.

Only numbers, the operators and names below exist, and results are bounded, so
that no expression takes the process down.
"""

import math
import operator

#: A power or factorial whose result has more bits than this is refused.
MAX_BITS = 20000

NAMES = {"pi": math.pi, "e": math.e, "tau": math.tau}


def _power(base, exponent, *modulus):
    if isinstance(base, int) and isinstance(exponent, int) and not modulus:
        if abs(base) > 1 and exponent * abs(base).bit_length() > MAX_BITS:
            raise ValueError("the result is too large")
    return pow(base, exponent, *modulus)


def _factorial(n):
    if n > 2000:
        raise ValueError("the result is too large")
    return math.factorial(n)


def _shift_guard(left, right):
    if isinstance(left, int) and isinstance(right, int):
        if left.bit_length() + right.bit_length() > MAX_BITS:
            raise ValueError("the result is too large")
    return left * right


FUNCTIONS = {
    "abs": abs,
    "ceil": math.ceil,
    "cos": math.cos,
    "exp": math.exp,
    "factorial": _factorial,
    "floor": math.floor,
    "log": math.log,
    "log10": math.log10,
    "log2": math.log2,
    "max": max,
    "min": min,
    "pow": _power,
    "round": round,
    "sin": math.sin,
    "sqrt": math.sqrt,
    "tan": math.tan,
}

OPERATORS = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": _shift_guard,
    "Div": operator.truediv,
    "FloorDiv": operator.floordiv,
    "Mod": operator.mod,
    "Pow": _power,
    "UAdd": operator.pos,
    "USub": operator.neg,
}


def evaluate(text):
    """The number that text stands for; ValueError says what is wrong."""
    import ast

    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, MemoryError, RecursionError) as exc:
        raise ValueError("cannot be read: %s" % getattr(exc, "msg", exc)) from None
    return _value(tree.body)


def _value(node):
    kind = type(node).__name__
    if kind == "Constant" and type(node.value) in (int, float):
        return node.value
    if kind == "Name" and node.id in NAMES:
        return NAMES[node.id]
    if kind == "BinOp" and type(node.op).__name__ in OPERATORS:
        return OPERATORS[type(node.op).__name__](_value(node.left), _value(node.right))
    if kind == "UnaryOp" and type(node.op).__name__ in OPERATORS:
        return OPERATORS[type(node.op).__name__](_value(node.operand))
    if kind == "Call" and type(node.func).__name__ == "Name" and not node.keywords:
        if node.func.id in FUNCTIONS:
            return FUNCTIONS[node.func.id](*[_value(a) for a in node.args])
        raise ValueError("unknown function %r" % node.func.id)
    if kind == "Name":
        raise ValueError("unknown name %r" % node.id)
    raise ValueError("%s is not arithmetic" % kind)
