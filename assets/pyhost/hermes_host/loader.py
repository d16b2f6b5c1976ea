"""Imports plugins and keeps what they registered.

Module names, the parent package and the search path are those of the plugin
contract, section 4.1: hermes_plugins.<slug>, in sys.modules before its code
runs, its own folder as search path, sys.path untouched.
"""

import os
import sys
import time

from . import aio, context, trace

PARENT = "hermes_plugins"

#: Top-level names of Hermes' own modules that plugins import.
HERMES_MODULES = frozenset(
    (
        "agent",
        "cron",
        "gateway",
        "hermes_cli",
        "hermes_constants",
        "hermes_state",
        "model_tools",
        "plugins",
        "providers",
        "run_agent",
        "tools",
        "toolsets",
        "utils",
    )
)


class Tool:
    """One register_tool call."""

    __slots__ = (
        "name",
        "toolset",
        "schema",
        "handler",
        "check_fn",
        "requires_env",
        "is_async",
        "description",
        "emoji",
        "override",
        "nth",
    )


class Callback:
    """One register_hook call."""

    __slots__ = ("plugin", "hook", "fn", "name")

    def __init__(self, plugin, hook, fn):
        self.plugin, self.hook, self.fn = plugin, hook, fn
        self.name = getattr(fn, "__name__", None) or type(fn).__name__


class Command:
    """One register_command call."""

    __slots__ = ("name", "handler", "description", "args_hint")


class CLICommand:
    """One register_cli_command call."""

    __slots__ = ("name", "help", "setup", "handler", "description")


class Plugin:
    """A plugin and its registrations."""

    def __init__(self, params):
        self.key = params["key"]
        self.name = params.get("name") or self.key
        self.dir = params["dir"]  # folder or file of its code, "" when nobody knows yet
        self.module_name = params["module"]
        self.entry = params.get("entry") or "__init__.py"
        self.entry_point = params.get("entry_point") or ""  # of an installed package: "module" or "module:attribute"
        self.manifest = context.Manifest(params.get("manifest") or {})
        self.tools = []
        self.tools_of = {}  # name -> registrations of that name; the program decides which one counts
        self.callbacks = []
        self.commands = {}
        self.skills = {}
        self.cli_commands = {}
        self.notices = []
        self.live = False  # register() came back: what it adds now is announced
        self.gone = False

    def notice(self, code, **details):
        details["code"] = code
        self.notices.append(details)

    def add_tool(self, tool):
        """Keep one more registration. The same name and toolset once more takes
        the place of the one before it."""
        same = self.tools_of.setdefault(tool.name, [])
        last = same[-1] if same else None
        if last is not None and (last.toolset, last.override) == (tool.toolset, tool.override):
            tool.nth = last.nth
            same[-1] = tool
            self.tools[self.tools.index(last)] = tool
            return
        tool.nth = len(same)
        same.append(tool)
        self.tools.append(tool)

    def tool(self, name, nth):
        """The nth registration of name, None when there is none."""
        same = self.tools_of.get(name, ())
        return same[nth] if nth < len(same) else None

    def registrations(self):
        """What the program needs to know of them."""
        return {
            "key": self.key,
            "tools": [_tool_record(t) for t in self.tools],
            "hooks": [{"hook": c.hook, "callback": c.name} for c in self.callbacks],
            "commands": [
                {"name": c.name, "description": c.description, "args_hint": c.args_hint}
                for c in self.commands.values()
            ],
            "skills": self._skill_records(),
            "cli_commands": [
                {"name": c.name, "help": c.help, "description": c.description} for c in self.cli_commands.values()
            ],
            "notices": list(self.notices),
        }

    def _skill_records(self):
        if not self.skills:
            return []
        from . import skills

        namespace = self.manifest.name or self.name
        return [skills.record(namespace, s) for s in self.skills.values()]


def _tool_record(tool):
    schema = tool.schema if isinstance(tool.schema, dict) else {}
    parameters = schema.get("parameters")
    return {
        "name": tool.name,
        "toolset": tool.toolset,
        "description": tool.description,
        "schema": tool.schema,
        "parameters": parameters if isinstance(parameters, dict) else None,
        "requires_env": tool.requires_env,
        "is_async": tool.is_async,
        "emoji": tool.emoji,
        "override": tool.override,
        "nth": tool.nth,
        # Tools that share a function share its answer.
        "check": id(tool.check_fn) if tool.check_fn is not None else 0,
        "strict": schema.get("strict") is True
        or (isinstance(parameters, dict) and parameters.get("additionalProperties") is False),
    }


def load(host, params):
    """Import one plugin and call its register(); answers what came of it."""
    host.output.take_logging()
    plugin = Plugin(params)
    number = params.get("number") or 0
    host.recorder.name(plugin.key, number, plugin.dir)
    again = host.modules.get(plugin.module_name) == plugin.key
    host.modules[plugin.module_name] = plugin.key
    if plugin.entry_point:
        host.modules.setdefault(plugin.module_name.partition(".")[0], plugin.key)
    begin = time.perf_counter()
    module, error = None, None
    imported = begin
    try:
        if plugin.entry_point:
            module = host.plugin_call(plugin.key, "import", _import_package, plugin, again)
            host.recorder.name(plugin.key, number, plugin.dir)
        else:
            module = host.plugin_call(plugin.key, "import", _import, plugin)
        imported = time.perf_counter()
        host.plugin_call(plugin.key, "register", _register, host, plugin, module)
    except BaseException as exc:
        error = _failure(exc, plugin, "import" if module is None else "register")
    finally:
        host.output.stdout.end_line()
        host.output.stderr.end_line()
        host.output.flood_report(plugin.key)
    end = time.perf_counter()
    times = {"import_ms": (imported - begin) * 1000, "load_ms": (end - begin) * 1000}
    if error is not None:
        plugin.gone = True  # nothing it registered is kept (D5)
        return dict(times, ok=False, error=error, notices=plugin.notices)
    plugin.live = True
    with host.mu:
        host.plugins[plugin.key] = plugin
        _publish(host)
    return dict(times, ok=True, **plugin.registrations())


