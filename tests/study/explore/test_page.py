"""Explorables in a real browser: moved, asked, spoken, linked, printed."""

import json
import re
from fractions import Fraction as F

import numpy as np
import pytest
from browsing import WIDE, accessibility_problems
from playwright.sync_api import expect
from scipy import stats
from study.explore import (
    test_d_separation,
    test_elimination,
    test_hidden_markov,
    test_number_game,
    test_simpson,
)
from study.explore.conftest import ALL
from study.explore.test_d_separation import NODES, PAIRS, state_of
from study.quiz.test_page import tab_to

PHONE = {"width": 360, "height": 740}
# Where most of all states would be refused, or look alike.
ALLOWED = {
    "d-separation": test_d_separation.random_states,
    "elimination": test_elimination.random_states,
    "hidden-markov": test_hidden_markov.random_states,
    "number-game": test_number_game.random_states,
}
MOVABLE = "button, input, select, summary"
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


# What a reader sees of a state: the numbers that are written, where the parts
# of the pictures lie within their picture, in its units, and what is solved.
SEE = """
asked => {
  const {states, measured} = JSON.parse(asked);
  const root = document.querySelector(".bayesbook-explore");
  const parts = [...root.querySelectorAll("[data-drawn]")];
  const inPictures = parts.filter(node => measured && node.ownerSVGElement);
  return JSON.stringify(states.map(state => {
    for (const [name, value] of Object.entries(state)) {
      const control = root.querySelector(`[name=${name}]`);
      control.value = value;
      control.dispatchEvent(new Event("input"));
    }
    for (const mark of root.querySelectorAll(".explore-solved")) {
      mark.hidden = true;
    }
    root.querySelector("input[name]").dispatchEvent(new Event("change"));
    return {
      written: Object.fromEntries(
        [...root.querySelectorAll("[data-written]")].map(
          node => [node.dataset.written, node.textContent])),
      spoken: root.querySelector(".explore-said").textContent,
      drawn: Object.fromEntries(parts.map(node => {
        const attributes = [...node.attributes].map(
          ({name, value}) => [name, value]);
        return [node.dataset.drawn, Object.fromEntries(attributes)];
      })),
      boxes: Object.fromEntries(inPictures.map(node => {
        const box = node.getBoundingClientRect();
        const picture = node.ownerSVGElement.getScreenCTM().inverse();
        const corner = (x, y) => new DOMPoint(x, y).matrixTransform(picture);
        const [start, end] = [
          corner(box.left, box.top), corner(box.right, box.bottom)];
        return [node.dataset.drawn, [start.x, start.y, end.x, end.y]];
      })),
      solves: [...root.querySelectorAll("[data-task]")]
        .filter(task => !task.querySelector(".explore-solved").hidden)
        .map(task => task.dataset.task),
    };
  }));
}
"""


def see(page, states, *, measured=False):
    """Return what a reader sees of each state, with places if measured.

    It comes as one text, as Playwright takes ten times as long over objects.
    """
    asked = json.dumps({"states": states, "measured": measured})
    return json.loads(page.evaluate(SEE, asked))


