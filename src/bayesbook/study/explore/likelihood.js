// The likelihood of four observations: θ and they are in hundredths, σ of the
// Gaussian model is in tenths; the second model is the exponential one.

const Z = 1.96; // a likelihood interval: the log falls by at most Z²/2
const START = [320, 410, 560, 790]; // the sample of the first task
const [FLOOR, PEAK, ROW] = [540, 500, 100]; // in units of the picture
const [TOP, DEEPEST] = [80, 12];

function view({ model, theta, sd, x1, x2, x3, x4 }) {
  const sample = [x1, x2, x3, x4];
  const n = sample.length;
  const total = sample.reduce((sum, x) => sum + x);
  const [at, mean] = [theta / 100, total / (100 * n)];
  const error = (model ? mean : sd / 10) / Math.sqrt(n);
  const wald = [mean - Z * error, mean + Z * error];
  const [low, high] = model ? exponentialInterval(mean, n) : wald;
  const top = logLikelihood(model, mean, sd / 10, sample);
  const fall = model ? fallOf(mean / at, n) : halfSquare((at - mean) / error);
  return {
    written: {
      x1: signed(x1 / 100),
      x2: signed(x2 / 100),
      x3: signed(x3 / 100),
      x4: signed(x4 / 100),
      theta: signed(at),
      sd: (sd / 10).toFixed(1),
      mean: signed(mean),
      ell: signed(top - fall),
      fall: signed(fall),
      top: signed(top),
      error: signed(error),
      low: signed(low),
      high: signed(high),
      wald_low: signed(wald[0]),
      wald_high: signed(wald[1]),
    },
    drawn: {
      ...drawnModel(model, theta, sd / 10, sample),
      ...drawnCurves(model, mean, error, n),
      interval: { d: bar(low, high, 925) },
      wald: { d: bar(...wald, 965) },
      best: { cx: tenth(100 * mean) },
      point: { transform: `translate(${theta} ${height(fall, 8.2)})` },
    },
    solves: solved(model, theta, sd, sample, fall),
  };
}

// The sum of the logarithms of exp(-x/θ)/θ, or of the Gaussian density.
function logLikelihood(model, mean, sd, sample) {
  const density = model
    ? (x) => -Math.log(mean) - x / mean
    : (x) =>
        -Math.log(sd * Math.sqrt(2 * Math.PI)) - halfSquare((x - mean) / sd);
  return sample.reduce((sum, x) => sum + density(x / 100), 0);
}

// How far the exponential log-likelihood is below its maximum at θ = mean/u.
function fallOf(u, n) {
  return Math.max(n * (u - 1 - Math.log(u)), 0);
}

// How far the Gaussian log-likelihood is below its maximum, if the mean is
// `away` standard errors from it. This is a parabola.
function halfSquare(away) {
  return (away * away) / 2;
}

// Where it has fallen by Z²/2, on each side, by halving 60 times. At u = 20 and
// at u = 1e-9 it is lower for four observations.
function exponentialInterval(mean, n) {
  return [20, 1e-9].map((outside) => {
    let [inside, far] = [1, outside];
    for (let step = 0; step < 60; step++) {
      const middle = (inside + far) / 2;
      if (fallOf(middle, n) <= (Z * Z) / 2) inside = middle;
      else far = middle;
    }
    return mean / inside;
  });
}

function drawnModel(model, theta, sd, sample) {
  const at = theta / 100;
  // Divided by its highest value.
  const density = model
    ? (x) => Math.exp(-x / at)
    : (x) => Math.exp(-halfSquare((x - at) / sd));
  const up = (x) => tenth(FLOOR - PEAK * density(x));
  const points = grid((k) => `${5 * k} ${up(k / 20)}`);
  const drawn = {
    density: { d: `M${points.join("L")}` },
    mean_line: { d: `M${theta} -60V${FLOOR}` },
    grip_theta: { transform: `translate(${theta} 0)` },
  };
  sample.forEach((x, which) => {
    const [i, row] = [which + 1, FLOOR + ROW * (which + 1)];
    drawn[`leader_${i}`] = { d: `M${x} ${row}V${FLOOR}` };
    drawn[`stem_${i}`] = { d: `M${x} ${FLOOR}V${up(x / 100)}` };
    drawn[`point_${i}`] = { transform: `translate(${x} ${row})` };
  });
  return drawn;
}

function drawnCurves(model, mean, error, n) {
  const parabola = (mu) => halfSquare((mu - mean) / error);
  const exact = (mu) => (mu ? fallOf(mean / mu, n) : Infinity);
  const line = (fall) => {
    const points = grid((k) => `${5 * k} ${height(fall(k / 20))}`);
    return { d: `M${points.join("L")}` };
  };
  return { curve: line(model ? exact : parabola), parabola: line(parabola) };
}

function grid(point) {
  return Array.from({ length: 201 }, (_, k) => point(k));
}

function height(fall, deepest = DEEPEST) {
  return tenth(TOP + 100 * Math.min(fall, deepest));
}

function bar(low, high, y) {
  return `M${tenth(100 * low)} ${y}H${tenth(100 * high)}`;
}

function solved(model, theta, sd, sample, fall) {
  const n = sample.length;
  const sum = (values) => values.reduce((total, x) => total + x);
  if (!model) {
    const isKept = sd === 20 && sum(sample) === sum(START);
    const isMoved = sample.every((x, which) => x !== START[which]);
    return isKept && isMoved ? ["same"] : [];
  }
  const away = Math.abs(theta * n - sum(sample)) / sum(sample);
  const isOutside = away * Math.sqrt(n) <= Z && 2 * fall > Z * Z;
  return [
    ...(sum(sample) === 100 * n * Math.sqrt(n) ? ["error"] : []),
    ...(isOutside ? ["outside"] : []),
  ];
}

function signed(value) {
  const text = Math.abs(value).toFixed(2);
  return value < 0 && Number(text) ? `−${text}` : text;
}

function tenth(length) {
  return Math.round(10 * length) / 10;
}
