"""Names of the hooks (plugin contract section 6.3)."""

KNOWN = frozenset(
    (
        "api_request_error",
        "kanban_task_blocked",
        "kanban_task_claimed",
        "kanban_task_completed",
        "on_session_end",
        "on_session_finalize",
        "on_session_reset",
        "on_session_start",
        "post_api_request",
        "post_approval_response",
        "post_llm_call",
        "post_tool_call",
        "pre_api_request",
        "pre_approval_request",
        "pre_gateway_dispatch",
        "pre_llm_call",
        "pre_tool_call",
        "pre_verify",
        "subagent_start",
        "subagent_stop",
        "transform_llm_output",
        "transform_terminal_output",
        "transform_tool_result",
    )
)

SCHEMA_VERSION = "hermes.observer.v1"


def closest(name):
    """The known hook whose name is nearest, "" when none is near."""
    return nearest(name, sorted(KNOWN)) or ""


def nearest(name, names):
    import difflib

    found = difflib.get_close_matches(name, names, n=1)
    return found[0] if found else None
