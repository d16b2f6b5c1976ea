"""What the user added to Python's search path.

The interpreter is started isolated, so that neither the working directory nor
PYTHONPATH comes before the standard library. What the user installed for every
Python is honoured nevertheless, behind everything else.
"""

import os
import site
import sys


def extend():
    """Append PYTHONPATH and the user's own packages to the search path."""
    for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep):
        # A relative entry would be the working directory or lie in it.
        if os.path.isabs(entry) and os.path.exists(entry) and entry not in sys.path:
            sys.path.append(entry)
    if _user_site_enabled():
        folder = site.getusersitepackages()
        if os.path.isdir(folder) and folder not in sys.path:
            site.addsitedir(folder)  # appends, and reads its .pth files


def _user_site_enabled():
    """site.ENABLE_USER_SITE as it would be without the isolation."""
    if os.environ.get("PYTHONNOUSERSITE"):
        return False
    if hasattr(os, "geteuid") and (os.geteuid() != os.getuid() or os.getegid() != os.getgid()):
        return False
    # A virtual environment without the system's packages has no others either.
    return sys.base_prefix in site.PREFIXES
