"""Reading BIF: the grammar, sums, errors, malicious texts."""

import pickle
import random
import time
from contextlib import suppress
from fractions import Fraction

import pytest
from bif_texts import COIN, DOG, ONE, error_of, exactly_equal
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesbook.base import BIFError, ProbabilityError
from bayesbook.network import (
    format_bif,
    load_network,
    parse_bif,
    read_bif,
    write_bif,
)

# -- reading -----------------------------------------------------------


def test_what_is_read():
    network = parse_bif(COIN)
    assert network.name == "coin"
    assert network.nodes == ("a", "b")
    assert dict(network.states) == {"a": ("h", "t"), "b": ("x", "y", "z")}
    assert network.tables["a"].values.tolist() == [0.25, 0.75]
    assert network.tables["b"].variables == ("a", "b")
    assert network.tables["b"].values.tolist() == [
        [0.1, 0.2, 0.7],
        [0.5, 0.5, 0],
    ]


def test_a_file_of_javabayes():
    network = parse_bif(DOG)
    assert network.name == "Dog-Problem"
    assert network.nodes == (
        *("light-on", "bowel-problem", "dog-out", "hear-bark", "family-out"),
    )
    assert network.parents("dog-out") == ("bowel-problem", "family-out")
    dog_out = network.tables["dog-out"]
    assert dog_out.values[:, :, 0].tolist() == [[0.99, 0.97], [0.9, 0.3]]
    assert network.tables["hear-bark"].values[:, 0].tolist() == [0.7, 0.01]
    assert network.tables["light-on"].values[:, 0].tolist() == [0.6, 0.05]


def test_a_table_has_the_last_parent_fastest_and_the_variable_slowest():
    # pgmpy 1.1.2 and pyAgrum 3.3.1 read this text so, too.
    numbers = [n / 100 for n in range(1, 7)]
    numbers += [1 - n for n in numbers]
    text = f"""network t {{ }}
    variable a {{ type discrete [ 2 ] {{ a0, a1 }}; }}
    variable b {{ type discrete [ 3 ] {{ b0, b1, b2 }}; }}
    variable x {{ type discrete [ 2 ] {{ x0, x1 }}; }}
    probability ( a ) {{ table 0.5, 0.5; }}
    probability ( b ) {{ table 0.2, 0.3, 0.5; }}
    probability ( x | a, b ) {{ table {", ".join(map(repr, numbers))}; }}"""
    table = parse_bif(text).tables["x"]
    assert table.values[..., 0].tolist() == [
        [0.01, 0.02, 0.03],
        [0.04, 0.05, 0.06],
    ]


def test_numbers_are_the_nearest_floats_not_those_of_32_bits():
    # A peer reads 0.99 as 0.99000001.
    asia = parse_bif(format_bif(load_network("asia")))
    assert asia.tables["asia"].values.tolist() == [0.01, 0.99]
    words = ["0.1", ".7", "1e-1", "10E-2", "0.", "+0.0", "0"]
    text = f"""network n {{ }}
    variable a {{ type discrete [ 7 ] {{ {" ".join("abcdefg")} }}; }}
    probability ( a ) {{ table {", ".join(words)}; }}"""
    assert parse_bif(text).tables["a"].values.tolist() == list(
        map(float, words)
    )


def test_a_number_of_a_million_digits_takes_no_time():
    text = COIN.replace("0.25", "0.25" + "0" * 10**6)
    start = time.process_time()
    assert parse_bif(text) == parse_bif(COIN)
    assert time.process_time() - start < 2


def test_exact_numbers():
    network = parse_bif(COIN, exact=True)
    assert network.is_exact
    assert network.tables["b"].values.tolist()[0] == [
        Fraction(1, 10),
        Fraction(1, 5),
        Fraction(7, 10),
    ]
    thirds = COIN.replace("0.1, 0.2, 0.7", "1/3, 1/3, 1/3")
    assert parse_bif(thirds).tables["b"].values[0].tolist() == [1 / 3] * 3
    assert (
        parse_bif(thirds, exact=True).tables["b"].values[0].tolist()
        == [Fraction(1, 3)] * 3
    )


