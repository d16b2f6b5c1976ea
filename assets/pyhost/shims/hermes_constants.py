"""Places of Hermes, as plugins ask for them."""

import os
from contextvars import ContextVar
from pathlib import Path

_override = ContextVar("hermes_home_override", default=None)


def get_process_hermes_home():
    """HERMES_HOME, else the user's default; not created."""
    value = os.environ.get("HERMES_HOME", "").strip()
    return Path(value) if value else _default_home()


def _default_home():
    if os.name == "nt":
        base = os.environ.get("LOCALAPPDATA")
        return (Path(base) if base else Path.home() / "AppData" / "Local") / "hermes"
    return Path.home() / ".hermes"


def get_hermes_home():
    override = _override.get()
    return Path(override) if override else get_process_hermes_home()


def get_default_hermes_root():
    """The home above profiles."""
    home = get_hermes_home()
    if home.parent.name == "profiles":
        return home.parent.parent
    return home


def get_hermes_dir(new_subpath, old_name):
    """The old folder if something is in it, else the new one."""
    home = get_hermes_home()
    old = home / old_name
    try:
        if any(old.iterdir()):
            return old
    except OSError:
        pass
    return home / new_subpath


def display_hermes_home():
    home = get_hermes_home()
    try:
        return "~/" + home.relative_to(Path.home()).as_posix()
    except ValueError:
        return str(home)


def get_config_path():
    return get_hermes_home() / "config.yaml"


def set_hermes_home_override(path):
    return _override.set(str(path) if path else None)


def reset_hermes_home_override(token):
    _override.reset(token)
