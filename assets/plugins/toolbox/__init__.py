"""Example plugin: the three tools of the tutorial on custom tools.

Their answers are plain Chinese sentences, as the tutorial shows them.
"""

import time
import zlib

ECHO = {
    "name": "echo",
    "description": "回声：原样返回一条消息，用来验证工具调用。Echo: returns a message unchanged.",
    "parameters": {
        "type": "object",
        "properties": {
            "message": {"type": "string", "description": "要回声的消息内容 (message to repeat)"},
        },
        "required": ["message"],
        "additionalProperties": False,
    },
}

CALCULATOR = {
    "name": "calculator",
    "description": "对两个数做加、减、乘、除。需要计算两个数时使用。Adds, subtracts, multiplies or divides two numbers.",
    "parameters": {
        "type": "object",
        "properties": {
            "operation": {
                "type": "string",
                "enum": ["add", "subtract", "multiply", "divide"],
                "description": "运算：加 (add)、减 (subtract)、乘 (multiply)、除 (divide)",
            },
            "a": {"type": "number", "description": "第一个数 (first number)"},
            "b": {"type": "number", "description": "第二个数 (second number)"},
        },
        "required": ["operation", "a", "b"],
        "additionalProperties": False,
    },
}

WEATHER = {
    "name": "get_current_weather",
    "description": "查询一个城市当前的天气（模拟数据）。Current weather of a city (simulated data).",
    "parameters": {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "城市名称，例如 北京、杭州、London (name of the city)"},
            "units": {
                "type": "string",
                "enum": ["metric", "imperial"],
                "description": "温度单位：metric 为摄氏度（默认），imperial 为华氏度 (temperature unit)",
            },
        },
        "required": ["city"],
        "additionalProperties": False,
    },
}

CONDITIONS = ("晴朗", "多云", "局部多云", "小雨", "雷阵雨")


def echo(args, **kwargs):
    return "Echo: %s" % args.get("message", "")


def calculator(args, **kwargs):
    operation = args.get("operation")
    try:
        a, b = _number(args, "a"), _number(args, "b")
    except ValueError as exc:
        return "工具执行出错：%s" % exc
    if operation == "add":
        symbol, result = "+", a + b
    elif operation == "subtract":
        symbol, result = "-", a - b
    elif operation == "multiply":
        symbol, result = "*", a * b
    elif operation == "divide":
        if b == 0:
            return "错误：除数不能为零。"
        symbol, result = "/", a / b
    else:
        return "错误：不支持的运算类型 '%s'。" % operation
    return "计算结果：%s %s %s = %s" % (a, symbol, b, result)


def _number(args, name):
    value = args.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError("参数 %s 必须是数字" % name)
    return value


def get_current_weather(args, **kwargs):
    """Invented, but the same for a city all day."""
    city = str(args.get("city") or "").strip()
    if not city:
        return "工具执行出错：缺少参数 city"
    seed = zlib.crc32((city + time.strftime("%Y-%m-%d")).encode("utf-8"))
    celsius = 15 + seed % 200 / 10
    if args.get("units") == "imperial":
        temperature = "%.1f°F" % (celsius * 9 / 5 + 32)
    else:
        temperature = "%.1f°C" % celsius
    return "\n".join(
        (
            "%s的当前天气（模拟数据）：" % city,
            "- 天气状况：%s" % CONDITIONS[seed // 200 % len(CONDITIONS)],
            "- 温度：%s" % temperature,
            "- 湿度：%d%%" % (30 + seed // 1000 % 60),
            "- 数据更新时间：%s" % time.strftime("%Y-%m-%d %H:%M:%S"),
        )
    )


def register(ctx):
    ctx.register_tool("echo", "toolbox", ECHO, echo, emoji="🔁")
    ctx.register_tool("calculator", "toolbox", CALCULATOR, calculator, emoji="🧮")
    ctx.register_tool("get_current_weather", "toolbox", WEATHER, get_current_weather, emoji="🌤")
