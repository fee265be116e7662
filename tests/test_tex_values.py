"""Values of formulas, and the equations of a text."""

import math
from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tex_values import equations, value

OVER = ("sum", "prod", "max")

small = st.integers(1, 99)


@pytest.mark.parametrize(
    ("formula", "exact"),
    [
        (r"\frac{3}{4} - \tfrac12 + \dfrac 1 4", F(1, 2)),
        (r"2 \cdot 3 + 4 \times 5 - 1 / 4", F(103, 4)),
        (r"-\frac{1 / 4}{1 / 4 + 1 / 36}", F(-9, 10)),
        (r"4^2 (2 - 1)(3 - 1)", F(32)),
        (r"0.2 \cdot 0.9^3", F(1458, 10_000)),
        (r"2^{-3} \, 3^{1 + 1}", F(9, 8)),
        (r"\left(\frac{8}{8 + 5}\right)^{2}", F(64, 169)),
        (r"15\% + 5 \% - 2%", F(18, 100)),
        (r"10\,000 - 10{,}000 + 1,200.5", F(2401, 2)),
        ("8 / 2 / 2", F(2)),
        ("7 - 3 - 1", F(3)),
        ("−4 · 3 × 2", F(-24)),
    ],
)
def test_rational_formulas_are_exact(formula, exact):
    assert value(formula) == exact
    assert isinstance(value(formula), F)


@pytest.mark.parametrize(
    ("formula", "number"),
    [
        (r"\tfrac12 \log 63", math.log(63) / 2),
        (r"2 \cdot \ln(3 + 4) - 1", 2 * math.log(7) - 1),
        (r"\exp(-2) + e^{-2}", 2 * math.exp(-2)),
        (r"\sqrt{2} \cdot \sqrt2 \sqrt{1 + 1}", 2 * math.sqrt(2)),
        (r"\log \frac{1}{2}", -math.log(2)),
        (r"\log 2^3", 3 * math.log(2)),
        (r"4^{0.5}", 2.0),
    ],
)
def test_other_formulas_are_floats(formula, number):
    assert value(formula) == pytest.approx(number, rel=1e-12)


def test_names_have_the_values_that_are_given():
    names = {r"\lambda": F(1, 2), r"\theta_{\text{red}}": F(3), "n": 4}
    assert value(r"2\lambda \, \theta_{\text{red}}^2 n", names) == 36
    with pytest.raises(ValueError, match="no value"):
        value(r"\theta_{\text{blue}}", names)


@pytest.mark.parametrize(
    ("formula", "exact"),
    [
        (r"\binom{n}{2} - \binom n3 + 3!", 8),
        (r"\sum_{k=1}^n k^2 + 1", 31),
        (r"\sum_{k=1}^{n-1} \sum_{i=0}^k w_{ik}", 25),
        (r"\frac{\prod_k b_k}{\sum_k b_k} \max_k b_k", 3),
        (r"b_j^{(n)}", 3 * 4 * 5 * 6),
        (r"g(n, \, b_1) - g(b_1, n)", 3),
        (r"n (n - 1)\, \mathbb{P}[A \mid b_j]", 6),
        (r"\underbrace{n + 1}_{\text{one more}} - 2 \bigl(n - 1\bigr)", -1),
    ],
)
def test_names_may_be_indexed_and_functions(formula, exact):
    values = [3, 1, 2]
    names = {
        "n": 4,
        "j": 0,
        "g(": lambda first, second: max(first - second, 0),
        r"\mathbb{P}[A \mid b_j]": F(1, 2),
        "b_1": 1,
        "b_k": lambda k: values[k],
        "b_j": lambda j: values[j],
        "w_{ik}": lambda i, k: i * k,
    }
    over = {rf"\{sign}_k": [{"k": k} for k in range(3)] for sign in OVER}
    assert value(formula, names | over) == exact


@pytest.mark.parametrize(
    "formula",
    [
        r"\psi(4)",
        r"\widetilde{2}",
        "1 +",
        "2 (3",
        "2 3",
        r"\frac12 3",
        "(2 - 1) 3",
        "0.9^23",
        r"\frac{1}23",
        r"\log",
        "P[a",
        "20a3",
        "1 ! 2",
    ],
)
def test_what_is_not_known_is_an_error(formula):
    with pytest.raises(ValueError, match=r"What is|not closed|no value"):
        value(formula)


@given(small, small, small, small)
def test_formulas_are_those_of_python(a, b, c, d):
    written = rf"\frac{{{a}}}{{{b}}} - {c} \cdot \left(1 + {d}\right)^{{2}}"
    assert value(written) == F(a, b) - c * (1 + d) ** 2


@given(st.integers(0, 10**6), st.integers(1, 1000), st.integers(1, 4))
def test_an_approximation_holds_to_the_last_place(top, bottom, places):
    shown = f"{top / bottom:.{places}f}"
    unit = F(1, 10**places)
    [good] = equations(rf"$\frac{{{top}}}{{{bottom}}} \approx {shown}$")
    assert good.holds
    for wrong in (F(shown) + unit, F(shown) + 2 * unit):
        [bad] = equations(
            rf"${top} / {bottom} \approx {float(wrong):.{places}f}$"
        )
        exact = abs(F(top, bottom) - wrong) * 2 == unit
        assert bad.holds == exact


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("A coin shows heads.", []),
        ("The mean is shape / rate, so the shape is 5 × 2 = 10.", [True]),
        ("The reciprocal of a scale: 2 / 0.5 = 2.", [False]),
        ("1 − 1/6 = 5/6 for *red*, 1 − 0.2 = 0.7 for *blue*.", [True, False]),
        ("| yes | 0.6 · 0.34 = 0.204 | 17/46 |", [True]),
        ("| *A* | $0.2 \\cdot 0.5$ = 0.1 | 3 |", [True]),
        (r"$$\text{rate} = 1 + 3 = 4$$", [True]),
        (r"$\mathbb{P}[A = 1] = 2/4 = 0.5$, $B = 3$", [True]),
        (r"$\frac{1}{3} = 0.333$", [False]),
        (r"$\frac{1}{3} \approx 0.333 < 1/3 < 0.3$", [True, True, False]),
        (r"$5.80 - 3.64 \approx 2.17 > 2$", [False, True]),
        (
            "$$\\begin{aligned}\np &\\propto 2 \\\\\n&= 3\n\\end{aligned}$$",
            [False],
        ),
        (r"$2 \propto 3$", []),
        ("The sum is 3\n\n= 4 is a line of its own.", []),
        ("![Graph: 1 = 2](graph:U->V) 2 = 2", [True]),
    ],
)
def test_equations_are_found_in_formulas_and_between_them(text, holds):
    assert [found.holds for found in equations(text)] == holds


def test_an_open_side_ends_no_chain():
    [found] = equations(r"$x = 2 = y = 3 = \frac{6}{2}$")
    assert found.written == r"3 = \frac { 6 } { 2 }"


def test_a_sum_without_terms_is_an_error():
    with pytest.raises(ValueError, match="is empty"):
        value(r"\sum_{i=2}^N i", {"N": 1})


def test_an_equation_that_cannot_be_read_is_an_error():
    with pytest.raises(ValueError, match="the end"):
        list(equations("There are 3 + = 4 cases."))
