"""Let a docstring name what its room makes public, wherever it is defined.

The reference documents an object under the name by which it is imported,
``bayesbook.graphs.parse``. The docstrings of ``bayesbook.graphs.parsing`` and
its neighbours call it ``parse``, or by the name of a module that has it.
"""

from importlib import import_module
from itertools import takewhile


def has(module, name):
    """Return whether a module exists and has a name."""
    try:
        return hasattr(import_module(module), name)
    except ModuleNotFoundError:
        return False


def public_name(target, module):
    """Return the name in its room of what a docstring of a module names.

    None if the target names a module that does not exist, or one that does not
    have it: then the reference is an error, as everywhere.
    """
    path = target.split(".")
    modules = [*takewhile(lambda part: part.islower(), path[:-1])]
    rest = path[len(modules) :]
    place = module
    if modules:
        package = module.rpartition(".")[0]
        room = ".".join(module.split(".")[:2])
        above = ["bayesbook", room, package]
        places = [".".join([at, *modules]) for at in above]
        if path[0] == "bayesbook":
            places = [".".join(modules)]
        place = next((at for at in places if has(at, rest[0])), "")
    room = ".".join(place.split(".")[:2])
    return ".".join([room, *rest]) if room.startswith("bayesbook.") else None


def in_its_room(app, env, node, contnode):
    """Return a reference to the public name in the room of the docstring."""
    if node.get("refdomain") != "py":
        return None
    target = public_name(node["reftarget"], node.get("py:module") or "")
    return target and env.get_domain("py").resolve_xref(
        env,
        node["refdoc"],
        app.builder,
        node["reftype"],
        target,
        node,
        contnode,
    )


def setup(app):
    """Connect the resolver to Sphinx."""
    app.connect("missing-reference", in_its_room)
    return {"parallel_read_safe": True}
