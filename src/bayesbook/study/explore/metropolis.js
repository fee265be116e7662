// Two chains by the rule of Metropolis: DATA has the step sizes, the targets,
// and the random numbers of both chains. The starts are in thousandths of the
// axis of the target.

const [LONGEST, ENOUGH] = [1000, 20]; // steps: of a chain; for ESS and R-hat
const [RECENT, LAGS, BARS, PIECES] = [30, 40, 40, 100];
const ENDS = [50, 100, 200, 500, LONGEST];
const [TALL, WIDE, ZERO, ONE, OUTSIDE] = [900, 240, 750, 50, 300];
const { correlation } = DATA;
const ROOT = Math.log(Math.sqrt(2 * Math.PI));
const RULE =
  "The density, and the last 30 proposals of chain A. Each is at a random " +
  "height below the density of where A was: under the curve it is accepted, " +
  "a dot; above it, rejected, a cross. In the last step A was at the ring, " +
  "and is at the disc now; the dashed line leads to the proposal.";
const RULE_OF_TWO =
  "To the right x, upwards y, with contours of the target. Of the last 30 " +
  "proposals of chain A, dots are accepted and crosses rejected. In the " +
  "last step A was at the ring, and is at the disc now; the dashed line " +
  "leads to the proposal.";

function normal(x) {
  return (-x * x) / 2 - ROOT;
}

function gumbel(x) {
  return -x - Math.exp(-x);
}

// The logarithm of a sum: the larger peak, and what the other adds.
function twoPeaks(x) {
  const [left, right] = [((x + 6) * (x + 6)) / 2, ((x - 6) * (x - 6)) / 2];
  const [near, far] = [Math.min(left, right), Math.max(left, right)];
  return Math.log1p(Math.exp(near - far)) - near - Math.LN2 - ROOT;
}

function pair(x, y) {
  const rest = 1 - correlation * correlation;
  const square = (x * x - 2 * correlation * x * y + y * y) / (2 * rest);
  return -square - Math.log(rest) / 2 - 2 * ROOT;
}

// log π, and the density of x alone.
const LOG_DENSITIES = [normal, gumbel, twoPeaks, pair];
const DENSITIES = [normal, gumbel, twoPeaks, normal].map(
  (log) => (x) => Math.exp(log(x)),
);

function view({ target, scale, a, b, steps }) {
  const own = {
    ...DATA.targets[target],
    logDensity: LOG_DENSITIES[target],
    density: DENSITIES[target],
    hasY: target === 3,
  };
  const starts = [a, b].map(
    (share) => own.low + (share * (own.high - own.low)) / 1000,
  );
  const runs = starts.map((start, chain) =>
    run(own, DATA.scales[scale], start, chain, steps),
  );
  const draws = runs.map((made) => made.map(({ after }) => after[0]));
  const accepted = runs.flat().filter((step) => step.isAccepted).length;
  const found = steps >= ENOUGH ? judged(draws) : undefined;
  const last = ENDS.find((end) => end >= steps);
  const written = {
    scale: DATA.scales[scale].toFixed(2),
    a: signed(starts[0], 2),
    b: signed(starts[1], 2),
    steps: String(steps),
    low: signed(own.low, 0),
    high: signed(own.high, 0),
    last: String(last),
    step: saidStep(own, runs[0], starts),
    draws: saidDraws(own, steps, found),
    ...numbers(accepted, steps, found),
    rule: own.hasY ? RULE_OF_TWO : RULE,
  };
  const drawn = {
    start_a: { transform: `translate(0 ${1000 - a})` },
    start_b: { transform: `translate(0 ${1000 - b})` },
    trace_a: drawnTrace(own, starts[0], draws[0], last),
    trace_b: drawnTrace(own, starts[1], draws[1], last),
    bars_a: drawnBars(own, draws[0], -1),
    bars_b: drawnBars(own, draws[1], 1),
    density: drawnDensity(own),
    curve: { d: own.hasY ? "" : curve(own) },
    contours: { d: own.hasY ? contours(own) : "" },
    ...drawnProposals(own, runs[0], starts[0]),
    lags: drawnLags(draws),
  };
  const solves = solved(target, own, starts, steps, accepted, found);
  return { written, drawn, solves };
}

// The rule of Metropolis: a proposal is accepted with the probability π(j)/π(i),
// if that is at most 1.
function run({ logDensity, hasY }, scale, start, chain, steps) {
  const numbers = DATA.numbers[chain];
  const made = [];
  let [x, y] = [start, 0];
  let here = logDensity(x, y);
  for (let k = 0; k < steps; k++) {
    const toX = x + (scale * numbers.x[k]) / 100;
    const toY = hasY ? y + (scale * numbers.y[k]) / 100 : 0;
    const there = logDensity(toX, toY);
    const probability = Math.exp(Math.min(there - here, 0));
    const uniform = numbers.uniform[k] / 1000;
    const isAccepted = uniform < probability;
    const before = [x, y];
    if (isAccepted) [x, y, here] = [toX, toY, there];
    const [proposed, after] = [[toX, toY], [x, y]];
    made.push({ before, proposed, after, probability, uniform, isAccepted });
  }
  return made;
}

