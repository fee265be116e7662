// Variable elimination: of each graph in DATA an order, as digits from 1 on.
// Sets of nodes are whole numbers with a bit for each node.

const KEYS = DATA.map(({ key }) => key);
const PLACES = [1, 2, 3, 4, 5, 6, 7, 8, 9];
// Of the bars: their rows, and the ends of the longest one.
const [ROW, TOP, LEFT, WIDE] = [110, 10, 300, 540];
const [HIGH, WIDER] = [84, 106]; // half of a node
const SUMS = ["fills", "width", "largest", "total"];

function view(state) {
  const puzzle = DATA[state.graph];
  const { key, nodes, about } = puzzle;
  const order = orderOf(puzzle, state[key]);
  if (!order) {
    return {
      refused: "Refused: an order has each node of its graph at most once.",
    };
  }
  const steps = stepsOf(puzzle, order);
  const { minFill, outlines, costs: always } = known(puzzle);
  const costs = {
    own: costOf(steps),
    reach: costOf(stepsOf(puzzle, finish(puzzle, order))),
    ...always,
  };
  const written = {
    sentence: sentence(puzzle, order, steps, costs),
    about,
    joint: String(joint(puzzle)),
  };
  for (const [name, cost] of Object.entries(costs)) {
    const isEmpty = name === "own" && !order.length;
    for (const one of SUMS) {
      written[`${name}_${one}`] = isEmpty ? "–" : String(cost[one]);
    }
  }
  const drawn = {
    ...moves(puzzle, order),
    ...edges(puzzle, steps, setOf(order)),
    own_bars: { d: bars(puzzle, steps, 20, 70) },
    best_bars: { d: bars(puzzle, outlines, 8, 94) },
  };
  for (const k of PLACES) {
    const step = steps[k - 1];
    written[`row_${k}`] = step ? `${k} ${nodes[step.node]}` : "";
    written[`amount_${k}`] = step ? String(step.cells) : "";
    const lengths = step
      ? [step, outlines[k - 1]].map((each) => long(puzzle, each) + 24)
      : [0];
    const x = LEFT + Math.max(...lengths);
    drawn[`at_amount_${k}`] = { x: tenth(x) };
    const seen = ofNode(puzzle, order, steps, k);
    Object.assign(written, seen.written);
    Object.assign(drawn, seen.drawn);
  }
  const solves = solved(puzzle, steps, costs, minFill);
  return { written, drawn, solves };
}

// --- Orders and what they cost ---------------------------------------------

function orderOf({ nodes }, number) {
  const order = [...String(number || "")].map((digit) => digit - 1);
  const areThere = order.every((node) => node in nodes);
  return areThere && new Set(order).size === order.length ? order : null;
}

function numberOf(order) {
  return order.reduce((number, node) => 10 * number + node + 1, 0);
}

function setOf(nodes) {
  return nodes.reduce((set, node) => set | (1 << node), 0);
}

function listOf(set) {
  const found = [];
  for (let node = 0; set >> node; node++) if ((set >> node) & 1) found.push(node);
  return found;
}

// The neighbours of a node once others are gone: those that it reaches through
// them.
function around({ near }, gone, node) {
  let [passed, found] = [1 << node, near[node]];
  for (;;) {
    const through = found & gone & ~passed;
    if (!through) return found & ~gone & ~(1 << node);
    const bit = through & -through;
    passed |= bit;
    found |= near[numberOfBit(bit)];
  }
}

function numberOfBit(bit) {
  return 31 - Math.clz32(bit);
}

function cellsOf({ sizes }, set) {
  let cells = 1;
  for (let rest = set; rest; rest &= rest - 1) {
    cells *= sizes[numberOfBit(rest & -rest)];
  }
  return cells;
}

function joint({ sizes }) {
  return sizes.reduce((cells, size) => cells * size, 1);
}

function pairs(nodes) {
  return nodes.flatMap((a, at) => nodes.slice(at + 1).map((b) => [a, b]));
}

function stepAt(puzzle, gone, node) {
  const set = around(puzzle, gone, node);
  const near = listOf(set);
  const isNew = ([a, b]) => !((around(puzzle, gone, a) >> b) & 1);
  return {
    node,
    near,
    fills: pairs(near).filter(isNew),
    cells: cellsOf(puzzle, set | (1 << node)),
  };
}

function stepsOf(puzzle, order) {
  return order.map((node, at) =>
    stepAt(puzzle, setOf(order.slice(0, at)), node),
  );
}

function costOf(steps) {
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  return {
    fills: sum(steps.map(({ fills }) => fills.length)),
    width: Math.max(0, ...steps.map(({ near }) => near.length)),
    largest: Math.max(0, ...steps.map(({ cells }) => cells)),
    total: sum(steps.map(({ cells }) => cells)),
  };
}

