"""Every pin is what `pyproject.toml` allows, and what is installed."""

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]
REQUIREMENTS = (ROOT / "requirements.txt").read_text("utf-8")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def pins(requirements):
    """Return the version of each package that this environment needs."""
    found = {}
    for line in requirements.splitlines():
        if line.startswith(("#", "-e")):
            continue
        pin = Requirement(line)
        if pin.marker is None or pin.marker.evaluate():
            [version] = pin.specifier
            found[canonicalize_name(pin.name)] = Version(version.version)
    return found


def promises(pyproject):
    """Yield all that a package of the environment has to satisfy."""
    project = pyproject["project"]
    yield from project["dependencies"]
    for extra in project["optional-dependencies"].values():
        yield from extra
    yield from pyproject["tool"]["uv"]["constraint-dependencies"]


def broken(requirements, pyproject=PYPROJECT):
    """Say which promises the pins do not keep."""
    found = pins(requirements)
    return [
        promise
        for promise in promises(pyproject)
        for wanted in [Requirement(promise)]
        if (pin := found.get(canonicalize_name(wanted.name))) is None
        or pin not in wanted.specifier
    ]


def not_installed(requirements):
    """Return the pins that are of other versions than the installed ones."""
    return {
        name: str(pin)
        for name, pin in pins(requirements).items()
        if pin != installed(name)
    }


def installed(name):
    try:
        return Version(metadata.version(name))
    except metadata.PackageNotFoundError:
        return None


def repinned(name, version):
    changed, times = re.subn(
        rf"(?m)^{name}==\S+", f"{name}=={version}", REQUIREMENTS
    )
    assert times == 1
    return changed


def test_the_pins_keep_all_promises():
    assert broken(REQUIREMENTS) == []


@pytest.mark.repository
def test_what_is_pinned_is_installed():
    assert not_installed(REQUIREMENTS) == {}


@pytest.mark.parametrize(
    ("name", "version", "promise"),
    [
        ("numpy", "1.26.4", ["numpy>=2.0", "numpy==2.4.6"]),
        ("sphinx", "8.0.0", ["sphinx==7.4.7"]),
        ("fastjsonschema", "2.15", ["fastjsonschema>=2.16"]),
    ],
)
def test_a_pin_below_a_promise_is_seen(name, version, promise):
    wrong = broken(repinned(name, version))
    assert [it.replace(" ", "") for it in wrong] == promise


def test_a_package_without_a_pin_is_seen():
    assert broken(REQUIREMENTS.replace("\nscipy==", "\n# scipy==")) != []


@pytest.mark.repository
def test_another_version_than_the_installed_one_is_seen():
    changed = repinned("scipy", "1.17.0")
    assert not_installed(changed) == {"scipy": "1.17.0"}
