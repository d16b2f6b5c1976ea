"""The object that a plugin's register() is given."""

from . import hookdefs

_MISSING = object()


class NotOffered(NotImplementedError):
    """A member of the plugin API that this version does not carry out yet."""


class Manifest:
    """What plugin.yaml said, as plugins see it."""

    def __init__(self, values):
        self.name = ""
        self.version = ""
        self.description = ""
        self.author = ""
        self.requires_env = []
        self.provides_tools = []
        self.provides_hooks = []
        self.source = ""
        self.path = None
        self.kind = "standalone"
        self.key = ""
        self.__dict__.update({name: _revived(value) for name, value in values.items()})

    def __repr__(self):
        return "PluginManifest(name=%r, version=%r, key=%r)" % (self.name, self.version, self.key)


def _revived(value):
    """Undo the marks of YAML values that JSON has no form for."""
    if isinstance(value, list):
        return [_revived(v) for v in value]
    if not isinstance(value, dict):
        return value
    mark = value.get("__py__")
    if len(value) != 1 or not isinstance(mark, list) or len(mark) != 2:
        return {k: _revived(v) for k, v in value.items()}
    kind, text = mark
    if kind == "float":
        return float(text)
    if kind == "bytes":
        import base64

        return base64.b64decode(text)
    if kind == "dict":
        return {_revived(k): _revived(v) for k, v in text}
    import datetime

    return (datetime.date if kind == "date" else datetime.datetime).fromisoformat(text)


class PluginContext:
    """The facade of plugin contract section 5, as far as it is offered."""

    def __init__(self, host, plugin):
        self._host = host
        self._plugin = plugin

    # ---- properties

    @property
    def manifest(self):
        return self._plugin.manifest

    @property
    def profile_name(self):
        return self._host.init.get("profile") or "default"

    @property
    def llm(self):
        return _NotOfferedObject("llm", self._plugin.name)

    # ---- registrations

    def register_tool(
        self,
        name,
        toolset=None,
        schema=_MISSING,
        handler=_MISSING,
        check_fn=None,
        requires_env=None,
        is_async=False,
        description="",
        emoji="",
        override=False,
    ):
        _require("register_tool", schema=schema, handler=handler)
        from . import loader, schemas

        plugin = self._plugin
        tool = loader.Tool()
        tool.name = name
        tool.toolset = toolset or plugin.manifest.name or plugin.key
        tool.schema = schemas.normalize(plugin, name, schema, description)
        tool.handler = handler
        tool.check_fn = check_fn
        tool.requires_env = list(requires_env or [])
        tool.is_async = bool(is_async)
        tool.description = description or (tool.schema or {}).get("description", "") or ""
        tool.emoji = emoji or ""
        tool.override = bool(override)
        plugin.add_tool(tool)
        self._debug("Plugin %s registered tool: %s%s", plugin.name, name, " (override)" if override else "")
        self._changed()

    def register_hook(self, hook_name, callback):
        from . import loader

        plugin = self._plugin
        if hook_name not in hookdefs.KNOWN:
            self._log().warning(
                "Plugin '%s' registered unknown hook '%s' (valid: %s)",
                plugin.name,
                hook_name,
                ", ".join(sorted(hookdefs.KNOWN)),
            )
            plugin.notice("unknown_hook", hook=str(hook_name), meant=hookdefs.closest(str(hook_name)))
        plugin.callbacks.append(loader.Callback(plugin, hook_name, callback))
        self._debug("Plugin %s registered hook: %s", plugin.name, hook_name)
        self._changed()

    def register_command(self, name, handler, description="", args_hint="", help=None):
        from . import loader

        plugin = self._plugin
        clean = name.lower().strip().lstrip("/").replace(" ", "-")
        if not clean:
            self._log().warning("Plugin '%s' tried to register a command with an empty name.", plugin.name)
            plugin.notice("empty_command")
            return
        command = loader.Command()
        command.name = clean
        command.handler = handler
        command.description = description or help or "Plugin command"
        command.args_hint = (args_hint or "").strip()
        plugin.commands[clean] = command
        self._debug("Plugin %s registered command: /%s", plugin.name, clean)
        self._changed()

    def register_skill(self, name, path, description=""):
        from . import skills

        plugin = self._plugin
        skills.register(plugin, name, path, description)
        self._debug("Plugin %s registered skill: %s:%s", plugin.name, plugin.manifest.name or plugin.name, name)
        self._changed()

    def register_cli_command(self, name, help, setup_fn, handler_fn=None, description=""):
        from . import loader

        command = loader.CLICommand()
        command.name, command.help, command.description = str(name), help or "", description or ""
        command.setup, command.handler = setup_fn, handler_fn
        self._plugin.cli_commands[command.name] = command
        self._debug("Plugin %s registered CLI command: %s", self._plugin.name, name)
        self._changed()

    # ---- what plugins ask of the program

    def dispatch_tool(self, tool_name=_MISSING, args=_MISSING, **kwargs):
        if tool_name is _MISSING:
            tool_name = kwargs.pop("name", _MISSING)  # as the guide prints it (D7)
        if args is _MISSING:
            args = kwargs.pop("arguments", _MISSING)
        _require("dispatch_tool", tool_name=tool_name, args=args)
        from . import reverse

        return reverse.dispatch(self._host, self._plugin, tool_name, args, kwargs)

    def inject_message(self, content, role="user"):
        from . import reverse

        if reverse.inject(self._host, self._plugin, content, role):
            return True
        self._log().warning("inject_message: no CLI reference (not available in gateway mode)")
        return False

    # ---- helpers

    def _changed(self):
        if self._plugin.live:
            from . import loader

            loader.announce(self._host, self._plugin)

    def _log(self):
        import logging

        return logging.getLogger("hermes_cli.plugins")

    def _debug(self, text, *args):
        if self._host.init.get("debug"):
            self._log().debug(text, *args)


