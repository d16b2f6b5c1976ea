"""Level of the plugin contract that the host implements."""

__version__ = "0.19.0"