def unload(host, key):
    """Take a plugin's registrations back; its module stays until the end."""
    with host.mu:
        plugin = host.plugins.pop(key, None)
        if plugin is not None:
            plugin.gone = True
            _publish(host)
    return {"found": plugin is not None}


def announce(host, plugin):
    """Tell of what a plugin registered after register() had come back."""
    with host.mu:
        if plugin.gone:
            return
        _publish(host)
    host.wire.notify("plugin.changed", plugin.registrations())


def _publish(host):
    """Rebuild the hook table; the caller holds the lock."""
    table = {}
    for plugin in host.plugins.values():
        for callback in plugin.callbacks:
            table.setdefault(callback.hook, []).append(callback)
    host.hooks = table


def _import(plugin):
    import importlib.util

    init = os.path.join(plugin.dir, plugin.entry)
    if not os.path.isfile(init):
        raise FileNotFoundError("No %s in %s" % (plugin.entry, plugin.dir))
    _ensure_parent()
    # A second load in one process must not see the code of the first.
    _forget_modules(plugin)
    spec = importlib.util.spec_from_file_location(
        plugin.module_name, init, submodule_search_locations=[plugin.dir]
    )
    module = importlib.util.module_from_spec(spec)
    module.__package__ = plugin.module_name
    module.__path__ = [plugin.dir]
    sys.modules[plugin.module_name] = module
    spec.loader.exec_module(module)
    return module


def _forget_modules(plugin):
    prefix = plugin.module_name + "."
    for name in [n for n in sys.modules if n == plugin.module_name or n.startswith(prefix)]:
        del sys.modules[name]


def _import_package(plugin, again):
    """What the entry point names: a module, a class or a function. again says
    that this plugin was loaded before in this process."""
    import importlib

    if again:
        _forget_modules(plugin)
    name, _, attributes = plugin.entry_point.partition(":")
    found = module = importlib.import_module(name.strip())
    if not plugin.dir:
        plugin.dir = _code_of(module)
    for attribute in attributes.strip().split("."):
        if attribute:
            found = getattr(found, attribute)
    return found


def _code_of(module):
    """The folder of a package, or the file of a module that is alone."""
    file = getattr(module, "__file__", None) or ""
    return os.path.dirname(file) if getattr(module, "__path__", None) else file


def _ensure_parent():
    if PARENT not in sys.modules:
        parent = type(sys)(PARENT)
        parent.__path__ = []
        parent.__package__ = PARENT
        sys.modules[PARENT] = parent


class NoRegister(LookupError):
    """The module has nothing to call."""


def _register(host, plugin, module):
    register = getattr(module, "register", None)
    if plugin.entry_point:
        register = _register_of(module, register)
    if register is None:
        raise NoRegister("no register() function")
    result = register(context.PluginContext(host, plugin))
    if aio.is_awaitable(result):
        aio.discard(result)
        plugin.notice("async_register")


def _register_of(found, register):
    """What to call of an entry point's object (decision D8): its register, as a
    method of a new object where it is one, or the object when it is a function."""
    import inspect

    if not inspect.isclass(found):
        return found if register is None and inspect.isroutine(found) else register
    if inspect.isfunction(inspect.getattr_static(found, "register", None)):
        return found().register
    return register


def _failure(exc, plugin, where):
    record = trace.describe(exc, plugin.dir, where)
    if not isinstance(exc, Exception):
        record["message"] = trace.exit_text(exc)  # SystemExit and its kin
    hint = _hint(exc, plugin)
    if hint:
        record["hint"], record["hint_arg"] = hint
    return record


def _hint(exc, plugin):
    """What the author most likely has to change: a code and its argument."""
    if isinstance(exc, NoRegister):
        return "no_register", ""
    if isinstance(exc, ImportError) and exc.name:
        top = exc.name.partition(".")[0]
        if _is_sibling(plugin.dir, top):
            return "sibling_import", top
        if top in HERMES_MODULES:
            return "hermes_module", exc.name
        if isinstance(exc, ModuleNotFoundError) and top != PARENT:
            return "missing_module", top
    if isinstance(exc, AttributeError):
        wanted = getattr(exc, "name", None)  # since Python 3.10
        owner = getattr(exc, "obj", None)
        if wanted and isinstance(owner, context.PluginContext):
            close = context.closest(wanted)
            if close:
                return "did_you_mean", "ctx." + close
    return None


def _is_sibling(folder, name):
    return bool(folder) and (
        os.path.isfile(os.path.join(folder, name + ".py"))
        or os.path.isfile(os.path.join(folder, name, "__init__.py"))
    )
