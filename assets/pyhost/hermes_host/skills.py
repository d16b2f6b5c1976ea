"""Skills that plugins bring along (plugin contract section 13)."""

import pathlib
import re

_NAME = re.compile(r"[a-zA-Z0-9_-]+")


class Skill:
    """One register_skill call."""

    __slots__ = ("name", "path", "description")


def register(plugin, name, path, description):
    """Keep a skill under the plugin's name; the texts are the reference's."""
    namespace = plugin.manifest.name or plugin.name
    if ":" in name:
        raise ValueError(
            "Skill name '%s' must not contain ':' (the namespace is derived from the plugin name '%s' automatically)."
            % (name, namespace)
        )
    if not _NAME.fullmatch(name):
        raise ValueError("Invalid skill name '%s'. Must match [a-zA-Z0-9_-]+." % name)
    file = pathlib.Path(path)  # text, too (D7)
    if not file.is_absolute():
        beside = pathlib.Path(plugin.dir or ".") / file
        file = beside if beside.exists() or not file.exists() else file.absolute()
    if file.is_dir() and (file / "SKILL.md").is_file():
        file = file / "SKILL.md"
    if not file.exists():
        raise FileNotFoundError("SKILL.md not found at %s" % path)
    skill = Skill()
    skill.name, skill.path, skill.description = name, str(file), description or ""
    plugin.skills[name] = skill
    return skill


def record(namespace, skill):
    """What the program needs to know of it."""
    return {
        "name": "%s:%s" % (namespace, skill.name),
        "description": skill.description,
        "path": skill.path,
    }
