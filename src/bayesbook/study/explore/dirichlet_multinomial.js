// A Dirichlet prior, counts of three throws, and urns that begin with the
// posterior: a1 to a3 are in quarters, and DATA has the random numbers of each
// urn's draws.

const THROWS = ["rock", "paper", "scissors"];
const LEVELS = 10000; // random numbers are whole ones below it
const EQUAL = 1e-9; // sums in another order differ by less
const [BASE, HIGH] = [946, 866]; // of the triangle, in units of its picture
const [SIDE, LARGEST] = [16, 30]; // dots along its side, their radius
const [WIDE, TALL, SLOTS] = [800, 880, [150, 440, 730]]; // of the shares
const GRID = [];
for (let i = 0; i < SIDE; i++) {
  for (let j = 0; j < SIDE - i; j++) {
    const inside = [i, j, SIDE - 1 - i - j];
    GRID.push(inside.map((part) => (part + 1 / 3) / SIDE));
  }
}
const PLACES = GRID.map(place);
const LOGARITHMS = GRID.map((theta) => theta.map(Math.log));

function view({ a1, a2, a3, n1, n2, n3, urn, draws }) {
  const [quarters, counts] = [[a1, a2, a3], [n1, n2, n3]];
  const prior = quarters.map((a) => a / 4);
  const posterior = prior.map((a, k) => a + counts[k]);
  const balls = posterior.map((a) => 4 * a);
  const ways = DATA.map((all) => drawFrom(balls, all.slice(0, draws)));
  const way = ways[urn - 1];
  const [before, mean] = [shares(prior), shares(posterior)];
  const [mode, share] = [modeOf(posterior), shares(way.at(-1))];
  const written = {
    alpha: prior.join(", "),
    after: posterior.join(", "),
    strength: many(sum(prior), "imagined throw"),
    mode: saidMode(posterior, mode),
    drawn: saidDraws(urn, way, share),
    urn: String(urn),
    draws: String(draws),
  };
  const drawn = { another: { "data-sets": `urn ${(urn % DATA.length) + 1}` } };
  for (const [name, alpha] of Object.entries({ prior, posterior })) {
    const [density, best] = [densities(alpha), modeOf(alpha)];
    const top = Math.max(...density);
    const radius = (value) => tenth(LARGEST * Math.sqrt(value / top));
    written[`${name}_top`] = ((top / 2) * (1 + EQUAL)).toFixed(1);
    written[`${name}_note`] = best
      ? ""
      : Math.min(...alpha) < 1 ? "No mode." : "Every point is a mode.";
    drawn[`${name}_dots`] = {
      d: PLACES.map((at, which) => dot(at, radius(density[which]))).join(""),
    };
    drawn[`${name}_mean`] = middle(shares(alpha));
    drawn[`${name}_mode`] = { d: best ? diamond(place(best)) : "" };
  }
  THROWS.forEach((_, i) => {
    const k = i + 1;
    written[`a${k}`] = String(prior[i]);
    written[`n${k}`] = String(counts[i]);
    written[`prior_mean_${k}`] = before[i].toFixed(3);
    written[`mean_${k}`] = mean[i].toFixed(3);
    written[`mode_${k}`] = mode ? mode[i].toFixed(3) : "none";
    written[`share_${k}`] = share[i].toFixed(3);
    drawn[`bar_${k}`] = { width: tenth(1000 * mean[i]) };
    drawn[`before_${k}`] = { d: `M${tenth(1000 * before[i])} 0v10` };
  });
  Object.assign(drawn, curves(way), triangle(ways, urn));
  return { written, drawn, solves: solved(quarters, counts, way) };
}

