"""Let the launch buttons of a page open its notebook in the runner's edition.

The theme's buttons lead to the page's source. The notebooks to be run are on
a branch of their own, `launch_branch`, all in one folder.
"""

from pathlib import PurePosixPath


def on_branch(address, branch, page, launch_branch):
    """Return the address of a launch button, for the edition's notebook.

    Examples
    --------
    >>> on_branch("https://b.org/v2/gh/a/b/main?urlpath=lab/tree/c/d.ipynb",
    ...           "main", "c/d", "notebooks")
    'https://b.org/v2/gh/a/b/notebooks?urlpath=lab/tree/d.ipynb'
    """
    to_page = address.removesuffix(f"{page}.ipynb")
    repository, _, way = to_page.rpartition(f"/{branch}")
    name = PurePosixPath(page).name
    return f"{repository}/{launch_branch}{way}{name}.ipynb"


def open_edition(app, pagename, templatename, context, doctree):
    """Change the addresses of the launch buttons of a page."""
    branch = app.config.html_theme_options["repository_branch"]
    for menu in context["header_buttons"]:
        if menu.get("label") == "launch-buttons":
            for button in menu["buttons"]:
                button["url"] = on_branch(
                    button["url"], branch, pagename, app.config.launch_branch
                )


def setup(app):
    """Register with Sphinx, after the theme has made its menus."""
    app.add_config_value("launch_branch", "", "html")
    app.connect("html-page-context", open_edition, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