// --- What the draws say about themselves

function judged(draws) {
  const half = Math.floor(draws[0].length / 2);
  const halves = [
    ...draws.map((chain) => chain.slice(0, half)),
    ...draws.map((chain) => chain.slice(-half)),
  ];
  const all = draws.flat();
  const sd = Math.sqrt((mean(squares(centred(all))) * all.length) / (all.length - 1));
  const ess = effectiveSampleSize(halves);
  return {
    // Draws are short decimals, so their mean may lie half way between two; the
    // order of summing must not decide which one is written.
    mean: Number(mean(all).toFixed(9)),
    error: sd / Math.sqrt(ess),
    ess,
    rHat: rHatOf(halves),
  };
}

function sum(values) {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

function mean(values) {
  return sum(values) / values.length;
}

// The deviations from the mean; those of a constant are exactly zero.
function centred(values) {
  const away = values.map((value) => value - values[0]);
  const shift = mean(away);
  return away.map((value) => value - shift);
}

function meanOf(values) {
  return values[0] + mean(values.map((value) => value - values[0]));
}

function squares(values) {
  return values.map((value) => value * value);
}

// The variance of the means of some chains.
function between(chains) {
  const away = centred(chains.map(meanOf));
  return sum(squares(away)) / (chains.length - 1);
}

function rHatOf(chains) {
  const n = chains[0].length;
  const within = mean(chains.map((chain) => sum(squares(centred(chain))))) / (n - 1);
  return Math.sqrt((n - 1) / n + between(chains) / within);
}

// The mean autocovariance of some centred chains.
function covariance(chains, lag) {
  let total = 0;
  for (const away of chains) {
    for (let t = lag; t < away.length; t++) total += away[t] * away[t - lag];
  }
  return total / (chains.length * chains[0].length);
}

// Geyer's sum of pairs of autocorrelations, made decreasing.
function effectiveSampleSize(chains) {
  const [m, n] = [chains.length, chains[0].length];
  const all = chains.flat();
  if (all.every((x) => x === all[0])) return NaN;
  const away = chains.map(centred);
  const first = covariance(away, 0);
  const within = (first * n) / (n - 1);
  const total = first + between(chains);
  const rho = (lag) => (lag ? 1 - (within - covariance(away, lag)) / total : 1);
  let [tau, least] = [-1, Infinity];
  for (let lag = 0; lag < n - 2; lag += 2) {
    const even = rho(lag);
    const both = even + rho(lag + 1);
    if (both <= 0 || lag + 4 >= n) {
      tau += Math.max(even, 0);
      break;
    }
    least = Math.min(least, both);
    tau += 2 * least;
  }
  return (m * n) / Math.max(tau, 1 / Math.log10(m * n));
}

// --- What is written

function saidStep({ hasY }, made, starts) {
  if (!made.length) {
    const [a, b] = starts.map((start) => signed(start, 2));
    return `Chain A starts at ${a}, chain B at ${b}.`;
  }
  const { before, proposed, probability, uniform, isAccepted } = made.at(-1);
  const [from, to] = [before, proposed].map(([x, y]) =>
    hasY ? `(${signed(x, 2)}, ${signed(y, 2)})` : signed(x, 2),
  );
  return (
    `Step ${made.length}: chain A proposes to go from ${from} to ${to}. The ` +
    `probability to accept this is ${probability.toFixed(3)}, and the ` +
    `uniform number is ${uniform.toFixed(3)}: ` +
    `${isAccepted ? "accepted" : "rejected"}.`
  );
}

// What draws are judged by; a dash for what they have not.
function numbers(accepted, steps, { ess = NaN, rHat = NaN } = {}) {
  const none = "–";
  const rate = steps ? (accepted / (2 * steps)).toFixed(3) : none;
  const judged = rHat < Infinity ? rHat.toFixed(3) : "infinite";
  return {
    rate,
    ess: Number.isNaN(ess) ? none : ess.toFixed(0),
    r_hat: Number.isNaN(rHat) ? none : judged,
  };
}

function saidDraws(own, steps, found) {
  if (!steps) return "Move the steps, or press a button below the pictures.";
  if (!found) return `ESS and R-hat are computed after ${ENOUGH} steps.`;
  if (Number.isNaN(found.ess)) {
    return "All draws are equal: they have no ESS and no R-hat.";
  }
  return (
    `The ${2 * steps} draws of x have the mean ${signed(found.mean, 3)} ± ` +
    `${found.error.toFixed(3)}; the true mean is ${signed(own.mean, 3)}.`
  );
}

function signed(value, digits) {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) ? `−${text}` : text;
}

// --- What is drawn

function right({ low, high }, x) {
  return (1000 * (x - low)) / (high - low);
}

// In whole units, and not far out of sight.
function inside(length) {
  return Math.min(Math.max(Math.round(length), -OUTSIDE), 1000 + OUTSIDE);
}

