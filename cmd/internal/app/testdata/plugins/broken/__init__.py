def register(ctx):
    raise RuntimeError("boom at register")
