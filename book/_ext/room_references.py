"""Let a docstring name what its room makes public, wherever it is defined.

The reference documents an object under the name by which it is imported,
``bayesbook.graphs.parse``. The docstrings of ``bayesbook.graphs.parsing`` and
its neighbours call it ``parse``, or by the name of its module.
"""


def in_its_room(app, env, node, contnode):
    """Return a reference to the public name in the room of the docstring."""
    if node.get("refdomain") != "py":
        return None
    *path, name = node["reftarget"].split(".")
    module = node.get("py:module") or ""
    place = ".".join(path) if path[:1] == ["bayesbook"] else module
    room = ".".join(place.split(".")[:2])
    if not room.startswith("bayesbook."):
        return None
    rest = [part for part in path if part[:1].isupper()]
    return env.get_domain("py").resolve_xref(
        env,
        node["refdoc"],
        app.builder,
        node["reftype"],
        ".".join([room, *rest, name]),
        node,
        contnode,
    )


def setup(app):
    """Connect the resolver to Sphinx."""
    app.connect("missing-reference", in_its_room)
    return {"parallel_read_safe": True}
