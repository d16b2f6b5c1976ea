"""What the process may take of the machine (Unix)."""

import sys


def bound_memory(limit):
    """Keep this process and its children below limit bytes, each."""
    try:
        import resource

        # Linux counts what is written to; address space that libraries only
        # reserve (tens of GB) does not count there.
        kind = resource.RLIMIT_DATA if sys.platform.startswith("linux") else resource.RLIMIT_AS
        soft, hard = resource.getrlimit(kind)
        if hard == resource.RLIM_INFINITY or limit < hard:
            resource.setrlimit(kind, (limit, hard))
    except (ImportError, AttributeError, OSError, ValueError):
        pass  # a system without the limit


def prefer_as_victim():
    """When memory runs out, let the kernel end this process, not the screen."""
    try:
        with open("/proc/self/oom_score_adj", "w") as f:
            f.write("500")
    except OSError:
        pass
