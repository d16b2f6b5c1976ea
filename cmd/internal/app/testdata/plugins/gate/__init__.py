"""Waits until the other end of a connection closes it: a test knows when the
code runs, and decides when it goes on."""

import os
import socket

SCHEMA = {
    "name": "wait",
    "description": "Wait for a connection to end.",
    "parameters": {
        "type": "object",
        "properties": {"name": {"type": "string"}, "at": {"type": "string"}},
        "required": ["name"],
    },
}


def pause(name, at=""):
    host, port = (at or os.environ["GATE_ADDR"]).rsplit(":", 1)
    with socket.create_connection((host, int(port))) as conn:
        conn.sendall(name.encode() + b"\n")
        conn.recv(1)


def wait(args, **kwargs):
    pause(args["name"], args.get("at", ""))
    return '{"waited": "%s"}' % args["name"]


def before(user_message, **kwargs):
    if "gated" in user_message:
        pause("pre_llm_call")
        return {"context": "GATED CONTEXT"}


def after(tool_name, args, **kwargs):
    if args.get("then"):
        pause("post_tool_call")


def register(ctx):
    ctx.register_tool("wait", "gate", SCHEMA, wait)
    ctx.register_hook("pre_llm_call", before)
    ctx.register_hook("post_tool_call", after)