@pytest.mark.parametrize("exact", [False, True])
def test_default_stands_for_the_rows_that_are_missing(exact):
    text = COIN.replace("(h) 0.1, 0.2, 0.7;", "default 0.3 0.3 0.4;")
    table = parse_bif(text, exact=exact).tables["b"]
    distributions = {
        state: [float(p) for p in table.given(a=state).values]
        for state in "ht"
    }
    assert distributions == {"h": [0.3, 0.3, 0.4], "t": [0.5, 0.5, 0]}


@pytest.mark.parametrize(
    "distribution",
    ["table 0.25, 0.75;", "default 0.25, 0.75;", "() 0.25, 0.75;"],
)
def test_distributions_without_parents(distribution):
    text = COIN.replace("table 0.25, 0.75;", distribution)
    assert exactly_equal(parse_bif(text), parse_bif(COIN))


def test_order_comments_properties_and_white_space_play_no_role():
    lines = COIN.split("\n")
    start, a, b = lines[:2], lines[8:11], lines[11:]
    blocks = ["\n".join(part) for part in (start, b, a, lines[2:8])]
    mixed = "\ufeff/* **/" + "// }\r\n".join(blocks)
    mixed = mixed.replace("}", 'property { ( ";" \'x ; }', 1)
    mixed = mixed.replace("\n", "\r").replace(",", "/*,*/\t")
    assert exactly_equal(parse_bif(mixed), parse_bif(COIN))


def test_keywords_and_numbers_are_names_where_names_stand():
    text = """network network { }
    variable table { type discrete [ 2 ] { default, property }; }
    variable 0.5 { type discrete [ 3 ] { 1e3, ">= 2", Asy/Patchy }; }
    probability ( table ) { table 0.5, 0.5; }
    probability ( 0.5 | table ) {
      (property) 0.2, 0.3, 0.5;
      (default) 0.3, 0.5, 0.2;
    }"""
    network = parse_bif(text)
    assert network.states["0.5"] == ("1e3", ">= 2", "Asy/Patchy")
    assert network.tables["0.5"].values.tolist() == [
        [0.3, 0.5, 0.2],
        [0.2, 0.3, 0.5],
    ]
    assert exactly_equal(parse_bif(format_bif(network, quotes=True)), network)


@pytest.mark.parametrize(
    ("title", "name"),
    [("unknown", ""), ('"unknown"', "unknown"), ("", ""), ('"my net"',) * 2],
)
def test_names_of_networks(title, name):
    network = parse_bif(COIN.replace("coin", title))
    assert network.name == name.strip('"')
    assert parse_bif(format_bif(network)).name == network.name
    assert parse_bif(COIN, name="other").name == "other"


# -- sums --------------------------------------------------------------


def test_rounded_distributions_are_divided_by_their_sum_within_the_tolerance():
    text = COIN.replace("0.1, 0.2, 0.7", "0.3333333, 0.3333333, 0.3333333")
    distribution = parse_bif(text).tables["b"].values[0]
    assert distribution.tolist() == [0.3333333 / (0.3333333 * 3)] * 3
    distribution = parse_bif(text, exact=True).tables["b"].values[0]
    assert distribution.tolist() == [Fraction(1, 3)] * 3
    # The other distributions are as they were written.
    assert parse_bif(text).tables["b"].values[1].tolist() == [0.5, 0.5, 0]


def test_a_distribution_within_the_tolerance_of_tables_is_left_alone():
    text = COIN.replace("0.25, 0.75", "0.25, 0.7500000009")
    assert parse_bif(text).tables["a"].values.tolist() == [0.25, 0.7500000009]


