"""Step-throughs: what is drawn, what is told, and what is refused."""

import re
from dataclasses import FrozenInstanceError
from itertools import accumulate

import numpy as np
import pytest
from bs4 import BeautifulSoup
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import beta

from bayesbook.study.stepper import Frame, show
from bayesbook.study.stepper.picture import ticks
from bayesbook.study.stepper.render import MOST_LABELS, describe, html, plain

LINE = ([0, 1], [0, 1])
THETA = np.linspace(0, 1, 81)
TOSSES = (1, 0, 1, 1, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1)


def density(a, b):
    return THETA, beta(a, b).pdf(THETA)


def beta_frames(tosses=TOSSES):
    """Return the frames of chapter 11: the last posterior is the prior."""
    a = b = 1
    yield Frame("Before the first toss", {"posterior": density(a, b)})
    for place, toss in enumerate(tosses, 1):
        prior = density(a, b)
        a, b = a + toss, b + 1 - toss
        yield Frame(
            f"Toss {place} of {len(tosses)}: {'heads' if toss else 'tails'}",
            {
                "posterior": density(a, b),
                "prior": prior,
                "likelihood": (THETA, THETA if toss else 1 - THETA),
            },
            text=rf"$\mathrm{{Beta}}({a}, {b})$, of mean ${a}/{a + b}$.",
        )


def step(*frames, name="test", x_label="x", y_label="y"):
    return show(name, frames, x_label=x_label, y_label=y_label)


def parsed(shown):
    return BeautifulSoup(html(shown), "html.parser")


# --- Reading a picture as a browser does ------------------------------------


def points(data):
    """Return the corners of a path that is drawn in steps."""
    x, y, *steps = map(int, re.findall(r"-?\d+", data))
    assert re.fullmatch(r"M-?\d+[ -]\d+l[-\d ]+", data)
    pairs = zip([x, *steps[::2]], [y, *steps[1::2]], strict=True)
    return np.array(
        list(accumulate(pairs, lambda a, b: (a[0] + b[0], a[1] + b[1])))
    )


def axis(page, across):
    """Return the ticks of an axis, and their places."""
    group = page.select_one(
        f'g[text-anchor="{"middle" if across else "end"}"]'
    )
    texts = group.find_all("text")
    texts = texts[:-1] if across else texts  # the last one is the label
    values = [float(text.get_text().replace("−", "-")) for text in texts]
    return values, [int(text["x" if across else "y"]) for text in texts]


def drawn(page):
    """Return each frame's curves by their lines' numbers, and two tolerances.

    The tolerances are what a tenth of a pixel is in x, and in y.
    """
    (xs, x_at), (ys, y_at) = axis(page, True), axis(page, False)
    y_at = [y - 60 for y in y_at]  # letters stand on their base line
    curves = []
    for frame in page.select(".stepper-frame"):
        curves.append({})
        for use in frame.select("use[class]"):
            x, y = points(page.select_one(use["href"])["d"]).T
            line = int(use["class"][-1].removeprefix("stepper-line-"))
            curves[-1][line - 1] = (
                np.interp(x, x_at, xs),
                np.interp(y, y_at[::-1], ys[::-1]),
            )
    tenths = (np.ptp(xs) / np.ptp(x_at), np.ptp(ys) / np.ptp(y_at))
    return curves, *tenths


FLOATS = st.floats(-1e6, 1e6)


@st.composite
def frames(draw):
    made = []
    for place in range(draw(st.integers(1, 3))):
        labels = draw(st.sets(st.sampled_from("abcd"), min_size=1))
        curves = {}
        for label in sorted(labels):
            n = draw(st.integers(2, 6))
            x, y = (draw(arrays(float, n, elements=FLOATS)) for _ in "xy")
            x[0], x[-1] = -1, 1
            curves[label] = x, y
        made.append(Frame(str(place), curves))
    return made


