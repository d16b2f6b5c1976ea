raise AssertionError("a plugin without its key must not be imported")
