"""What the program may ask of the host, by method name."""


def _on_init(host, job):
    return host.configure(job.params)


def _on_load(host, job):
    from . import loader

    return loader.load(host, job.params)


def _on_unload(host, job):
    from . import loader

    return loader.unload(host, job.params["key"])


def _on_tool(host, job):
    from . import tools

    return tools.call(host, job)


def _on_check(host, job):
    from . import tools

    return tools.check(host, job.params)


def _on_command(host, job):
    from . import commands

    return commands.run(host, job)


def _on_hook(host, job):
    from . import hooks

    return hooks.invoke(host, job)


def _on_shutdown(host, params):
    host.stop()
    return {}


def _on_cancel(host, params):
    return host.give_up(params.get("id"))


def _on_where(host, params):
    from . import hooks

    return hooks.where(host, params.get("id"))


def _on_skip(host, params):
    from . import hooks

    return hooks.skip(host, params)


def _on_status(host, params):
    with host.mu:
        stuck = sum(worker.broken_off for worker in host.zombies)
        return {"stuck": stuck, "jobs": len(host.jobs), "lanes": len(host.lanes)}


#: Run on the lane that the request names.
QUEUED = {
    "init": _on_init,
    "plugin.load": _on_load,
    "plugin.unload": _on_unload,
    "tool.call": _on_tool,
    "tool.check": _on_check,
    "command.run": _on_command,
    "hook.invoke": _on_hook,
}

#: Answered by the reader itself, ahead of every queue. None of them runs
#: plugin code.
URGENT = {
    "cancel": _on_cancel,
    "hook.where": _on_where,
    "hook.skip": _on_skip,
    "status": _on_status,
    "shutdown": _on_shutdown,
}