def states(name, how_many=300):
    """Draw states: any, with a control at an end, and the start."""
    explorable = ALL[name]
    start = {each.name: each.value for each in explorable.controls}
    if name in ALLOWED:
        return [start, *ALLOWED[name](how_many)]
    rng = np.random.default_rng(1)
    ends = [(each.least, each.most) for each in explorable.controls]
    drawn = [
        [rng.integers(a, b + 1) for a, b in ends] for _ in range(how_many)
    ]
    for state in drawn[: how_many // 2]:
        for place, values in enumerate(ends):
            if rng.random() < 0.5:
                state[place] = rng.choice(values)
    names = [each.name for each in explorable.controls]
    return [
        start,
        *(dict(zip(names, map(int, state), strict=True)) for state in drawn),
    ]


def same(found, expected):
    """Say whether two values agree, numbers within a tenth of a unit."""
    found, expected = str(found), str(expected)
    if found == expected:
        return True
    if NUMBER.sub("#", found) != NUMBER.sub("#", expected):
        return False
    pairs = zip(NUMBER.findall(found), NUMBER.findall(expected), strict=True)
    return all(abs(float(a) - float(b)) <= 0.11 for a, b in pairs)


@pytest.mark.parametrize("name", ALL)
def test_the_page_shows_what_the_library_computes(visit, name):
    explorable = ALL[name]
    asked = states(name)
    for state, seen in zip(asked, see(visit(name), asked), strict=True):
        truth = explorable.view(**state)
        for place, text in seen["written"].items():
            assert text == truth.written[place], (state, place)
        for place, shape in truth.drawn.items():
            for attribute, value in shape.items():
                found = seen["drawn"][place][attribute]
                assert same(found, value), (state, place, attribute)
        assert tuple(seen["solves"]) == truth.solves, state


def test_what_lies_half_way_between_two_decimals_is_written_alike(visit):
    """Of each sixteenth with an odd numerator the posterior is exact."""
    asked = [
        {"prevalence": 500, "sensitivity": 10 * k, "specificity": 840 + 10 * k}
        for k in range(1, 16, 2)
    ]
    for state, seen in zip(
        asked, see(visit("bayes-rule"), asked), strict=True
    ):
        truth = ALL["bayes-rule"].view(**state).written
        assert F(truth["posterior"]) - F(state["sensitivity"], 160) == (
            F(1, 2000)
        )
        assert seen["written"] == truth


def test_what_is_drawn_of_bayes_rule_lies_where_it_should(visit):
    asked = states("bayes-rule", 100)
    page = visit("bayes-rule")
    for state, seen in zip(
        asked, see(page, asked, measured=True), strict=True
    ):
        ill, hit, well = state.values()
        boxes = {
            "hits": (0, 1000 - hit, ill, 1000),
            "misses": (0, 0, ill, 1000 - hit),
            "false_alarms": (ill, well, 1000, 1000),
            "rejections": (ill, 0, 1000, well),
        }
        for name, box in boxes.items():
            # An empty box has no place on the screen.
            if box[0] < box[2] and box[1] < box[3]:
                assert seen["boxes"][name] == pytest.approx(box, abs=0.5)
        hits = ill * hit
        called = hits + (1000 - ill) * (1000 - well)
        if called:
            left, top, right, bottom = seen["boxes"]["point"]
            middle = (left + right) / 2, (top + bottom) / 2
            at = ill, 1000 - 1000 * hits / called
            assert middle == pytest.approx(at, abs=0.5)


# Which of the curves lie at points that are given in units of the picture; the
# gaps of a dashed one belong to it.
MISSED = """
([state, curves]) => {
  const find = css => document.querySelector(`.bayesbook-explore ${css}`);
  for (const [name, value] of Object.entries(state)) {
    find(`input[name=${name}]`).value = value;
    find(`input[name=${name}]`).dispatchEvent(new Event("input"));
  }
  find("input").dispatchEvent(new Event("change"));
  const one = find("[data-drawn=one] path").getBoundingClientRect();
  const frame = find(".explore-frame").getBoundingClientRect();
  const place = ([rate, density]) => [
    frame.left + frame.width * rate,
    frame.bottom - (frame.bottom - one.top) * density];
  const missed = [];
  for (const [name, points] of Object.entries(curves)) {
    const curve = find(`[data-drawn=curve_${name}]`);
    curve.style.strokeDasharray = "none";
    for (const point of points) {
      const [x, y] = place(point);
      const isInside = y > frame.top;
      const isDrawn = document.elementsFromPoint(x, y).includes(curve);
      if (isInside !== isDrawn) missed.push([name, ...point]);
    }
  }
  return missed;
}
"""


def test_the_curves_of_beta_binomial_are_densities(visit):
    page = visit("beta-binomial")
    page.locator(".explore-frame").first.scroll_into_view_if_needed()
    rates = np.array([0.003, 0.05, 0.16, 0.3, 0.5, 0.62, 0.75, 0.9, 0.996])
    for state in states("beta-binomial", 100):
        a, b, successes, failures = state.values()
        laws = {
            "prior": stats.beta(a / 4, b / 4),
            "likelihood": stats.beta(successes + 1, failures + 1),
            "posterior": stats.beta(a / 4 + successes, b / 4 + failures),
        }
        points = {
            name: list(zip(rates.tolist(), law.pdf(rates), strict=True))
            for name, law in laws.items()
        }
        assert page.evaluate(MISSED, [state, points]) == [], state


def test_what_else_is_drawn_of_beta_binomial_lies_where_it_should(visit):
    asked = states("beta-binomial")
    page = visit("beta-binomial")
    for state, seen in zip(
        asked, see(page, asked, measured=True), strict=True
    ):
        a, b, successes, failures = state.values()
        law = stats.beta(a / 4 + successes, b / 4 + failures)
        boxes = seen["boxes"]
        left, _, right, _ = boxes["interval"]
        ends = 1000 * law.ppf([0.025, 0.975])
        assert (left, right) == pytest.approx(ends, abs=0.5)
        for name, mean in (("mean", law.mean()), ("prior_mean", a / (a + b))):
            left, _, right, _ = boxes[name]
            assert (left + right) / 2 == pytest.approx(1000 * mean, abs=0.5)
        counts = stats.betabinom(10, a / 4 + successes, b / 4 + failures)
        [tenth] = NUMBER.findall(
            seen["drawn"]["tenth"]["transform"].split()[1]
        )
        for k in range(11):
            left, top, right, bottom = boxes[f"bar_{k}"]
            height = 10 * (880 - float(tenth)) * counts.pmf(k)
            assert bottom - top == pytest.approx(height, abs=1)
            middle = (left + right) / 2
            assert (middle, bottom) == pytest.approx((50 + 90 * k, 880), abs=1)


@pytest.mark.parametrize(
    ("solution", "others"),
    [
        ((8, 16, 3, 1), [(8, 15, 3, 1), (9, 16, 3, 1), (8, 16, 4, 2)]),
        ((10, 10, 20, 0), [(9, 9, 20, 0), (11, 10, 20, 0), (10, 10, 19, 0)]),
        ((4, 4, 47, 47), [(4, 4, 46, 46), (4, 4, 48, 48), (5, 4, 47, 47)]),
    ],
)
def test_the_page_knows_when_tasks_of_beta_binomial_are_solved(
    visit, solution, others
):
    names = ["a", "b", "successes", "failures"]
    asked = [dict(zip(names, x, strict=True)) for x in (solution, *others)]
    solved = [
        len(seen["solves"]) for seen in see(visit("beta-binomial"), asked)
    ]
    assert solved == [1, 0, 0, 0]


def test_what_is_drawn_of_simpsons_paradox_lies_where_it_should(visit):
    asked = states("simpson", 100)
    page = visit("simpson")
    for state, seen in zip(
        asked, see(page, asked, measured=True), strict=True
    ):
        for name, thousandths in state.items():
            truth = test_simpson.counted(name, thousandths)
            wide, high = 1000 * truth["share"], 1000 * truth["overall"]
            up = {part: 1000 * (1 - truth[part]) for part in ("high", "low")}
            boxes = {
                "high": (0, 0, wide, 1000),
                "low": (wide, 0, 1000, 1000),
                "high_admitted": (0, up["high"], wide, 1000),
                "low_admitted": (wide, up["low"], 1000, 1000),
                "level": (0, 1000 - high, 1000, 1000 - high),
                "leader": (-60, 1000 - high, wide, 1000 - high),
            }
            for part, box in boxes.items():
                # An empty box has no place on the screen.
                if box[0] < box[2]:
                    found = seen["boxes"][f"{name}_{part}"]
                    assert found == near(box), (state, part)
            middles = {
                "grip": (wide, -70),
                "point": (wide, 1000 - high),
            }
            for part, middle in middles.items():
                left, top, right, bottom = seen["boxes"][f"{name}_{part}"]
                found = (left + right) / 2, (top + bottom) / 2
                assert found == near(middle), (state, part)


def near(places):
    """Return what is equal to places within half a unit of a picture."""
    return pytest.approx([float(each) for each in places], abs=0.5)


def test_the_page_knows_when_tasks_of_simpsons_paradox_are_solved(visit):
    asked = test_simpson.around_solutions()
    seen = see(visit("simpson"), asked)
    solved = [tuple(each["solves"]) for each in seen]
    assert solved == [ALL["simpson"].view(**state).solves for state in asked]
    assert {task for tasks in solved for task in tasks} == {
        *ALL["simpson"].tasks
    }


def test_the_page_knows_when_tasks_of_the_likelihood_are_solved(visit):
    solutions = [
        (0, 400, 20, 300, 430, 500, 850),
        (1, 200, 20, 100, 100, 200, 400),
        (1, 100, 20, 320, 410, 560, 790),
    ]
    others = [
        (0, 400, 20, 300, 430, 500, 851),
        (1, 200, 20, 100, 100, 200, 401),
        (1, 400, 20, 320, 410, 560, 790),
    ]
    names = [each.name for each in ALL["likelihood"].controls]
    asked = [
        dict(zip(names, state, strict=True)) for state in solutions + others
    ]
    solved = [seen["solves"] for seen in see(visit("likelihood"), asked)]
    assert solved == [["same"], ["error"], ["outside"], [], [], []]


def test_keys_reach_the_observations_of_the_likelihood(visit):
    page = visit("likelihood")
    group = page.get_by_text("The observations, one by one")
    tab_to(page, group)
    page.keyboard.press("Enter")  # unfolds the sliders
    slider = page.get_by_role("slider", name="third observation")
    tab_to(page, slider)
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "5.61")
    said = page.locator("[aria-live=polite]")
    expect(said).to_contain_text("5.61 and 7.90 have the mean 5.20")


