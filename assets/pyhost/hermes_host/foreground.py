"""A process for one `hermes <plugin command>`: it has the user's terminal.

It loads the plugins as the host does, and has no program behind it that it
could ask for anything.
"""

import json
import os
import sys

from . import boot, loader, paths, recorder, runtime


class _Stream:
    def end_line(self):
        pass


class _Output:
    """Prints go where they go."""

    stdout = stderr = _Stream()

    def take_logging(self):
        pass

    def reinstall(self):
        pass

    def flood_report(self, key):
        pass


class Foreground(runtime.Host):
    """A host whose plugins keep the process's own streams and folder."""

    def __init__(self, init):
        null = os.open(os.devnull, os.O_RDWR)
        super().__init__(boot.Channel(null, null, -1, -1))
        self.wire.cut()
        self.stopping = True  # calls of the program are answered at once: it is not there
        self.init = init
        self.recorder = recorder.Recorder(-1)
        self.output = _Output()

    def tidy(self):
        pass


def main(path):
    """Run the command that the file asks for. The file is gone afterwards when
    a plugin has the command."""
    with open(path, encoding="utf-8") as f:
        job = json.load(f)
    paths.extend()
    host = Foreground(job["init"])
    for params in job["plugins"]:
        loaded = loader.load(host, params)
        if not loaded["ok"]:
            error = loaded["error"]
            _say("plugin %s was not loaded: %s" % (params["key"], error.get("message") or error.get("type")))
    argv = job["argv"]
    commands = {}
    for plugin in host.plugins.values():
        for name, command in plugin.cli_commands.items():
            commands[name] = plugin, command  # a later one has it
    if argv[0] not in commands:
        return
    os.unlink(path)
    plugin, command = commands[argv[0]]
    sys.argv = ["hermes"] + argv
    parser = _parser(command)
    if parser is None:
        sys.exit(1)
    args = parser.parse_args(argv[1:])
    args.command = argv[0]
    function = getattr(args, "func", None)
    if function is None:
        parser.print_help()
        return
    from . import aio

    value = host.plugin_call(plugin.key, "command " + argv[0], function, args)
    if aio.is_awaitable(value):
        aio.run(value)


def _parser(command):
    """The command's own parser; None when its setup function failed. Other
    commands do not suffer from that."""
    import argparse

    parser = argparse.ArgumentParser(
        prog="hermes " + command.name,
        description=command.description or command.help,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    try:
        command.setup(parser)
    except Exception as exc:
        _say("the arguments of command %s cannot be set up: %s: %s" % (command.name, type(exc).__name__, exc))
        return None
    if command.handler is not None:
        parser.set_defaults(func=command.handler)
    return parser


def _say(text):
    sys.stderr.write("hermes: %s\n" % text)
