"""A guard: it blocks calls whose arguments hold a forbidden word."""

import json


def no_rm(tool_name, args, **kwargs):
    if "rm -rf" in json.dumps(args):
        return {"action": "block", "message": "rm -rf is forbidden here"}


def register(ctx):
    ctx.register_hook("pre_tool_call", no_rm)