def test_refused_states_change_nothing(visit):
    page = visit("d-separation")
    good = state_of(["AB", "BC"], "B")
    bad = [
        state_of(["AB", "BC", "CA"]),
        state_of([], ends="CC"),
        state_of(["AB"], "A"),
    ]
    first, *others = see(page, [good, *bad])
    for state, seen in zip(bad, others, strict=True):
        assert seen["drawn"] == first["drawn"]
        assert seen["written"] == first["written"]
        reason = ALL["d-separation"].view(**state).refused
        assert seen["spoken"].startswith(reason)


def test_keys_reach_every_list_in_the_order_of_the_names(visit):
    page = visit("d-separation")
    tab_to(page, page.get_by_label("first end"))
    reached = []
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # unfolds the lists
    for _ in range(len(PAIRS) + len(NODES)):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.name"))
    assert reached == [*PAIRS, *NODES]
    # The last of them is an end; the one before is observed by a key.
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_label("node E")).to_have_value("1")
    said = page.locator("[aria-live=polite]")
    expect(said).to_contain_text("A and F are not d-separated given E")
    tab_to(page, page.get_by_role("button", name="Show trail 2"))
    page.keyboard.press("Enter")
    band = page.locator("[data-drawn=DE_band]")
    expect(band).to_have_class("explore-band open")
    expect(page.locator("[data-drawn=BC_band]")).to_be_hidden()


