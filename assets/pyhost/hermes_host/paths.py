"""What the user added to Python's search path.

The interpreter is started isolated, so that neither the working directory nor
PYTHONPATH comes before the standard library. What the user installed for every
Python is honoured nevertheless, behind everything else; so is the managed
environment of Hermes when another interpreter of its version was chosen.
"""

import os
import site
import sys


def extend():
    """Append PYTHONPATH, the user's own packages and the managed environment to
    the search path."""
    for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep):
        # A relative entry would be the working directory or lie in it.
        if os.path.isabs(entry) and os.path.exists(entry) and entry not in sys.path:
            sys.path.append(entry)
    if _user_site_enabled():
        folder = site.getusersitepackages()
        if os.path.isdir(folder) and folder not in sys.path:
            site.addsitedir(folder)  # appends, and reads its .pth files
    folder = _managed()
    if folder and folder not in sys.path:
        site.addsitedir(folder)


def folders():
    """The folders of the search path, behind our shims: packages may be there."""
    return [p for p in sys.path[1:] if os.path.isabs(p) and os.path.isdir(p)]


def _managed():
    """The packages of $HERMES_HOME/venv, None when it is of another version."""
    home = os.environ.get("HERMES_HOME")
    if not home or not os.path.isabs(home):
        return None
    venv = os.path.join(home, "venv")
    if os.name != "nt":
        folder = os.path.join(venv, "lib", "python%d.%d" % sys.version_info[:2], "site-packages")
    elif _venv_version(venv) == sys.version_info[:2]:
        folder = os.path.join(venv, "Lib", "site-packages")
    else:
        return None
    return folder if os.path.isdir(folder) else None


def _venv_version(venv):
    """The version that pyvenv.cfg names: there the folder does not tell."""
    try:
        with open(os.path.join(venv, "pyvenv.cfg"), encoding="utf-8", errors="replace") as f:
            for line in f:
                key, _, value = line.partition("=")
                if key.strip() in ("version", "version_info"):
                    return tuple(int(n) for n in value.strip().split(".")[:2])
    except (OSError, ValueError):
        pass
    return None


def _user_site_enabled():
    """site.ENABLE_USER_SITE as it would be without the isolation."""
    if os.environ.get("PYTHONNOUSERSITE"):
        return False
    if hasattr(os, "geteuid") and (os.geteuid() != os.getuid() or os.getegid() != os.getgid()):
        return False
    # A virtual environment without the system's packages has no others either.
    return sys.base_prefix in site.PREFIXES
