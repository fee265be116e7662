"""Every built page works from the disk, without a network, for everyone.

These are one test, as a part of a page that others have is looked at a few
times; and a file, which one worker runs beside all that the others run.
"""

from browsing import accessibility_problems
from looking import (
    NARROW,
    NO_COLOURS,
    leave_out_known,
    lost_names,
    maths_problems,
    problems_on_a_phone,
    problems_when_dark,
    problems_when_light,
    unfold,
)


def every_page(site):
    return sorted(p for p in site.rglob("*.html") if "_static" not in p.parts)


def name(site, path):
    return path.relative_to(site).as_posix()


def test_pages_work_offline_for_everyone(tab, site):
    problems, seen = {}, {}
    for path in every_page(site):
        with tab.visit(path, NARROW[0]) as page:
            found = maths_problems(page)
            unfold(page)
            found += lost_names(page) + problems_on_a_phone(page)
            leave_out_known(page, seen)
            found += accessibility_problems(page, NO_COLOURS)
            found += problems_when_light(page)
            found += [f"dark: {x}" for x in problems_when_dark(page)]
            found += tab.faults
        if found:
            problems[name(site, path)] = found
    assert problems == {}