def test_other_distributions_are_refused_with_the_place_and_the_remedy():
    text = COIN.replace("0.1, 0.2, 0.7", "0.333, 0.333, 0.333")
    error = error_of(text)
    assert (error.line, error.column) == (13, 7)
    assert "'b' for a=h sum to 0.999, not to 1" in str(error)
    assert "rounding of their digits explains" in str(error)
    assert "tolerance=0.001" in str(error)
    distribution = parse_bif(text, tolerance=0.001).tables["b"].values[0]
    assert distribution.tolist() == pytest.approx([1 / 3] * 3)
    wrong = COIN.replace("0.1, 0.2, 0.7", "0.10, 0.20, 0.60")
    assert "a difference of 0.015 at most. Correct them." in str(
        error_of(wrong)
    )
    assert "sum to 9/10," in str(error_of(wrong, exact=True))
    assert "13, column 7" in str(error_of(text, exact=True, tolerance=0))


@pytest.mark.parametrize("exact", [True, False])
def test_a_default_that_is_wrong_is_named_with_its_first_row(exact):
    text = COIN.replace("(h) 0.1, 0.2, 0.7;", "default 0.3 0.2 0.1;")
    error = error_of(text, exact=exact)
    assert error.line == 13
    total = "3/5" if exact else "0.6"
    assert f"'b' for a=h sum to {total}, not to 1" in str(error)


def test_the_distribution_of_a_table_that_is_wrong_is_named():
    text = COIN.replace("(h) 0.1, 0.2, 0.7;", "").replace(
        "(t) 0.5, 0.5, 0", "table 0.1 0.5 0.2 0.5 0.7 0.1"
    )
    error = error_of(text)
    assert "for a=t sum to 1.1" in str(error)
    assert "a difference of 0.15 at most" not in str(error)
    assert "rounding of their digits explains" in str(error)


@pytest.mark.parametrize("tolerance", [-1, float("nan"), 0.9, "x"])
def test_a_tolerance_that_is_none(tolerance):
    with pytest.raises(ProbabilityError, match="tolerance"):
        parse_bif(COIN, tolerance=tolerance)


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize(
    "word", ["-0.25", "nan", "inf", "1_0", "0,25x", "1/0", "٣", "1e", "e5",
             "0x1", "1e999", "1e-99999999999999999999x", "9/4", "0.2.5",
             '"0.25"', "-1/4", "1e9999999999"],
)  # fmt: skip
def test_what_is_no_probability(word, exact):
    error = error_of(COIN.replace("0.25", word), exact=exact)
    assert (error.line, error.column) == (10, 9)


def test_tiny_numbers_are_read():
    text = COIN.replace("0.25, 0.75", "1e-300, 1")
    assert parse_bif(text).tables["a"].values.tolist() == [1e-300, 1]
    assert error_of(COIN.replace("0.25", "1e-9999"), exact=True).line == 10


