// Which trails are open: 1 in a pair of nodes AB is an arrow from A to B, 2
// one from B to A, and 1 at a node says that it is observed.

const NODES = [..."ABCDEF"];
const PAIRS = NODES.flatMap((a, at) => NODES.slice(at + 1).map((b) => a + b));
// In both directions, as the ball may roll.
const WAYS = NODES.flatMap((a) => NODES.map((b) => a + b)).filter(
  ([a, b]) => a !== b,
);
const MOST_TRAILS = 20;

function view(state) {
  const arrows = PAIRS.filter((pair) => state[pair]).map((pair) =>
    state[pair] === 1 ? pair : pair[1] + pair[0],
  );
  const graph = graphOf(arrows);
  const observed = NODES.filter((node) => state[node]);
  const [x, y] = [NODES[state.x], NODES[state.y]];
  const refused = refusal(graph, x, y, observed);
  if (refused) return { refused };

  const all = trailsOf(graph, x, y);
  const { trails, more } = explain(graph, all, observed);
  const chosen = trails[state.trail - 1];
  const moral = moralise(graph, x, y, observed);
  const ball = roll(graph, x, observed, state.ball);
  const rows = [...Array(MOST_TRAILS).keys()];
  return {
    written: {
      x,
      arrows:
        arrows
          .sort()
          .map(([tail, head]) => `${tail} → ${head}`)
          .join(", ") || "none",
      sentence: sentence(x, y, observed, trails, more),
      moral: moral.said,
      ball: ball.said,
      more,
      ...named(rows, (at) => [`trail_${at + 1}`, trails[at]?.text ?? ""]),
    },
    drawn: {
      ...drawnGraph(state, x, y, trails, chosen),
      ...moral.drawn,
      ...ball.drawn,
      show_0: { "aria-pressed": String(!chosen) },
      ...named(rows, (at) => [
        `show_${at + 1}`,
        { "aria-pressed": String(Boolean(chosen) && chosen === trails[at]) },
      ]),
      ...named(rows, (at) => [
        `row_${at + 1}`,
        { class: trails[at] ? (trails[at].isOpen ? "open" : "") : "unused" },
      ]),
    },
    solves: solved(graph, all, observed),
  };
}

// Of each node the others, by name; all nodes are few, and asked for often.
function graphOf(arrows) {
  const known = new Set(arrows);
  const has = (tail, head) => known.has(tail + head);
  const table = (isSo) => {
    const rows = named(NODES, (node) => [
      node,
      NODES.filter((other) => isSo(node, other)),
    ]);
    return (node) => rows[node];
  };
  const parents = table((node, other) => has(other, node));
  const children = table(has);
  const below = named(NODES, (node) => [node, reach([node], children)]);
  return {
    has,
    parents,
    children,
    neighbours: table((node, other) => has(other, node) || has(node, other)),
    below: (node) => below[node],
  };
}

// --- Trails ---------------------------------------------------------------

// The paths from the last node of one to an end, by steps to other nodes.
function* paths(steps, end, path) {
  for (const node of steps(path.at(-1))) {
    if (node === end) yield [...path, node];
    else if (!path.includes(node)) yield* paths(steps, end, [...path, node]);
  }
}

function shortestFirst(found) {
  const keyed = found.map((path) => [path.length + path.join(""), path]);
  return keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, path]) => path);
}

// All nodes that steps lead to, with those where they begin.
function reach(nodes, steps) {
  const found = new Set(nodes);
  for (const node of found) for (const next of steps(node)) found.add(next);
  return found;
}

function refusal(graph, x, y, observed) {
  // To look for a way back is quick, to list the cycles is not.
  const isOnCycle = (node) =>
    graph.children(node).some((child) => graph.below(child).has(node));
  const [cycle] = shortestFirst(
    NODES.filter(isOnCycle).flatMap((node) => [
      ...paths(graph.children, node, [node]),
    ]),
  );
  if (cycle) return `Refused: ${cycle.join(" → ")} would be a cycle.`;
  if (x === y) return "Refused: the ends must be two different nodes.";
  const end = observed.find((node) => node === x || node === y);
  return end ? `Refused: ${end} is an end, so it cannot be observed.` : "";
}

// A collider is open if it or a descendant is observed, another node if not.
function junction(graph, before, node, after, observed) {
  const [comes, leaves] = [graph.has(before, node), graph.has(node, after)];
  const isSeen = observed.includes(node);
  if (comes && !leaves) {
    const witness = observed.find((other) => graph.below(node).has(other));
    const why = isSeen
      ? "is observed"
      : `has the observed descendant ${witness}`;
    return witness
      ? { node, isCollider: true, isOpen: true, text: `the collider ${node} ${why}` }
      : {
          node,
          isCollider: true,
          text:
            `${node}, a collider that is not observed ` +
            "and has no observed descendant",
        };
  }
  const kind = leaves && !comes ? "fork" : "chain node";
  return isSeen
    ? { node, text: `${node}, a ${kind} that is observed` }
    : { node, isOpen: true, text: `the ${kind} ${node} is not observed` };
}

