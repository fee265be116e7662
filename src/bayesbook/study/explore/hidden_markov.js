// A hidden Markov model of six hours: states 0 fine and 1 worn, lids 0 good,
// 1 faulty and 2 untested. Probabilities are those of worn, unless both are
// given.

const STATES = ["fine", "worn"];
const LIDS = ["good", "faulty", "untested"];
const HOURS = [1, 2, 3, 4, 5, 6];
const START = [2 / 3, 1 / 3];
const EQUAL = 1e-11; // numbers that differ by less are equal
// Of the pictures: probability zero, and the rows of the two states.
const [FLOOR, ROWS, RADIUS] = [700, [550, 150], 58];

function view(state) {
  const { stickiness, reliability, until } = state;
  const [sticky, tells] = [stickiness / 100, reliability / 100];
  const move = STATES.map((_, j) =>
    START.map((p, k) => (j === k ? sticky : 0) + (1 - sticky) * p),
  );
  const shows = [[tells, 1 - tells], [1 - tells, tells], [1, 1]];
  const lids = HOURS.map((s) => state[`x${s}`]);
  const known = lids.slice(0, until);
  if (sticky === 1 && tells === 1 && known.includes(0) && known.includes(1)) {
    return {
      refused:
        "Refused: where the state never changes and lids always tell it, " +
        "good and faulty lids cannot both occur.",
    };
  }
  const seen = known.map((lid) => shows[lid]);
  const found = answer(seen, move);
  const written = {
    stickiness: sticky.toFixed(2),
    reliability: tells.toFixed(2),
    until: String(until),
    lids: saidLids(found, until),
    paths: saidPaths(found),
    chain: saidChain(move, shows[1]),
  };
  const drawn = {
    future: { x: 160 * until + 20, width: 960 - 160 * until },
    ...drawnBeliefs(found),
    ...drawnPaths(found),
  };
  HOURS.forEach((s, at) => {
    const isKnown = s <= until;
    const name = LIDS[lids[at]];
    written[`x${s}`] = name;
    written[`filter_${s}`] = isKnown ? number(found.filtered[at]) : "–";
    written[`before_${s}`] = number(found.before[at]);
    written[`now_${s}`] = number(found.now[at]);
    written[`mark_${s}`] = found.differ.includes(s) ? "≠" : "";
    STATES.forEach((one, k) => {
      for (const message of ["alpha", "beta", "delta"]) {
        const text = isKnown ? number(found[message][at][k], 4) : "–";
        written[`${message}_${one}_${s}`] = text;
      }
      const share = k ? tidy(found.now[at]) : 1 - tidy(found.now[at]);
      drawn[`${one}_${s}`] = {
        class: isKnown ? "explore-node" : "explore-node later",
        r: tenth(RADIUS * Math.sqrt(share)),
      };
    });
    const look = isKnown ? "" : " later";
    drawn[`lid_${s}`] = { class: `explore-lid ${name}${look}` };
    drawn[`button_${s}`] = {
      "data-sets": `x${s} ${(lids[at] + 1) % 3}`,
      "aria-label": `Lid of hour ${s}: ${name}. Change it.`,
    };
  });
  return { written, drawn, solves: solved(found, until) };
}

// --- Messages --------------------------------------------------------------

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

// Of each hour seen[t] has the probabilities of its lid in both states.
function forward(seen, move) {
  const alpha = [START.map((p, k) => p * seen[0][k])];
  for (const now of seen.slice(1)) {
    const last = alpha.at(-1);
    alpha.push(now.map((p, k) => p * sum(last.map((a, j) => a * move[j][k]))));
  }
  return alpha;
}

function backward(seen, move) {
  const beta = [[1, 1]];
  for (const then of seen.slice(1).reverse()) {
    const [next] = beta;
    beta.unshift(move.map((row) => sum(row.map((p, k) => p * then[k] * next[k]))));
  }
  return beta;
}

function smooth(seen, move) {
  const [alpha, beta] = [forward(seen, move), backward(seen, move)];
  const all = sum(alpha.at(-1));
  const worn = alpha.map((message, t) => (message[1] * beta[t][1]) / all);
  return { alpha, beta, worn };
}

// The hours to come.
function predict(worn, move) {
  const all = [...worn];
  while (all.length < HOURS.length) {
    const p = all.at(-1);
    all.push((1 - p) * move[0][1] + p * move[1][1]);
  }
  return all;
}

function answer(seen, move) {
  const { alpha, beta, worn } = smooth(seen, move);
  const earlier = seen.slice(0, -1);
  const before = earlier.length ? smooth(earlier, move).worn : [START[1]];
  const best = viterbi(seen, move);
  const now = predict(worn, move);
  const found = { alpha, beta, now, before: predict(before, move), ...best };
  found.filtered = alpha.map((message) => message[1] / sum(message));
  found.pLids = sum(alpha.at(-1));
  found.singly = worn.map(verdict);
  const isOther = (s) =>
    found.singly[s - 1] >= 0 && found.singly[s - 1] !== best.path[s - 1];
  found.differ = HOURS.slice(0, seen.length).filter(isOther);
  found.reversed = HOURS.slice(0, earlier.length).filter((s) => {
    const verdicts = [found.before, now].map((all) => verdict(all[s - 1]));
    return verdicts.includes(0) && verdicts.includes(1);
  });
  return found;
}

// The more probable state, or -1 if both are as probable.
function verdict(p) {
  return Math.abs(p - 0.5) < EQUAL ? -1 : Number(p > 0.5);
}