#: Members of 0.19.0 that exist here and say that they are not offered yet.
#: Members that 0.19.0 lacks must stay absent, so that feature tests work (D27).
NOT_OFFERED = (
    "register_auxiliary_task",
    "register_browser_provider",
    "register_context_engine",
    "register_dashboard_auth_provider",
    "register_image_gen_provider",
    "register_memory_provider",  # not in 0.19.0, but printed by the guide (D7)
    "register_middleware",
    "register_platform",
    "register_secret_source",
    "register_slack_action_handler",
    "register_transcription_provider",
    "register_tts_provider",
    "register_video_gen_provider",
    "register_web_search_provider",
)


def _not_offered(name):
    def method(self, *args, **kwargs):
        raise NotOffered(_not_offered_text(name + "()", self._plugin.name))

    method.__name__ = name
    method.__qualname__ = "PluginContext." + name
    return method


def _not_offered_text(member, plugin):
    return (
        "ctx.%s is part of the Hermes plugin API 0.19.0, but this version of hermes does not offer it yet "
        "(called by plugin '%s')" % (member, plugin)
    )


for _name in NOT_OFFERED:
    setattr(PluginContext, _name, _not_offered(_name))
del _name


class _NotOfferedObject:
    """ctx.llm: there, as feature tests expect, but none of its methods works."""

    def __init__(self, name, plugin):
        self.__name, self.__plugin = name, plugin

    def __getattr__(self, member):
        if member.startswith("__"):
            raise AttributeError(member)
        text = _not_offered_text("%s.%s()" % (self.__name, member), self.__plugin)

        def method(*args, **kwargs):
            raise NotOffered(text)

        return method


def _require(method, **given):
    """Report arguments that were left out, in Python's own words."""
    missing = ["'%s'" % name for name, value in given.items() if value is _MISSING]
    if not missing:
        return
    names = missing[0] if len(missing) == 1 else "%s and %s" % (", ".join(missing[:-1]), missing[-1])
    raise TypeError(
        "PluginContext.%s() missing %d required positional argument%s: %s"
        % (method, len(missing), "" if len(missing) == 1 else "s", names)
    )


def closest(name):
    """The public member whose name is nearest, None when none is near."""
    return hookdefs.nearest(name, [m for m in dir(PluginContext) if not m.startswith("_")])