function judge(graph, nodes, observed) {
  const junctions = nodes
    .slice(1, -1)
    .map((node, at) =>
      junction(graph, nodes[at], node, nodes[at + 2], observed),
    );
  const blocks = junctions.filter(({ isOpen }) => !isOpen);
  const isOpen = blocks.length === 0;
  const verdict = isOpen
    ? `open, because ${whyOpen(junctions)}`
    : `blocked at ${blocks.map(({ text }) => text).join(", and at ")}`;
  const drawn = nodes.reduce(
    (text, node, at) =>
      `${text} ${graph.has(nodes[at - 1], node) ? "→" : "←"} ${node}`,
  );
  return { nodes, blocks, isOpen, drawn, verdict, text: `${drawn}: ${verdict}` };
}

function whyOpen(junctions) {
  if (!junctions.length) return "nothing blocks an edge";
  const colliders = junctions.filter(({ isCollider }) => isCollider);
  const others = junctions.length - colliders.length;
  const reasons = (others < 2 ? junctions : colliders).map(({ text }) => text);
  if (others >= 2) {
    const other = colliders.length ? "other " : "";
    reasons.push(`no ${other}node inside the trail is observed`);
  }
  return listed(reasons);
}

// The shortest trails, with an open one among them if there is one. Those
// that are not listed need no words.
function explain(graph, all, observed) {
  const told = (nodes) => judge(graph, nodes, observed);
  const trails = all.slice(0, MOST_TRAILS).map(told);
  if (!trails.some(({ isOpen }) => isOpen)) {
    const open = all
      .slice(MOST_TRAILS)
      .find((nodes) => isOpenTrail(graph, nodes, observed));
    if (open) trails[MOST_TRAILS - 1] = told(open);
  }
  const rest = trails.some(({ isOpen }) => isOpen)
    ? "not listed"
    : "all of them blocked";
  const isAll = all.length === trails.length;
  return { trails, more: isAll ? "" : `… and more trails, ${rest}` };
}

function trailsOf(graph, x, y) {
  return shortestFirst([...paths(graph.neighbours, y, [x])]);
}

function isOpenTrail(graph, nodes, observed) {
  return nodes
    .slice(1, -1)
    .every(
      (node, at) =>
        junction(graph, nodes[at], node, nodes[at + 2], observed).isOpen,
    );
}

function sentence(x, y, observed, trails, more) {
  const given = observed.length ? ` given ${listed(observed)}` : "";
  const open = trails.find(({ isOpen }) => isOpen);
  if (!open) {
    const why = whySeparated(trails, more);
    return `${x} and ${y} are d-separated${given}: ${why}.`;
  }
  const what = open.nodes.length > 2 ? "trail" : "edge";
  return (
    `${x} and ${y} are not d-separated${given}: ` +
    `the ${what} ${open.drawn} is ${open.verdict}.`
  );
}

function whySeparated(trails, more) {
  const count = trails.length;
  if (!count) return "no trail connects them";
  if (more) {
    return `more than ${count} trails connect them, and all are blocked`;
  }
  if (count === 1) {
    return `the only trail, ${trails[0].drawn}, is ${trails[0].verdict}`;
  }
  const blocked = `${count === 2 ? "both" : `all ${count}`} trails are blocked`;
  const times = new Map();
  for (const { blocks } of trails) {
    const { text } = blocks[0];
    times.set(text, (times.get(text) ?? 0) + 1);
  }
  if (times.size === 1) return `${blocked} at ${[...times.keys()][0]}`;
  if (times.size > 3) return blocked;
  const parts = [...times].map(
    ([text, n]) => `${{ 1: "one", 2: "two" }[n] ?? n} at ${text}`,
  );
  return `${blocked}, ${parts.join(", and ")}`;
}

function listed(words) {
  const [others, last] = [words.slice(0, -1), words.at(-1)];
  return others.length ? `${others.join(", ")} and ${last}` : last;
}

// --- The Bayes ball -------------------------------------------------------

// After how many steps it rolls from a node to another. From the start it rolls
// to all nodes beside it; from another node it goes on along each edge with
// which the edge that it came along makes a junction that is open, or back.
function stepsOfBall({ has, below, neighbours }, start, observed) {
  const isOpened = named(NODES, (node) => [
    node,
    observed.some((other) => below(node).has(other)),
  ]);
  const isOpen = (before, node, after) =>
    has(before, node) && has(after, node)
      ? isOpened[node]
      : !observed.includes(node);
  const steps = new Map();
  for (const node of neighbours(start)) steps.set(start + node, 1);
  for (const [way, step] of steps) {
    const [before, node] = way;
    for (const after of neighbours(node)) {
      const next = node + after;
      if (steps.has(next) || !isOpen(before, node, after)) continue;
      steps.set(next, step + 1);
    }
  }
  return steps;
}

