"""Two tools in a toolset that is not named like the plugin, and a command."""

import json

TABLE = {"Berlin": {"temp": 21, "rain": 0.1}, "杭州": {"temp": 27, "rain": 0.6}}


def schema(name, description, **properties):
    return {
        "name": name,
        "description": description,
        "parameters": {"type": "object", "properties": properties, "required": ["city"]},
    }


CITY = {"type": "string", "description": "name of the city"}
DAYS = {"type": "integer", "description": "how many days"}


def get_weather(args, **kwargs):
    city = args.get("city", "")
    if city not in TABLE:
        return json.dumps({"error": "no such city: " + city}, ensure_ascii=False)
    return json.dumps(TABLE[city])


def get_forecast(args, **kwargs):
    # A result that is not one row: the card has to fold it.
    days = range(1, int(args.get("days", 3)) + 1)
    return "\n".join("day %d in %s: %d degrees" % (d, args["city"], 20 + d) for d in days)


def weather_command(raw):
    return "The weather in %s is in the table." % raw


def register(ctx):
    ctx.register_tool("get_weather", "forecast", schema("get_weather", "Current weather of a city.", city=CITY), get_weather)
    ctx.register_tool("get_forecast", "forecast", schema("get_forecast", "Weather of the next days.", city=CITY, days=DAYS), get_forecast)
    ctx.register_command("weather", weather_command, description="show the weather now", args_hint="<city>")
