// EM for two components with known weights: a and b, the start, are in
// hundredths of their axes. Of each model DATA has the values with their
// counts, the bars, the contours of its map, its maxima, and which starts end
// at them.

const [FLOOR, TOP, DEPTH, PIECES] = [880, 60, 800, 60];
const ITERATIONS = 100; // at most
const [SHORT, HALF] = [1e-4, 0.12]; // no direction; half of a line at least
const NEAR = 0.001; // so near to a maximum EM has ended
const NUMBERS = [1, 2, 3];

function view({ model, a, b, steps, basins }) {
  const own = DATA[model];
  const path = [[(a * own.high) / 100, (b * own.high) / 100]];
  // Of the last E step; before it, of the one that will be made.
  const iterations = Math.max(Math.ceil(steps / 2), 1);
  for (let t = 0; t < iterations; t++) {
    path.push(isSettled(path) ? path.at(-1) : after(own, path.at(-1)));
  }
  const [old, next] = path.slice(-2);
  const isMoved = steps > 0 && steps % 2 === 0;
  const q = responsibilities(own, old);
  const seen = isMoved ? path : path.slice(0, -1);
  const values = [];
  seen.forEach((at, t) => {
    const isNew = at !== seen[t - 1];
    values.push(isNew ? likelihood(own, at) : values[t - 1]);
  });
  const [there, lower] = [likelihood(own, next), boundOf(own, q)(next)];
  const section = drawnSection(own, steps, q, old, next);
  const place = ([x, y]) => [
    Math.round((1000 / own.high) * x),
    1000 - Math.round((1000 / own.high) * y),
  ];
  const [[cx, cy], [nextX, nextY]] = [seen.at(-1), next].map(place);
  const { peaks, tops } = own;
  const written = {
    a: path[0][0].toFixed(2),
    b: path[0][1].toFixed(2),
    high: String(own.high),
    axis: own.axis,
    first: "0",
    middle: own.trials ? "4" : "3",
    last: own.trials ? "8" : "6",
    now: saidNow(steps, seen.at(-1), values.at(-1)),
    bound: saidBound(steps, old, next, lower, there, values),
    ends: basins ? own.ends : "",
    expected: saidExpected(own, steps ? q : null),
    low: signed(section.low),
    top: signed(section.top),
  };
  const drawn = {
    ...section.drawn,
    ...drawnData(own, steps ? q : null, seen.at(-1)),
    ...drawnClimb(values, tops[0]),
    ...drawnPath(seen.map(place)),
    contours: { d: own.contours },
    point: { cx, cy },
    next: { cx: nextX, cy: nextY, visibility: shown(steps) },
    start: { transform: `translate(${10 * a} ${1000 - 10 * b})` },
    e_step: {
      "data-sets": `steps ${Math.min(steps + ((steps + 1) % 2), 199)}`,
      "aria-disabled": String(steps % 2 === 1),
    },
    m_step: {
      "data-sets": `steps ${steps + (steps % 2)}`,
      "aria-disabled": String(steps % 2 === 0),
    },
  };
  for (const number of NUMBERS) {
    const [peak, name] = [peaks[number - 1], `peak_${number}`];
    const [x, y] = peak ? place(peak) : [-40, 24];
    const visibility = shown(peak);
    drawn[name] = { x: x + 40, y: y - 24, visibility };
    const d = basins ? own.basins[number - 1] : "";
    drawn[`basin_${number}`] = { d };
  }
  const solves = solved(model, path[0], seen.at(-1), values, own);
  return { written, drawn, solves };
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

// Of 0 log 0 the limit.
function xLog(x, y) {
  return x ? x * Math.log(y) : 0;
}

// log P(component, x) as a polynomial in x, of A and of B.
function logs({ first, trials, spreads }, [a, b]) {
  const polynomial = (weight, p, sd) => {
    if (trials) {
      const tails = Math.log(1 - p);
      return [Math.log(weight) + trials * tails, Math.log(p) - tails, 0];
    }
    const [linear, square] = [p / sd ** 2, -1 / (2 * sd ** 2)];
    const top = Math.log(weight) - Math.log(sd * Math.sqrt(2 * Math.PI));
    return [top - (p * linear) / 2, linear, square];
  };
  return [polynomial(first, a, spreads[0]), polynomial(1 - first, b, spreads[1])];
}

function valueOf([constant, linear, square], x) {
  return constant + x * (linear + x * square);
}

// The E step: of each value how probably it comes from A.
function responsibilities(own, at) {
  const [ofA, ofB] = logs(own, at);
  const odds = ofB.map((each, k) => each - ofA[k]);
  return own.values.map((x) => 1 / (1 + Math.exp(valueOf(odds, x))));
}

// The number of tosses, or of wines, of A and of B, and the sums of values.
function expected({ values, counts, trials }, q) {
  const parts = [q, q.map((p) => 1 - p)];
  const weights = parts.map((part) => part.map((p, i) => counts[i] * p));
  return weights.map((weight) => [
    sum(weight) * (trials || 1),
    sum(weight.map((w, i) => w * values[i])),
  ]);
}

// The parameters after an E step and an M step.
function after(own, at) {
  const { values, counts, trials } = own;
  if (trials && at[0] === at[1]) {
    // With equal coins all have the same q: both get the mean, and no rounding
    // may part them.
    const mean = sum(counts.map((n, i) => n * values[i])) / sum(counts);
    return [mean / trials, mean / trials];
  }
  const counted = expected(own, responsibilities(own, at));
  return counted.map(([size, total]) => total / size);
}

// Whether the last iteration has moved nothing.
function isSettled(path) {
  const [now, before] = [path.at(-1), path.at(-2)];
  return before?.every((p, k) => Math.abs(p - now[k]) < 1e-13);
}

function likelihood({ values, counts, ...own }, at) {
  const [ofA, ofB] = logs(own, at);
  let total = 0;
  for (let i = 0; i < values.length; i++) {
    const a = valueOf(ofA, values[i]);
    const away = valueOf(ofB, values[i]) - a;
    const more = Math.log1p(Math.exp(-Math.abs(away)));
    total += counts[i] * (a + Math.max(away, 0) + more);
  }
  return total;
}

// The lower bound that responsibilities make, as a function of parameters: it
// needs three sums of the values for each component.
function boundOf(own, q) {
  const { values, counts } = own;
  const [ofA, ofB] = [q, q.map((p) => 1 - p)].map((part) =>
    [0, 1, 2].map((power) =>
      sum(values.map((x, i) => counts[i] * part[i] * x ** power)),
    ),
  );
  const entropy = q.map((p) => -xLog(p, p) - xLog(1 - p, 1 - p));
  const fixed = sum(entropy.map((each, i) => counts[i] * each));
  const mean = (sums, log) => sum(log.map((each, k) => each * sums[k]));
  return (at) => {
    const [logA, logB] = logs(own, at);
    return mean(ofA, logA) + mean(ofB, logB) + fixed;
  };
}

function saidNow(steps, at, value) {
  const where = `a = ${signed(at[0])}, b = ${signed(at[1])}`;
  if (!steps) return `The start: ${where}, log-likelihood ${signed(value)}.`;
  const iteration = Math.ceil(steps / 2);
  return steps % 2
    ? `Iteration ${iteration}, E step: ${where} stay, with the ` +
        `log-likelihood ${signed(value)}; the responsibilities are new.`
    : `Iteration ${iteration}, M step: the responsibilities stay; the ` +
        `parameters go to the maximum of the bound, ${where}.`;
}

function saidBound(steps, old, next, lower, there, values) {
  if (!steps) return "The E step will make a bound that touches it here.";
  if (steps % 2) {
    return (
      "The new bound touches the log-likelihood here. Its maximum " +
      `${signed(lower)} is at a = ${signed(next[0])}, b = ${signed(next[1])}.`
    );
  }
  const isHere = next.every((p, k) => Math.abs(p - old[k]) < 0.0005);
  return (
    `There the log-likelihood is ${signed(there)}, and the bound ` +
    `${signed(lower)}: lower by ${gain(there - lower)}. The iteration ` +
    `has raised the log-likelihood by ${gain(there - values.at(-2))}.` +
    (isHere ? " Neither a nor b has moved by 0.0005." : "")
  );
}

// A difference that rounding may have made negative.
function gain(difference) {
  return Math.max(difference, 0).toFixed(3);
}

function saidExpected(own, q) {
  if (!q) return "The E step will share the bars.";
  const [noun, unit] = own.trials ? ["heads", "tosses"] : ["flavanoids", "wines"];
  const [ofA, ofB] = expected(own, q).map(
    ([size, total]) =>
      `${total.toFixed(2)} ${noun} in ${size.toFixed(2)} ${unit}`,
  );
  return `Expected: A ${ofA}, B ${ofB}; the M step divides.`;
}

function signed(value) {
  const text = Math.abs(value).toFixed(3);
  return value < 0 && Number(text) ? `−${text}` : text;
}

function shown(isSeen) {
  return isSeen ? "visible" : "hidden";
}

function drawnPath(places) {
  const points = places.map((place) => place.join(" "));
  const kept = points.filter((at, i) => at !== points[i - 1]);
  return {
    path: { d: `M${kept.join("L")}` },
    visited: { d: kept.map((at) => `M${at}h0`).join("") },
  };
}

// The log-likelihood and the bound along a line of the map, which is as long as
// the step, or longer.
function drawnSection(own, steps, q, old, next) {
  const { high } = own;
  const start = old.map((p) => p / high);
  let end = next.map((p) => p / high);
  let [x, y] = [end[0] - start[0], end[1] - start[1]];
  let long = Math.hypot(x, y);
  [x, y] = [x / long, y / long];
  if (long < SHORT) {
    [x, y, long, end] = [Math.SQRT1_2, -Math.SQRT1_2, 0, start];
  }
  const half = Math.max(1.2 * long, HALF);
  const middle = [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2];
  let [first, last] = [-half, half];
  [x, y].forEach((by, k) => {
    if (!by) return;
    const ends = [0.005, 0.995].map((edge) => (edge - middle[k]) / by);
    first = Math.max(first, Math.min(...ends));
    last = Math.min(last, Math.max(...ends));
  });
  const along = Array.from(
    { length: PIECES + 1 },
    (_, k) => first + ((last - first) * k) / PIECES,
  );
  const at = (s) => [high * (middle[0] + x * s), high * (middle[1] + y * s)];
  const bound = boundOf(own, q);
  const curve = along.map((s) => likelihood(own, at(s)));
  const [here, there] = [likelihood(own, old), likelihood(own, next)];
  const top = Math.max(...curve, there);
  const scale = Math.max(1.7 * (top - here), 4) / DEPTH;
  const right = (s) => Math.round(500 * (1 + s / half));
  const down = (value) => Math.round(Math.min(TOP + (top - value) / scale, 3000));
  const line = (values) => {
    const points = values.map((value, k) => `${right(along[k])} ${down(value)}`);
    return { d: `M${points.join("L")}` };
  };
  const [was, is, best] = [right(-long / 2), right(long / 2), bound(next)];
  const isMoved = steps > 0 && steps % 2 === 0;
  const ends = [first, last].map((s) => {
    const [p, r] = at(s);
    return `${Math.round((1000 / high) * p)} ${1000 - Math.round((1000 / high) * r)}`;
  });
  const drawn = {
    curve: line(curve),
    bound: steps ? line(along.map((s) => bound(at(s)))) : { d: "" },
    top: { cx: is, cy: down(best), visibility: shown(steps) },
    here: isMoved ? { cx: is, cy: down(there) } : { cx: was, cy: down(here) },
    gap: { d: isMoved ? `M${is} ${down(best)}V${down(there)}` : "" },
    line: { d: `M${ends.join("L")}` },
  };
  return { drawn, top, low: top - scale * (FLOOR - TOP) };
}

// The bars, shared if there are responsibilities, and what the parameters
// predict.
function drawnData(own, q, at) {
  const { bars, bar, unit, counts, values, trials, high } = own;
  const [sizes, mine] = [bars.map(() => 0), bars.map(() => 0)];
  counts.forEach((count, i) => {
    sizes[bar[i]] += count;
    mine[bar[i]] += count * (q ? q[i] : 0);
  });
  const paths = { of_a: "", of_b: "", unknown: "" };
  bars.forEach(([left, width], k) => {
    if (!sizes[k]) return;
    const [all, part] = [sizes[k], mine[k]].map((n) => Math.round(unit * n));
    const box = (low, up) =>
      `M${left} ${FLOOR - low}v${low - up}h${width}V${FLOOR - low}Z`;
    if (q) {
      paths.of_a += box(0, part);
      paths.of_b += box(part, all);
    } else paths.unknown += box(0, all);
  });
  const drawn = {};
  for (const [name, d] of Object.entries(paths)) drawn[name] = { d };
  const places = trials
    ? bars.map(([left, width]) => left + Math.floor(width / 2))
    : Array.from({ length: PIECES + 1 }, (_, k) => Math.round((1000 * k) / PIECES));
  drawn.at_first = { x: places[0] };
  drawn.at_middle = { x: places[Math.floor(places.length / 2)] };
  drawn.at_last = { x: places.at(-1) };
  const grid = trials ? values : places.map((_, k) => (high * k) / PIECES);
  // The number of orders with this many heads; for Gaussians the width of a bar.
  let ways = trials ? 1 : 0.25;
  const lines = [[], []];
  const [size, predicted] = [sum(counts), logs(own, at)];
  grid.forEach((x, k) => {
    predicted.forEach((log, which) => {
      const up = unit * size * ways * Math.exp(valueOf(log, x));
      const y = Math.round(Math.max(FLOOR - up, -200));
      lines[which].push(`${places[k]} ${y}`);
    });
    if (trials) ways = (ways * (trials - k)) / (k + 1);
  });
  lines.forEach((points, which) => {
    const d = `M${points.join("L")}`;
    drawn[`line_${"ab"[which]}`] = { d };
    drawn[`curve_${"ab"[which]}`] = { d };
  });
  return drawn;
}

function drawnClimb(values, best) {
  const scale = Math.max(best - values[0], 1) / DEPTH;
  const points = values.map((value, t) => [
    Math.round((1000 * Math.log(1 + t)) / Math.log(1 + ITERATIONS)),
    Math.round(TOP + (best - value) / scale),
  ]);
  const [cx, cy] = points.at(-1);
  return {
    climb: { d: `M${points.map((point) => point.join(" ")).join("L")}` },
    reached: { cx, cy },
  };
}

function solved(model, [a], at, values, { peaks, tops }) {
  const gains = values.map((value) => value - values[0]);
  const isNear = ([p, r]) => Math.hypot(at[0] - p, at[1] - r) < NEAR;
  return [
    ...(model === 1 && a <= 0.05 && tops[0] - values.at(-1) < NEAR
      ? ["names"]
      : []),
    ...(model === 0 && gains[1] < 0.1 && gains[30] > 8 ? ["slow"] : []),
    ...(model === 2 && a < 2 && peaks.slice(1).some(isNear) ? ["other"] : []),
  ];
}

// On the map the start is dragged in any direction, and a click places it: this
// moves its two sliders.
function listen(root) {
  const ground = root.querySelector(".explore-ground");
  const grip = root.querySelector(".explore-begin");
  const sliders = ["a", "b"].map((name) =>
    root.querySelector(`[name=${name}]`),
  );
  const put = ({ clientX, clientY }) => {
    const screen = ground.getScreenCTM().inverse();
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(screen);
    [x / 10, 100 - y / 10].forEach((value, which) => {
      sliders[which].value = Math.round(value);
      sliders[which].dispatchEvent(new Event("input"));
    });
  };
  const rest = () => sliders[0].dispatchEvent(new Event("change"));
  ground.addEventListener("click", (event) => {
    put(event);
    rest();
  });
  // Or a finger would move the page.
  grip.addEventListener("touchstart", (event) => event.preventDefault(), {
    passive: false,
  });
  grip.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    grip.setPointerCapture(event.pointerId);
  });
  grip.addEventListener("pointermove", (event) => {
    if (grip.hasPointerCapture(event.pointerId)) put(event);
  });
  grip.addEventListener("lostpointercapture", rest);
}

document.querySelectorAll(`#${ID}:not([data-live])`).forEach(listen);