@given(frames())
@settings(max_examples=30)
def test_every_point_is_drawn_where_the_axes_say(made):
    shown = step(*made)
    curves, x_tenth, y_tenth = drawn(parsed(shown))
    assert len(curves) == len(made)
    for frame, found in zip(made, curves, strict=True):
        assert found.keys() == {shown.labels.index(c) for c in frame.curves}
        for label, (x, y) in frame.curves.items():
            u, v = found[shown.labels.index(label)]
            assert u == pytest.approx(x, abs=1.1 * x_tenth)
            assert v == pytest.approx(y, abs=1.1 * y_tenth)


def test_the_beta_updates_are_drawn_where_scipy_says():
    a = b = 1
    curves, _, tenth = drawn(parsed(step(*beta_frames())))
    close = {"abs": 1.1 * tenth}
    for toss, frame in zip(TOSSES, curves[1:], strict=True):
        a, b = a + toss, b + 1 - toss
        likelihood = THETA if toss else 1 - THETA
        assert frame[0][1] == pytest.approx(beta(a, b).pdf(THETA), **close)
        assert frame[2][1] == pytest.approx(likelihood, **close)


@given(arrays(float, (2, 5), elements=FLOATS))
def test_axes_end_at_the_round_values_next_to_the_data(values):
    low, high = values.min(), values.max()
    found = ticks(values.ravel(), most=5)
    noise = 1e-8 * max(abs(low), abs(high))
    assert found[0] <= low + noise
    assert found[-1] >= high - noise
    if high - low > 10 * noise:
        assert found[1] > low - noise
        assert found[-2] < high + noise
    assert np.diff(found) == pytest.approx(np.diff(found)[0])
    assert 2 <= len(found) <= 7


@pytest.mark.parametrize(
    ("y", "labels"),
    [
        ([0, 0], "0 0.2 0.4 0.6 0.8 1"),
        ([1, 1], "0 0.2 0.4 0.6 0.8 1"),
        ([-3, -3], "−3 −2 −1 0"),
        ([0.002, 3.9], "0 1 2 3 4"),
        ([-4521.3, -4498], "−4525 −4520 −4515 −4510 −4505 −4500 −4495"),
        ([0, 2e-7], "0 5e−08 1e−07 1.5e−07 2e−07"),
        (
            [1e8 + 1, 1e8 + 3],
            "100000001 100000001.5 100000002 100000002.5 100000003",
        ),
    ],
)
def test_ticks_are_written_as_people_do(y, labels):
    page = parsed(step(Frame("A", {"line": ([0, 1], y)})))
    texts = page.select('g[text-anchor="end"] text')
    assert [text.get_text() for text in texts] == labels.split()


def test_the_axis_and_the_grid_are_where_the_ticks_are():
    page = parsed(step(*beta_frames(TOSSES[:5])))
    (_, x_at), (_, y_at) = axis(page, True), axis(page, False)
    grid, line = (path["d"] for path in page.select("g[stroke] > path"))
    ends = f"M{x_at[0]} {{}}H{x_at[-1]}".format
    assert grid == "".join(ends(y - 60) for y in y_at)
    assert line.startswith(ends(y_at[0] - 60))
    marks = re.findall(r"M(\d+) (\d+)v", line)
    assert marks == [(str(x), str(y_at[0] - 60)) for x in x_at]


# --- The same on every machine ----------------------------------------------


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=20)
def test_noise_of_rounding_does_not_show(seed):
    rng = np.random.default_rng(seed)

    def noisy(frame):
        return Frame(
            frame.title,
            {
                label: (x, np.array(y) * (1 + rng.uniform(-4e-16, 4e-16, 81)))
                for label, (x, y) in frame.curves.items()
            },
            frame.text,
        )

    # Lines through half pixels, flat curves, curves with two highest points.
    made = [
        *beta_frames(TOSSES[:3]),
        Frame("Eight", {"posterior": (THETA, 7.5 * THETA)}),
    ]
    for some in (made, made[:1]):
        shown, other = step(*some), step(*map(noisy, some))
        assert html(other) == html(shown)
        assert plain(other) == plain(shown)


def test_twenty_tosses_take_less_than_60_kilobytes():
    shown = step(*beta_frames())
    assert len(html(shown).encode()) < 60_000
    assert len(plain(shown)) < 6_000