# -- errors ------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "message"),
    [
        ("network coin {\n}", "", 2, 1, "begins with 'network NAME {'"),
        ("coin {\n}", "coin\n}", 2, 1, "Expected '{', found '}'"),
        ("variable b", "varible b", 6, 1, "'variable' or 'probability'"),
        ("variable b {", "variable {", 6, 10, "the name of a variable"),
        ("variable b", "variable a", 6, 1, "two blocks for the variable 'a'"),
        ("variable b", 'variable ""', 6, 10, "name is empty"),
        ("discrete [ 3", "continuous [ 3", 7, 8, "Expected 'discrete'"),
        ("[ 3 ]", "[ 4 ]", 7, 19, "said to have 4 states, but 3 are listed"),
        ("[ 3 ]", "[ 1000000000 ]", 7, 19, "'b' is said to have 1000000000"),
        ("[ 3 ]", "[ x ]", 7, 19, "the number of states, found 'x'"),
        ("[ 3 ]", "[ ٣ ]", 7, 19, "the number of states"),
        ("[ 3 ]", "[ ]", 7, 19, "the number of states, found ']'"),
        ("{ x, y, z }", "{ x, y, x }", 7, 31, "The state 'x' of 'b' appears"),
        ("{ x, y, z };", "{ x, y, z ;", 7, 33, "'}' after the states"),
        ("  type discrete [ 3 ] { x, y, z };\n", "", 7, 1, "has no states"),
        ("z };\n", "z }; type discrete [ 1 ] { x }\n", 7, 36, "two types"),
        ("probability ( b", "probability ( c", 12, 15, "'c' is not among"),
        ("( b | a )", "( b | aa )", 12, 19, "Did you mean 'a'?"),
        ("( b | a )", "( b | b )", 12, 1, "'b' is its own parent"),
        ("( b | a )", "( b | a a )", 12, 1, "'a' is a parent of 'b' twice"),
        ("( b | a )", "( b a | )", 12, 19, "')' after the names"),
        ("( b | a )", "( | a )", 12, 15, "the name of a variable"),
        ("( b | a )", "b | a", 12, 13, "Expected '('"),
        ("( b | a )", "( a )", 12, 1, "two probability blocks for 'a'"),
        ("probability ( a ) {\n  table 0.25, 0.75;\n}\n", "", 3, 1,
         "no probability block for 'a'"),
        ("(h)", "(H)", 13, 4, "'H' is not a state of 'a'"),
        ("(h)", "(t)", 14, 3, "two rows for a=t"),
        ("(h)", "(h, x)", 13, 3, "2 states, but 'b' has 1 parent: 'a'"),
        ("(h)", "()", 13, 3, "0 states, but"),
        ("(h)", "h)", 13, 3, "found 'h'"),
        ("(h)", "(h", 13, 19, "Expected ')' after the states of a row"),
        (
            "  (h) 0.1, 0.2, 0.7;\n",
            "",
            12,
            1,
            "no distribution for a=h: add the row",
        ),
        ("0.2, 0.7;", "0.2, 0.7", 14, 3, "Expected ';' after the numbers"),
        ("0.2, 0.7;", "0.2;", 13, 7, "Expected 3 numbers here, found 2"),
        ("0.2, 0.7;", "0.2, 0,7;", 13, 7, "a point, not a comma"),
        ("table 0.25", "0.25", 10, 3, "'(', 'table', 'default'"),
        ("table 0.25, 0.75", "", 10, 3, "found ';'"),
        ("table 0.25, 0.75;", "", 9, 1, "no numbers for 'a'"),
        ("table 0.25, 0.75", "(h) 0.25, 0.75", 10, 3, "has no parents"),
        ("table 0.25", "table 1; table 0.25", 10, 12, "a second 'table'"),
        ("(h)", "default 1 0 0; default 1; (h)", 13, 18, "second 'default'"),
        ("(h)", "table 1 1 0 0 0 0; (h)", 13, 3, "has a table, and rows"),
        ("table 0.25", "property table 0.25", 9, 1, "no numbers"),
        ("0.75;\n}", "0.75;\n", 12, 1, "Expected '(', 'table'"),
        ("z };", 'z " };', 7, 33, "This quote is not closed"),
        ("z };", "z }; /* ", 7, 36, "This comment is never closed"),
        ("z };", "z }; /*/", 7, 36, "This comment is never closed"),
        ("(t) 0.5, 0.5, 0;\n}\n", "property x", 14, 3, "has no end"),
        ("probability ( a )", "probability ( a | b )", 9, 1, "a cycle"),
    ],
)  # fmt: skip
def test_errors_say_where_and_what(old, new, line, column, message):
    assert COIN.count(old) == 1
    text = COIN.replace(old, new)
    if "a cycle" in message:
        distribution = "(x) 0.25, 0.75; default 0.5 0.5"
        text = text.replace("table 0.25, 0.75", distribution)
    error = error_of(text)
    assert (error.line, error.column) == (line, column)
    assert message in str(error)
    assert str(error).startswith(f"line {line}, column {column}: ")