// The quarters of balls at the start and after each draw. The first colour is
// drawn if the random number is below its share, the second if it is below the
// share of both, and so on.
function drawFrom(balls, uniforms) {
  const way = [balls];
  for (const uniform of uniforms) {
    const now = [...way.at(-1)];
    const at = uniform * sum(now);
    let [colour, bound] = [0, LEVELS * now[0]];
    while (at >= bound) bound += LEVELS * now[++colour];
    now[colour] += 4;
    way.push(now);
  }
  return way;
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

function shares(values) {
  const total = sum(values);
  return values.map((value) => value / total);
}

// Where the density is largest, if that is one point.
function modeOf(alpha) {
  const excess = alpha.map((a) => a - 1);
  return Math.min(...excess) < 0 || !sum(excess) ? null : shares(excess);
}

// log Γ(x) for x > 0, as in DLMF 5.11.1 and 5.5.1 at dlmf.nist.gov: Stirling's
// series for large x, whose error is below 1e-10 from 10 on.
function logGamma(x) {
  if (x < 10) return logGamma(x + 1) - Math.log(x);
  const series = 1 / (12 * x) - 1 / (360 * x ** 3) + 1 / (1260 * x ** 5);
  return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series;
}

// The density at each dot.
function densities(alpha) {
  const area = sum(alpha.map(logGamma)) - logGamma(sum(alpha));
  const [a, b, c] = alpha.map((each) => each - 1);
  return LOGARITHMS.map(([x, y, z]) => Math.exp(a * x + b * y + c * z - area));
}

function many(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function decimals(values) {
  return values.map((value) => value.toFixed(3)).join(", ");
}

function saidMode(alpha, mode) {
  if (mode) return `its mode is (${decimals(mode)})`;
  const [last, ...others] = THROWS.filter((_, k) => alpha[k] < 1).reverse();
  if (!last) {
    return "its density is the same everywhere, so every point is a mode";
  }
  const names = others.length
    ? `${others.reverse().join(", ")} or ${last}`
    : last;
  return (
    "it has no mode: its density is unbounded near the points where the " +
    `probability of ${names} is 0`
  );
}

function saidDraws(urn, way, share) {
  const [first, last, n] = [way[0], way.at(-1), way.length - 1];
  if (!n) {
    const balls = many(sum(first) / 4, "ball");
    return `Each urn holds ${balls} in these proportions; none has been drawn.`;
  }
  const kinds = THROWS.map((name, k) => `${name} ${(last[k] - first[k]) / 4}`);
  return (
    `After ${many(n, "draw")} from urn ${urn} (${kinds.join(", ")}) the ` +
    `shares are (${decimals(share)}).`
  );
}

function place([, paper, scissors]) {
  return [1000 * (paper + scissors / 2), BASE - HIGH * scissors];
}

// A circle from its point on the left, as two half turns.
function dot([x, y], r) {
  if (!r) return "";
  const wide = tenth(2 * r);
  const turns = `a${r} ${r} 0 1 0 ${wide} 0a${r} ${r} 0 1 0 -${wide} 0`;
  return `M${point([x - r, y])}${turns}`;
}

function middle(theta) {
  const [x, y] = place(theta);
  return { cx: tenth(x), cy: tenth(y) };
}

function diamond([x, y]) {
  return `M${point([x, y - 40])}l40 40l-40 40l-40 -40Z`;
}

function point([x, y]) {
  return `${tenth(x)} ${tenth(y)}`;
}

function tenth(length) {
  return Math.round(10 * length) / 10;
}

// Numbers of draws, with the shares after them: of many each fourth, as they
// lie close to each other.
function stepsOf(way) {
  const last = way.length - 1;
  return way
    .map((now, n) => [n, now])
    .filter(([n]) => n < 40 || n % 4 === 0 || n === last)
    .map(([n, now]) => [n, shares(now)]);
}

// The share of each throw in one urn, to the right on a logarithmic scale.
function curves(way) {
  const along = (n) => (WIDE * Math.log(1 + n)) / Math.log(1 + DATA[0].length);
  const tall = (share) => TALL * (1 - share);
  const steps = stepsOf(way);
  const [n, last] = steps.at(-1);
  const cx = tenth(along(n));
  const drawn = {};
  const order = [0, 1, 2].sort((i, j) => last[j] - last[i]);
  order.forEach((i, which) => {
    const line = steps.map(([n, share]) => point([along(n), tall(share[i])]));
    const [k, cy, slot] = [i + 1, tenth(tall(last[i])), SLOTS[which]];
    drawn[`curve_${k}`] = { d: `M${line.join("L")}` };
    drawn[`leader_${k}`] = { d: `M${cx} ${cy}L${WIDE + 30} ${slot}` };
    drawn[`end_${k}`] = { cx, cy };
    drawn[`name_${k}`] = { y: slot + 17 };
  });
  return drawn;
}

// The path of one urn on the triangle, and where the others are.
function triangle(ways, urn) {
  const ends = ways.map((way) => shares(way.at(-1)));
  const others = ends.filter((_, which) => which !== urn - 1);
  const line = stepsOf(ways[urn - 1]).map(([, share]) => point(place(share)));
  return {
    path: { d: `M${line.join("L")}` },
    others: { d: others.map((end) => dot(place(end), 16)).join("") },
    chosen: middle(ends[urn - 1]),
  };
}

function solved(quarters, counts, way) {
  const areEqual = (values) => new Set(values).size === 1;
  const isSeen = (...wanted) => wanted.every((n, k) => counts[k] === n);
  const isFlat = quarters.every((a) => a === 1);
  const areSame = way[10]?.some((now, k) => now - way[0][k] === 40);
  return [
    ...(isSeen(7, 4, 1) && areEqual(way[0]) ? ["third"] : []),
    ...(isSeen(1, 1, 1) && isFlat ? ["mode"] : []),
    ...(isSeen(0, 0, 0) && areEqual(quarters) && areSame ? ["same"] : []),
  ];
}