def test_a_curve_of_several_frames_is_written_once():
    page = parsed(step(*beta_frames()))
    # A posterior for each frame, which is the next one's prior, and two
    # likelihoods.
    assert len(page.select("div > svg > path")) == 21 + 2
    assert len(page.select(".stepper-frame use[class]")) == 1 + 20 * 3


# --- What the page says -----------------------------------------------------


def test_every_frame_can_be_read_without_a_script():
    shown = step(*beta_frames(), x_label="θ", y_label="density")
    frames = parsed(shown).select("ol > .stepper-frame")
    assert len(frames) == 21
    for frame, item in zip(shown.frames, frames, strict=True):
        assert item["data-title"] == frame.title
        assert item.select_one(".stepper-title").get_text() == frame.title
        texts = item.select(".stepper-title ~ p")
        read = [re.sub(r"\\[()]", "$", text.get_text()) for text in texts]
        assert read == ([frame.text] if frame.text else [])
        assert item.find_all(hidden=True) == []


def test_a_picture_is_told_to_those_who_do_not_see_it():
    [_, picture] = parsed(step(*beta_frames(TOSSES[:1]))).select(
        "li svg[role]"
    )
    assert picture["aria-label"] == (
        "posterior: from 0 at 0 to 2 at 1. prior: 1 from 0 to 1. "
        "likelihood: from 0 at 0 to 1 at 1."
    )


def test_a_label_has_the_same_line_in_every_frame_and_in_the_legend():
    first = Frame("A", {"p": LINE, "q": LINE})
    second = Frame("B", {"r": LINE, "q": LINE})
    page = parsed(step(first, second))
    legend = page.select(".stepper-legend li")
    assert [item.get_text(strip=True) for item in legend] == ["p", "q", "r"]
    lines = [item.select_one("path")["class"] for item in legend]
    one, two = page.select(".stepper-frame")
    used = [
        [use["class"] for use in f.select("use[class]")] for f in (one, two)
    ]
    assert used == [[lines[0], lines[1]], [lines[2], lines[1]]]


def test_lines_differ_by_dashes_and_by_colour():
    style = parsed(step(Frame("A", {"p": LINE}))).style.get_text()
    rules = dict(re.findall(r"\.(stepper-line-\d) \{([^}]*)\}", style))
    assert len(rules) == MOST_LABELS
    for what in ("stroke", "stroke-dasharray"):
        found = [
            re.findall(rf"\b{what}: (.*);", rule) for rule in rules.values()
        ]
        assert len(set(map(tuple, found))) == MOST_LABELS


def test_maths_and_markdown_are_written_for_the_page():
    frame = Frame("At $x < 1$", {"$p$": LINE}, text="It *rises*.\n\nTwice.")
    page = html(step(frame))
    assert r'<p class="stepper-title">At \(x &lt; 1\)</p>' in page
    assert "<p>It <em>rises</em>.</p>\n<p>Twice.</p>" in page
    assert r"<span>\(p\)</span>" in page


def test_nothing_that_an_author_writes_is_taken_for_html():
    evil = '</script><img src="x">&amp;\'"'
    shown = step(
        Frame(evil, {evil: LINE}, text=evil), x_label=evil, y_label=evil
    )
    page = parsed(shown)
    assert page.find("img") is None
    assert len(page.find_all("script")) == 1
    assert page.select_one(".stepper-frame")["data-title"] == evil
    assert page.select_one("[aria-label]") is not None
    texts = {text.get_text() for text in page.select("svg text")}
    assert evil in texts


def test_without_its_pictures_a_notebook_shows_no_stray_numbers():
    """JupyterLab takes pictures out of an output that it does not trust."""
    page = parsed(step(*beta_frames(), x_label="across", y_label="upwards"))
    for part in page.select("[hidden], style, script"):
        part.decompose()
    assert not re.search(r"across|upwards|0\.2", page.get_text())


def test_nothing_is_fetched():
    page = html(step(*beta_frames()))
    assert not re.findall(r"https?:|src=|url\(|@import", page)


