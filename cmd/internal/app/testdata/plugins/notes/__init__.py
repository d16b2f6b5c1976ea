"""Adds context to a question, and has a hook that fails on one tool."""

SCHEMA = {
    "name": "note_add",
    "description": "Keep a note.",
    "parameters": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
}


def note_add(args, **kwargs):
    if not args["text"]:
        raise ValueError("an empty note")
    return '{"ok": true}'


def recall(user_message, **kwargs):
    if "remember" in user_message:
        return {"context": "RECALLED: the user lives in Berlin"}


def on_tool(tool_name, **kwargs):
    if tool_name == "note_add":
        raise ValueError("bad payload")


def register(ctx):
    ctx.register_tool("note_add", "notes", SCHEMA, note_add)
    ctx.register_hook("pre_llm_call", recall)
    ctx.register_hook("post_tool_call", on_tool)