@pytest.mark.parametrize("name", ALL)
def test_it_stands_as_python_wrote_it_until_it_is_moved(visit, name):
    page = visit(name)
    start = ALL[name].start()
    written = page.locator("[data-written]").evaluate_all(
        "nodes => nodes.map(node => [node.dataset.written, node.textContent])"
    )
    assert dict(written) == start.written


def test_keys_move_it_and_what_follows_is_spoken(visit):
    page = visit("bayes-rule")
    tab_to(page, page.get_by_role("slider", name="prevalence"))
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    slider = page.get_by_role("slider", name="prevalence")
    expect(slider).to_have_attribute("aria-valuetext", "0.012")
    said = page.locator("[aria-live=polite]")
    expect(said).to_contain_text("Of a thousand people 12 are ill.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # the button of one step up
    expect(slider).to_have_attribute("aria-valuetext", "0.013")


def test_a_pointer_drags_it_and_a_solved_task_is_said(visit):
    page = visit("bayes-rule")
    frame = page.locator(".explore-frame").first.bounding_box()
    grip = page.locator("[data-drawn=grip_prevalence] circle").last
    box = grip.bounding_box()
    height = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, height)
    page.mouse.down()
    page.mouse.move(frame["x"] + frame["width"] * 0.4, height, steps=4)
    page.mouse.up()
    slider = page.get_by_role("slider", name="prevalence")
    assert abs(int(slider.input_value()) - 400) <= 4
    solved = page.locator(".explore-solved:visible")
    expect(solved).to_have_count(0)
    slider.fill("100")
    expect(solved).to_have_count(1)
    expect(page.locator("[aria-live=polite]")).to_contain_text("Solved.")
    page.get_by_role("button", name="Back to the start").click()
    expect(slider).to_have_value("10")


