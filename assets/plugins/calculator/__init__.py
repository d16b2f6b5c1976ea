"""Example plugin: two tools, a hook, a data file and a slash command."""

import json
import logging

from . import expression, units

logger = logging.getLogger(__name__)

CALCULATE = {
    "name": "calculate",
    "description": (
        "Evaluate a mathematical expression and return the result. Knows + - * / // % **, "
        "the functions sqrt, sin, cos, tan, log, log2, log10, exp, abs, round, floor, ceil, factorial, min, max, pow "
        "and the constants pi and e. Use it whenever something has to be computed."
    ),
    "parameters": {
        "type": "object",
        "properties": {
            "expression": {
                "type": "string",
                "description": "Expression to evaluate, for instance '2**10' or 'sqrt(144)'",
            },
        },
        "required": ["expression"],
    },
}

UNIT_CONVERT = {
    "name": "unit_convert",
    "description": (
        "Convert a value from one unit to another: length (m, km, cm, mi, ft, in), weight (kg, g, lb, oz), "
        "temperature (C, F, K), data (B, KB, MB, GB, TB) and time (s, ms, min, hr, day)."
    ),
    "parameters": {
        "type": "object",
        "properties": {
            "value": {"type": "number", "description": "The number to convert"},
            "from_unit": {"type": "string", "description": "Unit it is in (for instance 'km', 'lb', 'F', 'GB')"},
            "to_unit": {"type": "string", "description": "Unit to convert to (for instance 'mi', 'kg', 'C', 'MB')"},
        },
        "required": ["value", "from_unit", "to_unit"],
    },
}


def calculate(args, **kwargs):
    text = str(args.get("expression") or "").strip()
    if not text:
        return json.dumps({"error": "No expression provided"})
    try:
        return json.dumps({"expression": text, "result": expression.evaluate(text)})
    except ZeroDivisionError:
        return json.dumps({"expression": text, "error": "Division by zero"})
    except (ValueError, OverflowError, TypeError) as exc:
        return json.dumps({"expression": text, "error": "Invalid: %s" % exc}, ensure_ascii=False)


def unit_convert(args, **kwargs):
    value = args.get("value")
    source = str(args.get("from_unit") or "").strip()
    target = str(args.get("to_unit") or "").strip()
    if value is None or not source or not target:
        return json.dumps({"error": "Need value, from_unit, and to_unit"})
    try:
        result = units.convert(float(value), source, target)
    except (ValueError, TypeError) as exc:
        return json.dumps({"error": str(exc)}, ensure_ascii=False)
    return json.dumps(
        {"input": "%s %s" % (value, source), "result": result, "output": "%s %s" % (result, target)},
        ensure_ascii=False,
    )


def log_tool_call(tool_name, duration_ms=0, status="", **kwargs):
    """Runs after every tool call, not only those of this plugin."""
    logger.info("%s: %s in %s ms", tool_name, status or "done", duration_ms)


def calc(raw_args):
    """/calc EXPRESSION"""
    text = raw_args.strip()
    if not text:
        return "Usage: /calc EXPRESSION, for instance /calc sqrt(2*pi)"
    try:
        return "%s = %s" % (text, expression.evaluate(text))
    except ZeroDivisionError:
        return "%s: division by zero" % text
    except (ValueError, OverflowError, TypeError) as exc:
        return "%s: %s" % (text, exc)


def register(ctx):
    ctx.register_tool("calculate", "calculator", CALCULATE, calculate, emoji="🧮")
    ctx.register_tool("unit_convert", "calculator", UNIT_CONVERT, unit_convert, emoji="📐")
    ctx.register_hook("post_tool_call", log_tool_call)
    ctx.register_command("calc", calc, description="Evaluate an expression", args_hint="<expression>")