function line(points) {
  return `M${points.map((point) => point.join(" ")).join("L")}`;
}

function drawnTrace(own, start, draws, last) {
  const points = [start, ...draws].map((x, k) => [
    Math.round((1000 * k) / last),
    inside(1000 - right(own, x)),
  ]);
  return { d: line(points) };
}

// A histogram to one side of the middle.
function drawnBars(own, draws, side) {
  const counts = Array(BARS).fill(0);
  for (const x of draws) counts[Math.floor((BARS * right(own, x)) / 1000)]++;
  const unit = (WIDE * BARS) / (own.top * (own.high - own.low));
  const bar = 1000 / BARS;
  let d = "";
  // Outside of the axis there are no bars.
  counts.slice(0, BARS).forEach((count, k) => {
    if (!count) return;
    const wide = side * Math.min(Math.round((unit * count) / draws.length), 500);
    d += `M500 ${1000 - bar * k}h${wide}v-${bar}H500Z`;
  });
  return { d };
}

// Values of x from one end of the axis to the other.
function along({ low, high }) {
  return Array.from(
    { length: PIECES + 1 },
    (_, k) => low + ((high - low) * k) / PIECES,
  );
}

// The density upwards, to both sides of the middle.
function drawnDensity(own) {
  const wide = along(own).map((x) => Math.round((WIDE * own.density(x)) / own.top));
  const sides = [-1, 1].map((side) =>
    line(wide.map((each, k) => [500 + side * each, 1000 - 10 * k])),
  );
  return { d: sides.join("") };
}

// Where a density is in the picture of the target.
function height({ top }, density) {
  return 1000 - (TALL * density) / top;
}

function curve(own) {
  return line(
    along(own).map((x, k) => [10 * k, Math.round(height(own, own.density(x)))]),
  );
}

// The ellipses one and two standard deviations from the middle: circles of the
// two independent variables x + y and x - y.
function contours({ low, high }) {
  const unit = 1000 / (high - low);
  const [long, short] = [1, -1].map(
    (sign) => unit * Math.sqrt((1 + sign * correlation) / 2),
  );
  const ellipse = (radius) =>
    line(
      Array.from({ length: 61 }, (_, k) => {
        const turn = (2 * Math.PI * k) / 60;
        const [c, s] = [long * Math.cos(turn), short * Math.sin(turn)];
        return [
          Math.round(500 + radius * (c + s)),
          Math.round(500 - radius * (c - s)),
        ];
      }),
    );
  return [1, 2].map(ellipse).join("");
}

// The last proposals of a chain, and its last step.
function drawnProposals(own, made, start) {
  const { hasY, density } = own;
  // Where a state is: in the plane, or on the curve.
  const onTarget = ([x, y]) => [
    inside(right(own, x)),
    inside(hasY ? 1000 - right(own, y) : height(own, density(x))),
  ];
  const marked = ({ before, proposed, uniform }) => {
    if (hasY) return onTarget(proposed);
    const below = uniform * density(before[0]);
    return [inside(right(own, proposed[0])), inside(height(own, below))];
  };
  let [dots, crosses] = ["", ""];
  for (const step of made.slice(-RECENT)) {
    const [x, y] = marked(step);
    if (step.isAccepted) dots += `M${x} ${y}h0`;
    else crosses += `M${x - 14} ${y - 14}l28 28m0 -28l-28 28`;
  }
  const step = made.at(-1);
  const after = step?.after ?? [start, 0];
  const [isX, isY] = onTarget(after);
  const [wasX, wasY] = onTarget(step?.before ?? after);
  let way = "";
  if (step) {
    const [x, y] = marked(step);
    way = `M${wasX} ${wasY}${hasY ? `L${x} ${y}` : `V${y}H${x}`}`;
  }
  return {
    accepted: { d: dots },
    rejected: { d: crosses },
    leader: { d: way },
    was: { cx: wasX, cy: wasY },
    is: { cx: isX, cy: isY },
  };
}

function drawnLags(draws) {
  const n = draws[0].length;
  if (n < ENOUGH) return { d: "" };
  const away = draws.map(centred);
  const variance = covariance(away, 0);
  let d = "";
  for (let lag = 0; variance && lag <= Math.min(LAGS, n - 1); lag++) {
    const rho = covariance(away, lag) / variance;
    d += `M${20 + 24 * lag} ${ZERO}V${inside(ZERO - (ZERO - ONE) * rho)}`;
  }
  return { d };
}

function solved(target, own, starts, steps, accepted, found) {
  if (steps < LONGEST || Number.isNaN(found.ess)) return [];
  const { ess, rHat } = found;
  const isNear = starts.every((start) => Math.abs(start - own.mean) <= 0.1);
  const isOften = accepted > 0.95 * 2 * steps;
  const off = Math.abs(found.mean - own.mean);
  return [
    ...(target === 0 && ess >= 430 ? ["best"] : []),
    ...(target === 0 && isNear && isOften && ess < 10 ? ["small"] : []),
    ...(target === 2 && rHat < 1.01 && off > 5 ? ["blind"] : []),
  ];
}
