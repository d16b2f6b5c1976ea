"""A calculator under other names: nothing in the program knows them."""

import json


def berechne(args, **kwargs):
    return json.dumps({"ergebnis": eval(args["formel"], {"__builtins__": {}}, {})})


def umrechnen(args, **kwargs):
    if (args["von"], args["nach"]) != ("F", "C"):
        return json.dumps({"error": "nur F nach C"})
    return json.dumps({"ergebnis": round((args["wert"] - 32) * 5 / 9, 2)})


def register(ctx):
    ctx.register_tool("berechne", "rechner", {
        "name": "berechne",
        "description": "Berechnet eine Formel. Evaluates a mathematical expression.",
        "parameters": {
            "type": "object",
            "properties": {"formel": {"type": "string", "description": "Formel, zum Beispiel 2**10 (math expression)"}},
            "required": ["formel"],
        },
    }, berechne)
    ctx.register_tool("umrechnen", "rechner", {
        "name": "umrechnen",
        "description": "Rechnet Einheiten um. Converts a value between units.",
        "parameters": {
            "type": "object",
            "properties": {
                "wert": {"type": "number", "description": "Wert (numeric value)"},
                "von": {"type": "string", "description": "Ausgangseinheit (source unit, e.g. 'F')"},
                "nach": {"type": "string", "description": "Zieleinheit (target unit, e.g. 'C')"},
            },
            "required": ["wert", "von", "nach"],
        },
    }, umrechnen)
