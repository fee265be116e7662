"""The check that the packages of the extra ``study`` are installed.

It stands alone so that it runs before the imports that need them.
"""

from importlib.util import find_spec

_NEEDED = {
    "fastjsonschema": "fastjsonschema",
    "jsonschema": "jsonschema",
    "markdown_it": "markdown-it-py",
    "mdit_py_plugins": "mdit-py-plugins",
    "yaml": "pyyaml",
}

# Found, not imported: jsonschema takes a second, which sound banks do without.
_missing = [pip for name, pip in _NEEDED.items() if find_spec(name) is None]
if _missing:
    raise ImportError(
        f"Quizzes need {', '.join(_missing)}, not installed here: "
        'pip install "bayesbook[study]"'
    )