// Of states that are as good the first is taken; how many paths are as good is
// counted along with them.
function viterbi(seen, move) {
  const delta = [START.map((p, k) => p * seen[0][k])];
  let counts = [1, 1];
  const comeFrom = [];
  for (const now of seen.slice(1)) {
    const last = delta.at(-1);
    const ways = now.map((_, k) => last.map((d, j) => d * move[j][k]));
    comeFrom.push(ways.map(firstBest));
    counts = ways.map((way) => count(way, counts));
    delta.push(now.map((p, k) => p * Math.max(...ways[k])));
  }
  const path = [firstBest(delta.at(-1))];
  for (const best of [...comeFrom].reverse()) path.unshift(best[path[0]]);
  return { delta, comeFrom, path, nBest: count(delta.at(-1), counts) };
}

function firstBest([first, second]) {
  return Number(second > first * (1 + EQUAL));
}

function count(values, counts) {
  const least = Math.max(...values) * (1 - EQUAL);
  return sum(counts.filter((_, k) => values[k] >= least));
}

// --- Words -----------------------------------------------------------------

// Without the last digits, which may differ from those of the library.
function tidy(value) {
  return Number(value.toFixed(12));
}

function number(value, digits = 3) {
  return tidy(value).toFixed(digits);
}

function listed(words) {
  const [others, last] = [words.slice(0, -1), words.at(-1)];
  return others.length ? `${others.join(", ")} and ${last}` : last;
}

function saidLids({ pLids, now, reversed }, until) {
  const said =
    `The lids known have probability ${number(pLids, 4)}; the machine is ` +
    `worn in hour ${until} with probability ${number(now[until - 1])}.`;
  if (until === 1) return said;
  const which = reversed.length
    ? `the verdict on ${saidHours(reversed)}`
    : "no verdict";
  return `${said} The newest lid reverses ${which}.`;
}

function saidHours(hours) {
  return `hour${hours.length > 1 ? "s" : ""} ${listed(hours)}`;
}

function saidPaths({ path, delta, pLids, nBest, singly, differ }) {
  const which =
    nBest > 1 ? `One of ${nBest} most probable paths` : "The most probable path";
  const p = Math.max(...delta.at(-1)) / pLids;
  const said =
    `${which} is ${path.map((k) => STATES[k]).join(", ")}, with posterior ` +
    `probability ${number(p)}.`;
  if (!differ.length) {
    return `${said} State by state, no other states are more probable.`;
  }
  const names = singly.map((k) => STATES[k] ?? "either").join(", ");
  return (
    `${said} State by state, the most probable are ${names}: they differ in ` +
    `${saidHours(differ)}.`
  );
}

function saidChain(move, faulty) {
  return (
    `Fine stays fine with probability ${number(move[0][0])}, worn stays worn ` +
    `with ${number(move[1][1])}. A fine machine makes a faulty lid with ` +
    `probability ${number(faulty[0], 2)}, a worn one with ` +
    `${number(faulty[1], 2)}.`
  );
}

// --- Pictures --------------------------------------------------------------

function across(hour) {
  return 160 * hour - 60;
}

function tenth(length) {
  return Math.round(10 * length) / 10;
}

function place(p, at) {
  return [across(at + 1), FLOOR * (1 - tidy(p))];
}

function line(places) {
  return `M${places.map((each) => each.map(tenth).join(" ")).join("L")}`;
}

function circle([x, y], radius) {
  const [r, wide] = [tenth(radius), tenth(2 * radius)];
  const start = `M${tenth(x - radius)} ${tenth(y)}`;
  return `${start}a${r} ${r} 0 1 1 ${wide} 0a${r} ${r} 0 1 1 -${wide} 0Z`;
}

function drawnBeliefs({ path, now, before, filtered }) {
  const known = path.length;
  const places = now.map(place);
  const squares = filtered.map(place);
  const disc = (at) => circle(at, 22);
  const paths = {
    filter: line(squares),
    smoother: line(places.slice(0, known)),
    predictions: line(places.slice(known - 1)),
    squares: squares
      .map(([x, y]) => `M${tenth(x - 20)} ${tenth(y - 20)}h40v40h-40Z`)
      .join(""),
    discs: places.slice(0, known).map(disc).join(""),
    circles: places.slice(known).map(disc).join(""),
    changes: before
      .map(place)
      .map(([x, y], at) => {
        const to = tenth(places[at][1]);
        return `M${x - 30} ${tenth(y)}h60M${x} ${tenth(y)}V${to}`;
      })
      .join(""),
  };
  return shapes(paths);
}

function shapes(paths) {
  return Object.fromEntries(
    Object.entries(paths).map(([name, d]) => [name, { d }]),
  );
}

function drawnPaths({ comeFrom, delta, path, singly, now }) {
  let [ways, rings] = ["", ""];
  comeFrom.forEach((best, at) => {
    best.forEach((j, k) => {
      if (!delta[at + 1][k]) return;
      ways += `M${across(at + 1)} ${ROWS[j]}L${across(at + 2)} ${ROWS[k]}`;
    });
  });
  singly.forEach((k, at) => {
    if (k < 0) return;
    const share = tidy(Math.max(now[at], 1 - now[at]));
    rings += circle(
      [across(at + 1), ROWS[k]],
      RADIUS * Math.sqrt(share) + 14,
    );
  });
  const best = line(path.map((k, at) => [across(at + 1), ROWS[k]]));
  return shapes({ ways, best, rings });
}

function solved({ reversed, now, differ, filtered }, until) {
  const isTurned = until > 3 && reversed.includes(1) && now[0] > 0.5;
  const isHalf = Math.abs(filtered.at(-1) - 0.5) < EQUAL;
  return [
    ...(isTurned ? ["reverse"] : []),
    ...(differ.length >= 3 ? ["path"] : []),
    ...(until > 1 && isHalf ? ["half"] : []),
  ];
}