@pytest.mark.parametrize(
    ("name", "grip", "control", "to", "expected"),
    [
        ("bayes-rule", "grip_prevalence", "prevalence", (600, None), 600),
        ("bayes-rule", "grip_sensitivity", "sensitivity", (None, 600), 400),
        ("bayes-rule", "grip_specificity", "specificity", (None, 400), 400),
        ("bayes-rule", "point", "prevalence", (600, None), 600),
        ("ridge-and-lasso", "ridge_grip", "penalty", (700, None), 700),
        ("ridge-and-lasso", "lasso_grip", "penalty", (20, None), 20),
        ("simpson", "women_grip", "women", (600, None), 600),
        ("simpson", "men_point", "men", (100, None), 100),
        ("likelihood", "point_2", "x2", (800, None), 800),
        ("likelihood", "grip_theta", "theta", (600, None), 600),
        ("likelihood", "point", "theta", (700, None), 700),
        ("threshold", "grip", "threshold", (700, None), 700),
        ("threshold", "cost_grip", "threshold", (300, None), 300),
        ("em", "start", "a", (300, 200), 30),
        ("em", "start", "b", (300, 200), 80),
        ("metropolis", "start_a", "a", (None, 300), 700),
    ],
)
def test_a_finger_drags_it_all_the_way(
    chromium, visit, name, grip, control, to, expected
):
    """The page around it stays where it is, and gives the finger back."""
    address = visit(name).url
    context = chromium.new_context(
        viewport=PHONE, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.goto(address)
    reach = page.locator(f"[data-drawn={grip}] .explore-reach")
    reach.evaluate("node => node.scrollIntoView({block: 'center'})")
    box = reach.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    end = page.evaluate(
        """([grip, x, y, right, down]) => {
          const svg = document.querySelector(grip).ownerSVGElement;
          const screen = svg.getScreenCTM();
          const {x: toX, y: toY} = new DOMPoint(right ?? 0, down ?? 0)
            .matrixTransform(screen);
          return [right === null ? x : toX, down === null ? y : toY];
        }""",
        [f"[data-drawn={grip}]", x, y, *to],
    )
    before = page.evaluate("scrollY")
    session = context.new_cdp_session(page)
    for step in range(9):
        share = step / 8
        point = {
            "x": x + share * (end[0] - x),
            "y": y + share * (end[1] - y),
        }
        session.send(
            "Input.dispatchTouchEvent",
            {
                "type": "touchMove" if step else "touchStart",
                "touchPoints": [point],
            },
        )
    session.send(
        "Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []}
    )
    moved = page.locator(f"input[name={control}]")
    page.wait_for_function(
        "([name, to]) => Math.abs("
        "document.querySelector(`[name=${name}]`).value - to) <= 8",
        arg=[control, expected],
    )
    assert abs(int(moved.input_value()) - expected) <= 8
    assert page.evaluate("scrollY") == before
    context.close()


def test_the_address_keeps_the_state(visit):
    page = visit("bayes-rule")
    page.get_by_role("slider", name="prevalence").fill("250")
    asked = "prevalence=250&sensitivity=900&specificity=900"
    expect(page).to_have_url(re.compile(f"#explore-bayes-rule[?]{asked}$"))
    page.reload()
    expect(page.locator("[data-written=posterior]")).to_have_text("0.750")
    page.get_by_role("button", name="Back to the start").click()
    expect(page).to_have_url(re.compile("#explore-bayes-rule$"))


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("prevalence=100", "0.500"),
        ("prevalence=100&other=3", "0.500"),
        ("prevalence=lots&sensitivity=", "0.083"),
        ("prevalence=-5", "0.000"),
        ("prevalence=1e9", "0.083"),
        ("prevalence=1000000000", "1.000"),
    ],
)
def test_a_mistyped_address_harms_nothing(visit, address, expected):
    page = visit("bayes-rule", address=f"explore-bayes-rule?{address}")
    expect(page.locator("[data-written=posterior]")).to_have_text(expected)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    ("theme", "viewport"),
    [
        ({}, WIDE),
        ({"root": "data-theme=dark"}, PHONE),
        ({"body": "data-jp-theme-light=false"}, WIDE),
    ],
    ids=["light", "dark-phone", "jupyterlab-dark"],
)
def test_accessible_in_every_theme_and_width(visit, name, theme, viewport):
    page = visit(name, viewport=viewport, **theme)
    assert accessibility_problems(page) == []
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= viewport["width"]
    small = page.locator(f"[data-moves], {MOVABLE}").evaluate_all(
        """nodes => nodes.filter(node => node.checkVisibility())
            .map(node => node.getBoundingClientRect()).filter(
            ({width, height}) => Math.min(width, height) < 24).length"""
    )
    assert small == 0
    assert page.evaluate("document.getAnimations().length") == 0