def test_a_missing_bracket_is_not_blamed_on_the_next_row():
    error = error_of(COIN.replace("(h) 0.1", "(h 0.1"))
    assert (error.line, error.column) == (13, 19)


def test_a_text_that_is_cut_off_anywhere_is_said_to_be():
    for length in range(len(COIN) - 2):
        assert "cut off" in str(error_of(COIN[:length]))


def test_a_cycle_is_named_in_order():
    text = "network c { }\n" + "".join(
        f"variable {name} {{ type discrete [ 1 ] {{ s }}; }}\n"
        f"probability ( {name} | {parent} ) {{ table 1; }}\n"
        for name, parent in zip("abcd", "bcaa", strict=True)
    )
    error = error_of(text)
    assert error.line == 3
    assert any(
        circle in str(error)
        for circle in ("a → c → b → a", "c → b → a → c", "b → a → c → b")
    )


def test_texts_that_are_no_networks():
    assert "begins with" in str(error_of("<?xml version='1.0'?><BIF>"))
    assert "begins with" in str(error_of(""))
    assert "There is no variable" in str(error_of("network n { }"))
    with pytest.raises(TypeError, match="the text itself"):
        parse_bif(b"network n { }")
    with pytest.raises(TypeError, match="Only a BayesianNetwork"):
        format_bif(COIN)


def test_the_error_can_be_sent_to_another_process():
    error = error_of("network")
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == str(error)
    assert (copy.line, copy.column, copy.file) == (1, 8, None)
    assert str(BIFError("What is wrong.")) == "What is wrong."


# -- malicious texts ---------------------------------------------------

MANY_PARENTS = "network n { }\n" + "".join(
    f"variable v{i} {{ type discrete [ 2 ] {{ a, b }}; }}\n"
    f"probability ( v{i} ) {{ table 0.5 0.5; }}\n"
    for i in range(64)
)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 10**6,
        "network n { } " + "{" * 10**6,
        "network n { } variable x { type discrete [ 1 ] " + "{" * 10**6,
        "network n { } " + "/*" * 10**6,
        "network n { } " + '"' * 10**6,
        "network n { } " + '"a' * 10**6,
        "network n { " + "property " * 10**6,
        "network n { } variable x { type discrete [ " + "9" * 10**6 + " ] { s",
        "network n { } variable x { type discrete [ 3 ] { " + "s " * 10**6,
        "network n { } variable x { type discrete [ 9 ] { "
        + " ".join(map(str, range(10**5))) + " }; }",
        "network n { } " + ONE * 10**5,
        f"network n {{ }} {ONE} probability ( x ) {{ " + "table " * 10**6,
        f"network n {{ }} {ONE} probability ( x ) {{ " + "(s) 1 " * 10**6,
        f"network n {{ }} {ONE} probability ( x ) {{ " + "(s) 1; " * 10**5,
        f"network n {{ }} {ONE} probability ( x ) {{ table" + " 1" * 10**6,
        f"network n {{ }} {ONE} probability ( " + "x " * 10**5 + ") { }",
        "\0" * 10**6,
        "\x85" * 10**6,
        "a/" * 10**6,
        "network n { } variable " + "a/" * 10**6,
    ],
    ids=lambda text: f"{text[:60]!r}...",
)  # fmt: skip
def test_malicious_texts_are_refused_quickly(text):
    start = time.process_time()
    error = error_of(text)
    assert time.process_time() - start < 10
    assert len(str(error)) < 1000


@pytest.mark.parametrize(
    ("parents", "message"),
    [(30, "more than 1073741824 bytes"), (63, "bytes"), (64, "64 parents")],
)
def test_tables_that_would_be_huge_are_never_made(parents, message):
    names = " ".join(f"v{i}" for i in range(parents))
    text = f"""{MANY_PARENTS}variable x {{ type discrete [ 2 ] {{ a, b }}; }}
    probability ( x | {names} ) {{ default 0.5 0.5; }}"""
    error = error_of(text)
    assert error.line == 131
    assert message in str(error)


