"""The exercises of the chapter can be solved, and in another way."""

from itertools import permutations, product

from study.exercises.solving import solved_by

from bayesbook.study.exercises.checker import exercises_of

# --- Solutions straight from the definitions, without any library ---------


def below(arrows, node):
    """Return a node and its descendants."""
    children = [b for a, b in arrows if a == node]
    return {node}.union(*(below(arrows, child) for child in children))


def nodes_of(arrows):
    return sorted({node for arrow in arrows for node in arrow})


def ancestors(arrows, nodes):
    return {n for n in nodes_of(arrows) if below(arrows, n) & set(nodes)}


def is_active(arrows, trail, given):
    for i in range(1, len(trail) - 1):
        before, node, after = trail[i - 1 : i + 2]
        meets = (before, node) in arrows and (after, node) in arrows
        if meets and not below(arrows, node) & given:
            return False
        if not meets and node in given:
            return False
    return True


def moral_edges(arrows):
    joined = {frozenset(arrow) for arrow in arrows}
    for a, b, child in permutations(nodes_of(arrows), 3):
        if (a, child) in arrows and (b, child) in arrows:
            joined.add(frozenset({a, b}))
    return joined


def trails(arrows, path, end):
    """Yield all trails to `end` that begin with a path."""
    if path[-1] == end:
        yield path
        return
    for a, b in sorted({*arrows, *((b, a) for a, b in arrows)}):
        if a == path[-1] and b not in path:
            yield from trails(arrows, (*path, b), end)


def ball_steps(arrows, source, given):
    found = {}
    for node in set(nodes_of(arrows)) - {source, *given}:
        lengths = [
            len(trail) - 1
            for trail in trails(arrows, (source,), node)
            if is_active(arrows, trail, given)
        ]
        if lengths:
            found[node] = min(lengths)
    return found


def separated(arrows, x, y, given):
    return not any(
        is_active(arrows, trail, given) for trail in trails(arrows, (x,), y)
    )


def equivalent(arrows, others):
    """Compare all d-separations of two nodes."""
    nodes = nodes_of(arrows)
    assert nodes == nodes_of(others)
    for x, y in permutations(nodes, 2):
        rest = [node for node in nodes if node not in (x, y)]
        for switches in product([True, False], repeat=len(rest)):
            pairs = zip(rest, switches, strict=True)
            given = {node for node, on in pairs if on}
            if separated(arrows, x, y, given) != separated(
                others, x, y, given
            ):
                return False
    return True


EXERCISES = exercises_of("d_separation")
test_another_solution_passes = solved_by("d_separation", globals())


def test_the_trails_of_the_cases_are_trails_with_unobserved_ends():
    for arrows, trail, given in EXERCISES["is_active"].cases:
        assert trail in trails(arrows, trail[:1], trail[-1])
        assert not {trail[0], trail[-1]} & given