def test_ids_are_the_steppers_own_and_lead_somewhere():
    pages = [parsed(step(*beta_frames(), name=name)) for name in ("a", "a-1")]
    ids = [[part["id"] for part in page.select("[id]")] for page in pages]
    assert len({*ids[0], *ids[1]}) == len(ids[0]) + len(ids[1])
    for page, own in zip(pages, ids, strict=True):
        used = {use["href"].removeprefix("#") for use in page.select("use")}
        assert used == set(own)


def test_a_notebook_gets_html_and_text():
    shown = step(*beta_frames())
    bundle = shown._repr_mimebundle_()
    assert bundle == {"text/html": html(shown), "text/plain": repr(shown)}
    assert bundle["text/plain"] == plain(shown)


# --- What is told -----------------------------------------------------------


def test_the_text_describes_every_frame():
    shown = step(
        *beta_frames(TOSSES[:2]), name="tosses", x_label="θ", y_label="density"
    )
    assert repr(shown).splitlines() == [
        'Step-through "tosses": 3 frames',
        '  x "θ": 0 to 1',
        '  y "density": 0 to 2',
        "1. Before the first toss",
        "  posterior: 1 from 0 to 1",
        "2. Toss 1 of 2: heads",
        r"  $\mathrm{Beta}(2, 1)$, of mean $2/3$.",
        "  posterior: from 0 at 0 to 2 at 1",
        "  prior: 1 from 0 to 1",
        "  likelihood: from 0 at 0 to 1 at 1",
        "3. Toss 2 of 2: tails",
        r"  $\mathrm{Beta}(2, 2)$, of mean $2/4$.",
        "  posterior: from 0 at 0 up to 1.5 at 0.5 to 0 at 1",
        "  prior: from 0 at 0 to 2 at 1",
        "  likelihood: from 1 at 0 to 0 at 1",
    ]


@pytest.mark.parametrize(
    ("x", "y", "told"),
    [
        ([0, 1], [3, 3], "3 from 0 to 1"),
        ([0, 1], [0, 0], "0 from 0 to 1"),
        ([0, 1, 2], [0, -0.0, 1e-12], "from 0 at 0 to 1e-12 at 2"),
        ([0, 1, 2], [1, 1e-12, 1], "from 1 at 0 down to 0 at 1 to 1 at 2"),
        (
            [0, 1, 2, 3],
            [0, -2, 2, 0],
            "from 0 at 0 down to -2 at 1 up to 2 at 2 to 0 at 3",
        ),
        ([0, 1, 2, 3], [0, 2, 2, 0], "from 0 at 0 up to 2 at 1 to 0 at 3"),
        ([0.7, 0.7], [0, 5], "from 0 at 0.7 to 5 at 0.7"),
        ([1, 2], [-10123.456, 1e9], "from -1.012e+04 at 1 to 1e+09 at 2"),
    ],
)
def test_a_curve_is_told_by_its_ends_and_its_extremes(x, y, told):
    assert describe(x, y) == told


# --- What cannot be changed, and what is refused ----------------------------


def test_a_frame_does_not_change():
    y = np.zeros(2)
    source = {"p": ([0, 1], y)}
    frame = Frame("A", source)
    y[0] = 9
    source["q"] = LINE
    assert frame == Frame("A", {"p": ([0, 1], [0, 0])})
    with pytest.raises(FrozenInstanceError):
        frame.title = "B"
    with pytest.raises(TypeError, match="does not support item assignment"):
        frame.curves["p"] = LINE
    with pytest.raises(FrozenInstanceError):
        step(frame).name = "other"