@pytest.fixture(scope="module")
def scriptless(chromium):
    """Return a page without scripts, as to open one takes longest."""
    page = chromium.new_page(java_script_enabled=False, viewport=PHONE)
    yield page
    page.close()


@pytest.mark.parametrize("name", ALL)
def test_without_a_script_and_on_paper_it_stands_still(
    scriptless, visit, name
):
    paper = visit(name)
    paper.emulate_media(media="print")
    scriptless.goto(paper.url)
    for page in (scriptless, paper):
        expect(page.locator(MOVABLE).filter(visible=True)).to_have_count(0)
        expect(page.locator(".explore-words")).to_be_visible()
        assert page.get_by_role("img").count() == len(ALL[name].panels)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "d-separation",
            ["  first end: A", "  second end: F", "  A and F are"],
        ),
        ("network", ["  soft evidence for: no state"]),
        ("number-game", ["  1st number: 16", "  2nd number: none"]),
    ],
)
def test_as_text_it_names_what_is_moved_by_itself(name, lines):
    """Neither controls in a group are named, nor those without a name."""
    title, *others = repr(ALL[name]).splitlines()
    assert title == ALL[name].title
    for line, wanted in zip(others, lines, strict=False):
        assert line.startswith(wanted)


def test_keys_do_not_reach_the_notebook_around_it(visit):
    page = visit("bayes-rule")
    page.evaluate(
        """() => {
          window.keys = [];
          addEventListener("keydown", event => window.keys.push(event.key));
        }"""
    )
    page.get_by_role("slider", name="prevalence").focus()
    page.keyboard.press("j")
    assert page.evaluate("window.keys") == []