function byFill({ fills, cells }) {
  return [fills.length, cells];
}

function byWeight({ fills, cells }) {
  return [cells, fills.length];
}

// The node that comes next by a rank; among equal ones the first.
function greedyStep(puzzle, gone, rankOf) {
  const left = puzzle.nodes.map((_, node) => node).filter(
    (node) => !((gone >> node) & 1),
  );
  const ranks = left.map((node) => rankOf(stepAt(puzzle, gone, node)));
  const isLess = ([a, b], [c, d]) => a < c || (a === c && b < d);
  let first = 0;
  ranks.forEach((rank, at) => {
    if (isLess(rank, ranks[first])) first = at;
  });
  return left.slice(first, first + 1);
}

function greedyOrder(puzzle, rankOf) {
  const order = [];
  while (order.length < puzzle.nodes.length) {
    order.push(...greedyStep(puzzle, setOf(order), rankOf));
  }
  return order;
}

// What does not change with the order of the reader; looked for once.
function known(puzzle) {
  if (puzzle.known) return puzzle.known;
  const outlines = stepsOf(puzzle, finish(puzzle, []));
  const minFill = stepsOf(puzzle, greedyOrder(puzzle, byFill));
  const minWeight = stepsOf(puzzle, greedyOrder(puzzle, byWeight));
  const costs = {
    best: costOf(outlines),
    fill: costOf(minFill),
    weight: costOf(minWeight),
  };
  puzzle.known = { outlines, minFill, costs };
  return puzzle.known;
}

// For each set of nodes that are gone, the cells that are still needed and the
// node that is best next. What is left does not depend on the order in which
// they went, so each set is looked at once.
function plan(puzzle) {
  if (puzzle.plan) return puzzle.plan;
  const every = (1 << puzzle.nodes.length) - 1;
  const found = [];
  found[every] = { cells: 0 };
  for (let gone = every - 1; gone >= 0; gone--) {
    const best = { cells: Infinity };
    for (let left = every & ~gone; left; left &= left - 1) {
      const bit = left & -left;
      const node = numberOfBit(bit);
      const product = cellsOf(puzzle, around(puzzle, gone, node) | bit);
      const cells = product + found[gone | bit].cells;
      if (cells < best.cells) Object.assign(best, { cells, node });
    }
    found[gone] = best;
  }
  puzzle.plan = found;
  return found;
}

// An order with its cheapest continuation.
function finish(puzzle, order) {
  const whole = [...order];
  const next = () => plan(puzzle)[setOf(whole)].node;
  while (next() !== undefined) whole.push(next());
  return whole;
}

// --- Words -----------------------------------------------------------------

function sentence(puzzle, order, steps, costs) {
  const names = puzzle.nodes;
  const [best, reach] = [costs.best.total, costs.reach.total];
  if (!steps.length) {
    return (
      `Nothing is eliminated yet. A best order needs ${best} cells in all, ` +
      `min-fill ${costs.fill.total} and min-weight ${costs.weight.total}.`
    );
  }
  const { node, near, fills, cells } = steps.at(-1);
  const total = costs.own.total;
  let said =
    `Step ${steps.length} eliminates ${names[node]}: the product with ` +
    `${listed([node, ...near].map((each) => names[each]))} has ${cells} ` +
    `cells, and ${saidFills(names, fills)} added.`;
  const before = finish(puzzle, order.slice(0, -1));
  const could = costOf(stepsOf(puzzle, before)).total;
  if (could < reach) {
    said +=
      " With this step the least that the whole order can cost rises from " +
      `${could} to ${reach} cells.`;
  }
  if (steps.length < names.length) return `${said} So far: ${total} cells.`;
  const end =
    total === best ? "no order needs fewer" : `a best order needs ${best}`;
  return `${said} All nodes are eliminated, with ${total} cells in all; ${end}.`;
}

function saidFills(names, fills) {
  const texts = fills.map(([a, b]) => `${names[a]}–${names[b]}`);
  if (!texts.length) return "no fill-in edge is";
  if (texts.length === 1) return `the fill-in edge ${texts[0]} is`;
  if (texts.length > 3) return `${texts.length} fill-in edges are`;
  return `the fill-in edges ${listed(texts)} are`;
}

function listed(words) {
  const [others, last] = [words.slice(0, -1), words.at(-1)];
  return others.length ? `${others.join(", ")} and ${last}` : last;
}

// --- Pictures and buttons --------------------------------------------------