def test_frames_may_come_one_by_one():
    frames = list(beta_frames())
    shown = show("test", iter(frames), x_label="x", y_label="y")
    assert shown.frames == tuple(frames)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("", {"p": LINE}), "title of a frame is '': give a text"),
        ((" ", {"p": LINE}), "title of a frame is ' '"),
        (("A", {}), r"curves of frame 'A' are \{\}: .*at least one"),
        (("A", {"": LINE}), "A label in frame 'A' is ''"),
        (("A", {"p": [1, 2, 3]}), "curve 'p' in frame 'A' is not a pair"),
        (("A", {"p": 3}), "curve 'p' in frame 'A' is not a pair"),
        (
            ("A", {"p": ([0, 1, 2], [1, 2])}),
            "curve 'p' in frame 'A' has 3 values of x and 2 of y",
        ),
        (
            ("A", {"p": ([0, 1], [1, np.nan])}),
            "y values of curve 'p' in frame 'A': nan at position 1 is not",
        ),
        (
            ("A", {"p": ([np.inf, 1], [1, 1])}),
            "x values of curve 'p' in frame 'A': inf at position 0 is not",
        ),
        (
            ("A", {"p": ([0, 1], ["a", "b"])}),
            "y values of curve 'p' in frame 'A' are not numbers",
        ),
        (
            ("A", {"p": ([0, 1], [[0, 1], [0, 1]])}),
            r"y values of curve 'p' in frame 'A' have the shape \(2, 2\)",
        ),
        (("A", {"p": ([], [])}), "x values of curve 'p' in frame 'A' are em"),
        (
            ("A", {"p": ([0], [1])}),
            "curve 'p' in frame 'A' has 1 point: give 2 to 101",
        ),
        (
            ("A", {"p": (range(102), range(102))}),
            "curve 'p' in frame 'A' has 102 points: give 2 to 101",
        ),
    ],
)
def test_a_frame_that_cannot_be_drawn_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Frame(*arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3, {"p": LINE}), "title of a frame is 3"),
        (("A", {"p": LINE}, 7), "text of frame 'A' is 7: give Markdown"),
        (("A", [LINE]), "curves of frame 'A' are .*give a mapping"),
        (("A", []), r"curves of frame 'A' are \[\]: give a mapping"),
        (("A", {1: LINE}), "A label in frame 'A' is 1"),
    ],
)
def test_a_wrong_type_in_a_frame_is_refused(arguments, message):
    with pytest.raises(TypeError, match=message):
        Frame(*arguments)


A, B = Frame("A", {"p": LINE}), Frame("B", {"p": LINE})


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"name": "Beta updates"}, "name='Beta updates' cannot name a part"),
        ({"name": "a--b"}, "name='a--b' cannot"),
        ({"name": "1-a"}, "name='1-a' cannot"),
        ({"name": ""}, "name='' cannot"),
        ({"frames": []}, "There are no frames: there is nothing to show"),
        ({"frames": [A, B, A]}, "Frames 1 and 3 have the same title 'A'"),
        (
            {
                "frames": [
                    Frame("A", dict.fromkeys("pqr", LINE)),
                    Frame("B", {"prior": LINE, "priro": LINE}),
                ]
            },
            "Curve 'priro' in frame 'B' has one label too many: besides "
            "there are 'p', 'q', 'r', 'prior'.*Did you mean 'prior'?",
        ),
        (
            {"frames": [Frame("A", {"p": ([2, 2], [0, 1])})]},
            "Curve 'p' in frame 'A', as every other, has only x=2",
        ),
        ({"x_label": ""}, "x_label is ''"),
        ({"y_label": r"$\theta$"}, "y_label=.* is not typeset: write θ"),
        ({"x_label": "x" * 41}, "x_label=.* has 41 letters: .* room for 40"),
    ],
)
def test_what_cannot_be_shown_is_refused(changed, message):
    given = {"name": "a", "frames": [A, B], "x_label": "x", "y_label": "y"}
    with pytest.raises(ValueError, match=message):
        show(**given | changed)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"name": None}, "name=None is not a str"),
        ({"frames": A}, r"frames=Frame\('A'.*is not a sequence: give \[Fra"),
        ({"frames": None}, "frames=None is not a sequence"),
        ({"frames": [A, LINE]}, "Frame 2 has the type tuple: give a stepper."),
        ({"y_label": None}, "y_label is None"),
    ],
)
def test_a_wrong_type_is_refused(changed, message):
    given = {"name": "a", "frames": [A, B], "x_label": "x", "y_label": "y"}
    with pytest.raises(TypeError, match=message):
        show(**given | changed)
