// A Bayesian network: a node that is not observed is 0 in the state, one in
// its first state 1. Its nodes stand in an order in which parents come first.

// Sums in another order differ by less.
const EQUAL = 1e-9;

// The definition: all combinations of states, one node after the other. Each
// branch is the product of one number of each table so far, and of weights,
// which are 0 for a state that the evidence excludes. What all branches below
// a state add up to is what this state has of the evidence.
function enumerate(weights) {
  const { nodes } = DATA;
  const chosen = nodes.map(() => 0);
  const sums = nodes.map(({ states }) => states.map(() => 0));
  const best = { product: 0, states: [], ties: 0 };

  function below(depth, product) {
    if (depth === nodes.length) {
      compare(best, product, chosen);
      return product;
    }
    const { parents, table, states } = nodes[depth];
    let row = 0;
    for (const parent of parents) {
      row = row * nodes[parent].states.length + chosen[parent];
    }
    let total = 0;
    for (let code = 0; code < states.length; code++) {
      const p = table[row * states.length + code] * weights[depth][code];
      if (p === 0) continue;
      chosen[depth] = code;
      const sum = below(depth + 1, product * p);
      sums[depth][code] += sum;
      total += sum;
    }
    return total;
  }

  const total = below(0, 1);
  // Impossible evidence leaves no posterior.
  if (total === 0) return null;
  const posteriors = sums.map((row) => row.map((sum) => sum / total));
  return { posteriors, best, share: best.product / total };
}

// The first combination stays the best among equally probable ones.
function compare(best, product, chosen) {
  if (product > best.product * (1 + EQUAL)) {
    best.product = product;
    best.states = [...chosen];
    best.ties = 1;
  } else if (product >= best.product * (1 - EQUAL)) {
    best.ties += 1;
  }
}

// 1 for each state, 0 for those that are not observed where one is.
function weightsOf(observed) {
  return DATA.nodes.map(({ name, states }) =>
    states.map((_, code) => Number([0, code + 1].includes(observed[name]))),
  );
}

// A bar that moves by this is seen to move.
const SEEN = 0.01 - EQUAL;

const nothing = Object.fromEntries(DATA.nodes.map(({ name }) => [name, 0]));
const before = enumerate(weightsOf(nothing)).posteriors;
// What soft evidence may be for, in the order of the list.
const places = DATA.nodes.flatMap(({ states }, node) =>
  states.map((_, code) => [node, code]),
);

function view(state) {
  const weights = weightsOf(state);
  const ratio = DATA.ratios[state.ratio + 6];
  if (state.report) {
    const [node, code] = places[state.report - 1];
    const [above, below = 1] = ratio.split("/");
    weights[node][code] *= above / below;
  }
  const found = enumerate(weights);
  const best = state.explained && found ? found.best : null;
  const written = {
    ratio,
    evidence: saidEvidence(state, ratio),
    likely: saidLikely(state, found),
    explanation: best ? saidExplanation(found) : "",
  };
  const drawn = {};
  for (const [node, code] of places) {
    const own = `${DATA.nodes[node].name}_${code}`;
    const p = found ? found.posteriors[node][code] : 0;
    written[`p_${own}`] = found ? decimal(p) : "–";
    written[`star_${own}`] = best?.states[node] === code ? "★" : "";
    drawn[`bar_${own}`] = { width: Math.round(10000 * p) / 10 };
  }
  return { written, drawn, solves: state.report ? [] : solved(state, found) };
}

// Half way between two decimals, the larger one, in whichever order the sums
// were made.
function decimal(p) {
  return (p + EQUAL).toFixed(3);
}

function says(node, code) {
  return `${DATA.nodes[node].label} = ${DATA.nodes[node].states[code]}`;
}

function isFree(state) {
  return (node) => state[DATA.nodes[node].name] === 0;
}

function saidEvidence(state, ratio) {
  const observed = [...DATA.nodes.keys()]
    .filter((node) => !isFree(state)(node))
    .map((node) => says(node, state[DATA.nodes[node].name] - 1));
  const said = observed.length
    ? `Observed: ${observed.join(", ")}.`
    : "Nothing is observed.";
  if (!state.report) return said;
  return (
    `${said} Soft evidence for ${says(...places[state.report - 1])}: what ` +
    `was heard is ${ratio} times as probable if this is true as if it is false.`
  );
}

function saidLikely(state, found) {
  if (!found) {
    return (
      "This cannot happen: the evidence has probability 0. Take an " +
      "observation back."
    );
  }
  const said = [...DATA.nodes.keys()].filter(isFree(state)).map((node) => {
    const values = found.posteriors[node];
    const code = values.findIndex((p) => p >= Math.max(...values) - EQUAL);
    return `${says(node, code)} (${decimal(values[code])})`;
  });
  if (!said.length) return "Every node is observed.";
  return `Most probable, each by itself: ${said.join(", ")}.`;
}

function saidExplanation({ best, share }) {
  const said = best.states.map((code, node) => says(node, code)).join(", ");
  const ties = best.ties > 1 ? ` ${best.ties} are equally probable.` : "";
  const p = `with probability ${decimal(share)}`;
  return `Most probable, all together (★): ${said}; ${p}.${ties}`;
}

function solved(state, found) {
  const observed = [...DATA.nodes.keys()]
    .map((node) => [node, state[DATA.nodes[node].name] - 1])
    .filter(([, code]) => code >= 0);
  const solves = [];
  if (observed.length === 2 && found && isAway(observed, found)) {
    solves.push("away");
  }
  if (observed.length === 2 && found) solves.push(...shifts(observed, found));
  const canBe = observed.every(([node, code]) => before[node][code] > 0);
  if (observed.length === 2 && !found && canBe) solves.push("impossible");
  if (observed.length === 1 && state.explained && found && isSurprise(found)) {
    solves.push("differs");
  }
  return solves;
}

function after([node, code]) {
  const name = DATA.nodes[node].name;
  return enumerate(weightsOf({ ...nothing, [name]: code + 1 })).posteriors;
}

// What becomes of the second of two observations: it may say nothing of another
// node by itself, and something after the first; or the other way round.
function shifts(observed, { posteriors: both }) {
  const single = observed.map(after);
  const change = (one, other, node) =>
    Math.max(...one[node].map((p, code) => Math.abs(p - other[node][code])));
  const others = [...DATA.nodes.keys()].filter(
    (node) => !observed.some(([seen]) => seen === node),
  );
  const pairs = [single, [...single].reverse()];
  return pairs.flatMap(([first, second]) =>
    others.flatMap((node) => {
      const alone = change(second, before, node);
      const then = change(both, first, node);
      if (alone < EQUAL && then > SEEN) return ["opens"];
      return then < EQUAL && alone > SEEN ? ["closes"] : [];
    }),
  );
}

// Whether one of two observations halves what the other has raised.
function isAway(observed, { posteriors }) {
  if (!DATA.cause) return false;
  const { node, state, others } = DATA.cause;
  if (observed.some(([seen]) => seen === node)) return false;
  return [observed, [...observed].reverse()].some(([first, [second]]) => {
    const raised = after(first)[node][state];
    return (
      others.includes(second) &&
      raised >= 5 * before[node][state] &&
      posteriors[node][state] <= raised / 2
    );
  });
}

// Whether the one explanation has a state that by itself is not the best.
function isSurprise({ posteriors, best }) {
  return best.ties === 1 && best.states.some(
    (code, node) =>
      posteriors[node][code] < Math.max(...posteriors[node]) - EQUAL,
  );
}