function moves(puzzle, order) {
  const gone = setOf(order);
  const ways = {
    undo: order.slice(0, -1),
    undo_all: [],
    next_fill: [...order, ...greedyStep(puzzle, gone, byFill)],
    next_weight: [...order, ...greedyStep(puzzle, gone, byWeight)],
  };
  return Object.fromEntries(
    Object.entries(ways).map(([name, way]) => [
      name,
      {
        "data-sets": `${puzzle.key} ${numberOf(way)}`,
        "aria-disabled": String(way.length === order.length),
      },
    ]),
  );
}

function edges({ nodes, near, lines }, steps, gone) {
  const paths = { lost: "", lost_fills: "", edges: "", fills: "", added: "" };
  const isIn = ([a, b]) => ([c, d]) => a === c && b === d;
  pairs(nodes.map((_, node) => node)).forEach((pair, at) => {
    const [a, b] = pair;
    const isLost = gone & (1 << a) || gone & (1 << b);
    const made = steps.findIndex(({ fills }) => fills.some(isIn(pair)));
    if ((near[a] >> b) & 1) paths[isLost ? "lost" : "edges"] += lines[at];
    else if (made >= 0 && isLost) paths.lost_fills += lines[at];
    else if (made >= 0) {
      paths[made === steps.length - 1 ? "added" : "fills"] += lines[at];
    }
  });
  return Object.fromEntries(
    Object.entries(paths).map(([name, d]) => [name, { d }]),
  );
}

function long(puzzle, { cells }) {
  return (WIDE * Math.log(cells)) / Math.log(joint(puzzle));
}

function bars(puzzle, steps, down, high) {
  return steps
    .map((step, at) => {
      const start = `M${LEFT} ${TOP + ROW * at + down}`;
      return `${start}h${tenth(long(puzzle, step))}v${high}H${LEFT}Z`;
    })
    .join("");
}

function tenth(length) {
  return Math.round(10 * length) / 10;
}

function ofNode(puzzle, order, steps, k) {
  const { key, nodes, sizes, places } = puzzle;
  const node = k - 1;
  if (k > nodes.length) {
    const names = ["name", "note", "states", "fills", "cells", "step"];
    return {
      written: Object.fromEntries(names.map((name) => [`${name}_${k}`, ""])),
      drawn: {
        [`node_${k}`]: { class: "unused", transform: "", "data-sets": "" },
        [`button_${k}`]: { "data-sets": "", "aria-label": "" },
        [`line_${k}`]: { class: "unused" },
        [`at_name_${k}`]: { y: 18 },
        [`rim_${k}`]: { rx: HIGH },
      },
    };
  }
  const isGone = order.includes(node);
  const at = isGone ? order.indexOf(node) : order.length;
  const step = isGone ? steps[at] : stepAt(puzzle, setOf(order), node);
  const isNear = Boolean(steps.at(-1)?.near.includes(node));
  const to = isGone ? order.slice(0, at) : [...order, node];
  const sets = `${key} ${numberOf(to)}`;
  const areUnequal = new Set(sizes).size > 1;
  let note = areUnequal ? `${sizes[node]} states` : "";
  if (isGone) note = `step ${at + 1}`;
  const isWide = areUnequal || nodes.some(({ length }) => length > 1);
  const looks = ["explore-node", isGone && "gone", isNear && "near"];
  const name = nodes[node];
  return {
    written: {
      [`name_${k}`]: name,
      [`note_${k}`]: note,
      [`states_${k}`]: String(sizes[node]),
      [`fills_${k}`]: String(step.fills.length),
      [`cells_${k}`]: String(step.cells),
      [`step_${k}`]: isGone ? String(at + 1) : "",
    },
    drawn: {
      [`node_${k}`]: {
        class: looks.filter(Boolean).join(" "),
        transform: `translate(${places[node].join(" ")})`,
        "data-sets": sets,
      },
      [`button_${k}`]: {
        "data-sets": sets,
        "aria-label": isGone
          ? `Go back to before ${name} was eliminated`
          : `Eliminate ${name}`,
      },
      [`line_${k}`]: { class: isGone ? "gone" : "" },
      [`at_name_${k}`]: { y: note ? 0 : 18 },
      [`rim_${k}`]: { rx: isWide ? WIDER : HIGH },
    },
  };
}

// --- Tasks -----------------------------------------------------------------

function solved(puzzle, steps, costs, minFill) {
  const { key, nodes } = puzzle;
  if (steps.length < nodes.length) return [];
  const filled = (some) => String(some.flatMap(({ fills }) => fills));
  const isOther = costs.own.fills === 1 && filled(steps) !== filled(minFill);
  const areWide = steps.slice(0, -2).every(({ near }) => near.length === 2);
  const isBest = costs.own.total === costs.best.total;
  return [
    ...(key === "clinic" && isOther ? ["chord"] : []),
    ...(key === "chain" && areWide ? ["worst"] : []),
    ...(key === "ring" && isBest ? ["ring"] : []),
  ];
}
