"""Make a place to run the book in, around its plain notebooks.

    python book/_ext/launch_branch.py [FOLDER]

The folder, `_build/notebooks` unless another is named, holds the notebooks of
the runner's edition. This adds what a branch needs that Binder can launch and
that anybody can download: a start page, the library, and an environment
without the tools that build and test the pages, which take more room than
what runs the chapters.

The library is a wheel in the folder, and not an address of the repository. So
the branch is complete: it installs the code that its notebooks were run with,
also from a fork or a copy, and needs neither git nor tools that build.
"""

import argparse
import importlib.metadata
import json
import os
import re
import shutil
import tomllib
from pathlib import Path

import yaml
from edition import published
from notebooks import ROOT, parse, toc_notebooks
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

SOURCES = ROOT / "book" / "_launch"
FOLDER = ROOT / "_build" / "notebooks"
SITE = ROOT / "_build" / "html"
# What a runner needs beside the library, of the extra `book`.
PROGRAMS = {"ipykernel", "jupyterlab"}
# Where somebody runs the book, as the markers of requirements say it.
SYSTEMS = [
    {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"},
    {
        "sys_platform": "darwin",
        "platform_system": "Darwin",
        "os_name": "posix",
    },
    {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt"},
]


# --- The environment --------------------------------------------------------


def is_wanted(requirement, extras):
    """Tell whether a package, with these extras, has this requirement.

    It is enough if it has it on one of the systems.

    Examples
    --------
    >>> windows = Requirement("colorama; sys_platform == 'win32'")
    >>> is_wanted(windows, extras=())
    True
    >>> is_wanted(Requirement("pytest; extra == 'test'"), extras=())
    False
    """
    return requirement.marker is None or any(
        requirement.marker.evaluate(system | {"extra": extra})
        for system in SYSTEMS
        for extra in ("", *extras)
    )


def requirements_of(requirement):
    """Return what a package requires, as it is installed here.

    A package for another system is not installed; it gets no requirements.
    """
    try:
        texts = importlib.metadata.requires(requirement.name) or ()
    except importlib.metadata.PackageNotFoundError:
        return []
    each = map(Requirement, texts)
    return [it for it in each if is_wanted(it, requirement.extras)]


def closure(requirements):
    """Return the names of packages, and of all that they require."""
    seen, new = set(), [*requirements]
    while new:
        requirement = new.pop()
        wanted = canonicalize_name(requirement.name), *requirement.extras
        if wanted not in seen:
            seen.add(wanted)
            new += requirements_of(requirement)
    return {name for name, *_ in seen}


def read_project():
    """Return what `pyproject.toml` says of the project."""
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    return tomllib.loads(text)["project"]


def requirements_to_run(project):
    """Return what running requires, from `pyproject.toml`."""
    extras = project["optional-dependencies"]
    library = map(Requirement, project["dependencies"] + extras["study"])
    programs = map(Requirement, extras["book"])
    return [*library, *(it for it in programs if it.name in PROGRAMS)]


def pins(requirements):
    """Return the lines of a file of requirements that pin a package."""
    lines = requirements.splitlines()
    return [line for line in lines if not line.startswith(("#", "-"))]


def lean_pins(project, requirements):
    """Return the pins of what running requires, and of nothing else."""
    names = closure(requirements_to_run(project))
    return [
        line
        for line in pins(requirements)
        if canonicalize_name(Requirement(line).name) in names
    ]


def write_environment(folder):
    """Write the requirements, and the pins of what they leave out.

    By the latter, what is installed later, such as Dask, is exact as well.
    """
    wheel = write_wheel(folder)
    all_pins = (ROOT / "requirements.txt").read_text("utf-8")
    lines = [*lean_pins(read_project(), all_pins), f"./{wheel}[study]"]
    (folder / "requirements.txt").write_text(
        "# What running the book takes, exact.\n" + "\n".join(lines) + "\n"
    )
    (folder / "constraints.txt").write_text(
        "# The versions that the book was made with, of whatever is added.\n"
        + "\n".join(pins(all_pins))
        + "\n"
    )


def write_wheel(folder):
    """Build the library's wheel into a folder, in place of an older one."""
    from hatchling.build import build_wheel  # of the working directory

    for old in folder.glob("bayesbook-*.whl"):
        old.unlink()
    before = Path.cwd()
    try:
        os.chdir(ROOT)
        return build_wheel(str(folder))
    finally:
        os.chdir(before)


# --- The start page ---------------------------------------------------------


def title_of(notebook):
    """Return the first heading of a notebook."""
    text = "\n".join(cell.source for cell in notebook.cells)
    return re.search(r"^# (.+)", text, re.MULTILINE)[1]


def chapter_line(source, folder, pages):
    """Return the line of the start page for the notebook of a chapter."""
    title = title_of(parse((folder / source.name).read_text("utf-8")))
    page = source.relative_to(ROOT).with_suffix("").as_posix()
    return f"- [{title}]({source.name}), and [its page]({pages}{page}.html)"


def chapter_list(toc, folder, pages):
    """Return the chapters of each part, with links."""
    lines = []
    for part in toc["parts"]:
        lines += ["", f"**{part['caption']}**", ""]
        lines += [
            chapter_line(source, folder, pages)
            for source in toc_notebooks(part)
        ]
    return "\n".join(lines).strip()


def start_page(folder, config, toc):
    """Return the start page, with the addresses and chapters of this book."""
    repository = config["repository"]["url"].rstrip("/")
    pages = published(repository)
    text = (SOURCES / "README.md").read_text("utf-8")
    for name, value in {
        "repository": repository,
        "folder": repository.rpartition("/")[2],
        "branch": config["sphinx"]["config"]["launch_branch"],
        "pages": pages,
        "chapters": chapter_list(toc, folder, pages),
    }.items():
        text = text.replace(f"{{{name}}}", value)
    return text


# --- All of it --------------------------------------------------------------


def first_chapter(toc):
    """Return the name of the first chapter that has a number."""
    (part, *_) = [part for part in toc["parts"] if part.get("numbered")]
    return Path(part["chapters"][0]["file"]).name


def write_settings(folder, toc):
    """Write what JupyterLab finds in its folder of settings on Binder."""
    shutil.copytree(SOURCES / "settings", folder / "settings")
    address = f"/lab/tree/{first_chapter(toc)}.ipynb"
    (folder / "settings" / "jupyter_server_config.json").write_text(
        json.dumps({"LabApp": {"default_url": address}}, indent=2) + "\n"
    )


def read_book():
    """Return the parsed `_config.yml` and `_toc.yml`."""
    names = "_config.yml", "_toc.yml"
    return [yaml.safe_load((ROOT / it).read_text("utf-8")) for it in names]


def write_branch(folder, config, toc):
    """Add to the notebooks of a folder what makes it a branch to launch."""
    shutil.rmtree(folder / "settings", ignore_errors=True)
    write_environment(folder)
    write_settings(folder, toc)
    for source in (
        SOURCES / "postBuild",
        SOURCES / "workspace.json",
        ROOT / "runtime.txt",
        ROOT / "LICENSE",
    ):
        shutil.copy(source, folder)
    (folder / "README.md").write_text(start_page(folder, config, toc), "utf-8")


def offer_downloads(folder, site, toc):
    """Let the download buttons of pages that are built bring the notebooks."""
    for source in toc_notebooks(toc):
        download = site / "_sources" / source.relative_to(ROOT)
        if download.exists():
            shutil.copy(folder / source.name, download)


def main(arguments=None):
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    folder = parser.parse_args(arguments).folder.resolve()
    if not any(folder.glob("*.ipynb")):
        parser.error(f"no notebooks in {folder}: `make notebooks` writes them")
    config, toc = read_book()
    write_branch(folder, config, toc)
    offer_downloads(folder, SITE, toc)
    print(f"A branch to launch: {folder}")


if __name__ == "__main__":
    main()