def test_a_table_has_63_parents_if_they_have_one_state():
    names = " ".join(f"v{i}" for i in range(63))
    text = MANY_PARENTS.replace("[ 2 ] { a, b }", "[ 1 ] { a }").replace(
        "table 0.5 0.5", "table 1"
    )
    text += f"{ONE} probability ( x | {names} ) {{ table 1; }}"
    network = parse_bif(text)
    assert network.tables["x"].values.shape == (1,) * 64
    assert exactly_equal(parse_bif(format_bif(network)), network)


def test_the_bytes_of_all_tables_count():
    assert error_of(COIN, max_bytes=200).line is None
    assert parse_bif(COIN, max_bytes=64 * len(COIN)) == parse_bif(COIN)
    default = COIN.replace("(h) 0.1, 0.2, 0.7;", "default 0 0 1;")
    states = " ".join(f"s{i}" for i in range(1000))
    large = default.replace("[ 2 ] { h, t }", f"[ 1000 ] {{ {states} }}")
    large = large.replace("(t) 0.5, 0.5, 0;", "").replace(
        "table 0.25, 0.75;", f"table 1 {'0 ' * 999};"
    )
    assert parse_bif(large, max_bytes=64 * len(large)).n_parameters == 2999
    error = error_of(large, exact=True, max_bytes=64 * len(large))
    assert "raise max_bytes" in str(error)


@pytest.mark.parametrize("wrong", [0, "much", None, float("nan")])
def test_limits_that_are_none(tmp_path, wrong):
    write_bif(parse_bif(COIN), tmp_path / "coin.bif")
    with pytest.raises(ProbabilityError, match="max_bytes is"):
        parse_bif(COIN, max_bytes=wrong)
    with pytest.raises(ProbabilityError, match="max_bytes is"):
        read_bif(tmp_path / "coin.bif", max_bytes=wrong)


def test_many_nodes_are_read_in_time():
    text = "network n { }\n" + "".join(
        f"variable v{i} {{ type discrete [ 1 ] {{ s }}; }}\n"
        f"probability ( v{i} | v{i + 1} ) {{ table 1; }}\n"
        for i in range(5_000)
    )
    start = time.process_time()
    error = error_of(text)
    assert "'v5000' is not among the variables" in str(error)
    text = text.replace("( v4999 | v5000 )", "( v4999 )")
    assert len(parse_bif(text)) == 5_000
    text = text.replace("( v4999 )", "( v4999 | v0 )")
    assert "a cycle" in str(error_of(text))
    assert time.process_time() - start < 20


def test_broken_texts_give_a_network_or_an_error_with_a_place():
    asia = format_bif(load_network("asia"))
    rng = random.Random(20)
    alphabet = sorted(set(asia)) + list('"/*\\\t\0\r\x85é中-+_e')
    start = time.process_time()
    fine, places = 0, []
    for _ in range(3000):
        text = asia
        for _ in range(rng.choice([1, 1, 2, 5])):
            at = rng.randrange(len(text))
            length = rng.choice([0, 1, 1, 2, 30])
            new = "".join(rng.choices(alphabet, k=rng.choice([0, 1, 1, 3])))
            text = text[:at] + new + text[at + length :]
        try:
            network = parse_bif(text)
        except BIFError as error:
            places.append((text, error.line, error.column))
        else:
            fine += 1
            assert exactly_equal(parse_bif(format_bif(network)), network)
    assert 100 < fine < 2900
    for text, line, column in places:
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        assert 1 <= line <= len(lines)
        assert 1 <= column <= len(lines[line - 1]) + 1
    assert time.process_time() - start < 30


@settings(deadline=None)
@given(st.text(alphabet='{}()[];,|"/*\n\r 01.e-network', max_size=200))
def test_any_text_gives_a_network_or_an_error(text):
    for prefix in ("", "network n { } ", COIN):
        with suppress(BIFError):
            parse_bif(prefix + text)