function roll(graph, start, observed, asked) {
  const steps = stepsOfBall(graph, start, observed);
  const last = Math.max(0, ...steps.values());
  const now = Math.min(asked, last);
  const kind = (step) => (step === now ? "new" : step < now && "old");
  const there = [...steps].flatMap(([way, step]) => (step <= now ? way[1] : []));
  const reached = NODES.filter(
    (node) => there.includes(node) && node !== start && !observed.includes(node),
  );
  const button = (to, isEnd) => ({
    "data-sets": `ball ${to}`,
    "aria-disabled": String(isEnd),
  });
  return {
    said: saidOfBall(start, reached, observed, now, last),
    drawn: {
      roll: button(Math.min(now + 1, last), now === last),
      roll_back: button(Math.max(now - 1, 0), now === 0),
      ...named(WAYS, (way) => [
        `ball_${way}`,
        look("explore-rolled", kind(steps.get(way))),
      ]),
    },
  };
}

function saidOfBall(start, reached, observed, now, last) {
  if (!last) return `The ball lies at ${start}, and no edge leads away.`;
  if (!now) return `The ball lies at ${start}.`;
  const count = reached.length;
  const whom = count ? listed(reached) : "no other unobserved node";
  const said =
    `After ${now} step${now > 1 ? "s" : ""} the ball has reached ${whom}`;
  if (now < last) return `${said}.`;
  const given = observed.length ? ` given ${listed(observed)}` : "";
  const these =
    count > 1 ? "these nodes, and no others, are" : "this node, and no other, is";
  const what = count
    ? `${these} d-connected with ${start}`
    : `${start} is d-separated from them all`;
  return `${said}, and rolls no further: ${what}${given}.`;
}

// --- Pictures -------------------------------------------------------------

function drawnGraph(state, x, y, trails, chosen) {
  const open = trails.filter(({ isOpen }) => isOpen);
  const lit = chosen ? [chosen] : open;
  const bands = lit.flatMap(({ nodes }) =>
    nodes.slice(1).map((node, at) => [nodes[at], node].sort().join("")),
  );
  // Crosses are on the chosen trail, or on all if none is open.
  const shown = lit.length ? lit : trails;
  const blocks = shown.flatMap((trail) => trail.blocks.map(({ node }) => node));
  const way = ["", "arrow", "arrow back"];
  const band = lit[0]?.isOpen ? "open" : "shut";
  return {
    ...named(PAIRS, (pair) => [pair, look("explore-pair", way[state[pair]])]),
    ...named(PAIRS, (pair) => [
      `${pair}_band`,
      look("explore-band", bands.includes(pair) && band),
    ]),
    ...named(NODES, (node) => [
      node,
      look(
        "explore-node",
        state[node] && "observed",
        (node === x || node === y) && "end",
        blocks.includes(node) && "blocks",
      ),
    ]),
  };
}

// The ends, the observed nodes and their ancestors; parents of a common child
// are joined, and arrows are lines.
function moralise({ has, parents, children }, x, y, observed) {
  const kept = reach([x, y, ...observed], parents);
  const isMarried = (a, b) =>
    children(a).some((child) => kept.has(child) && has(b, child));
  const kind = (a, b) => {
    if (!kept.has(a) || !kept.has(b)) return "";
    if (has(a, b) || has(b, a)) return "line";
    return isMarried(a, b) ? "line married" : "";
  };
  const isFree = (node) => !observed.includes(node);
  const reached = reach([x], (node) =>
    NODES.filter((other) => isFree(other) && kind(node, other)),
  );
  const some = reached.has(y) ? "a path" : "no path";
  const free = observed.length ? " that avoids the observed nodes" : "";
  return {
    said: `${some}${free} joins them`,
    drawn: {
      ...named(PAIRS, ([a, b]) => [
        `${a}${b}_moral`,
        look(
          "explore-moral",
          kind(a, b),
          kind(a, b) && !(isFree(a) && isFree(b)) && "cut",
        ),
      ]),
      ...named(NODES, (node) => [
        `${node}_moral`,
        look(
          "explore-node",
          observed.includes(node) && "observed",
          (node === x || node === y) && "end",
          reached.has(node) && "reached",
          !kept.has(node) && "absent",
        ),
      ]),
    },
  };
}

function look(...classes) {
  return { class: classes.filter(Boolean).join(" ") };
}

function named(items, entry) {
  return Object.fromEntries(items.map(entry));
}

// --- Tasks ----------------------------------------------------------------

function solved(graph, trails, observed) {
  const count = observed.length;
  if (count !== 1 && count !== 2) return [];
  const open = (given) =>
    trails.filter((nodes) => isOpenTrail(graph, nodes, given));
  const isOpen = (given) => open(given).length > 0;
  const [connected, connects] = [isOpen([]), isOpen(observed)];
  const [node, other] = observed;
  const found = [];
  if (count === 1) {
    const areListed = trails.length <= MOST_TRAILS;
    const areOpen = areListed && open([]).length === trails.length;
    const isAside = !trails.some((nodes) => nodes.includes(node));
    if (trails.length > 2 && areOpen && !connects) found.push("narrow");
    if (!connected && connects && isAside) found.push("descendant");
  }
  if (count === 2 && connects && !connected) {
    if (!isOpen([node]) && !isOpen([other])) found.push("both");
  }
  return found;
}
