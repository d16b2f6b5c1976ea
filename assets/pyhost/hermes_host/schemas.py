"""Tool schemas as authors write them, brought into one form (D35)."""


def normalize(plugin, name, schema, description):
    """The function object of schema: {name, description, parameters, ...}.

    Accepted besides: OpenAI's wrapper, and a bare JSON Schema of the
    arguments. Anything else that is no dict fails where the reference does,
    when it has to look for a description.
    """
    if not isinstance(schema, dict):
        if schema is None and description:
            return {"name": name, "description": description}
        kind = type(schema).__name__
        raise AttributeError(
            "'%s' object has no attribute 'get' (register_tool %r: schema must be a dict, not %s)" % (kind, name, kind)
        )
    inner = schema.get("function")
    if schema.get("type") == "function" and isinstance(inner, dict):
        plugin.notice("schema_wrapped", tool=str(name))
        return inner
    if "parameters" not in schema and schema.get("type") == "object" and isinstance(schema.get("properties"), dict):
        plugin.notice("schema_bare", tool=str(name))
        parameters = {k: v for k, v in schema.items() if k != "name"}
        return {
            "name": name,
            "description": description or schema.get("description") or "",
            "parameters": parameters,
        }
    return schema
