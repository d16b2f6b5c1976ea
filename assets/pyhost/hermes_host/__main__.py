"""Entry point; run as a script: python -I __main__.py IN,OUT,LIFE,BOX

The numbers are inherited descriptors: requests in, answers out, a pipe that
ends with the program, and the flight recorder. Without them the channel is
the standard input and output.

Only syntax of old Pythons here, so that a wrong one can say so.
"""

import sys

if sys.version_info < (3, 9):
    sys.stderr.write("plugin host: Python 3.9 or later is needed, this is %d.%d\n" % sys.version_info[:2])
    sys.exit(64)

import os

_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, _ROOT)

from hermes_host import boot  # noqa: E402  (needs the path above)

# The package finds its own modules without the path from here on. What
# plugins may import from Hermes lies in shims.
sys.path[0] = os.path.join(_ROOT, "shims")

if sys.argv[1:2] == ["--foreground"]:
    from hermes_host import foreground

    foreground.main(sys.argv[2])
else:
    boot.main(sys.argv[1:])
