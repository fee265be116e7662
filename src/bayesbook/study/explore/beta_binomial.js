// A rate that is learned from trials: a and b of the prior are in quarters.

const HEIGHT = 880; // of the curves and bars, in units of the picture

function view({ a, b, successes, failures }) {
  const prior = [a / 4, b / 4];
  const posterior = [prior[0] + successes, prior[1] + failures];
  // Scaled to the area one, the likelihood is the posterior of a flat prior.
  const likelihood = [successes + 1, failures + 1];
  const mean = meanOf(posterior);
  const trials = successes + failures;
  const marked = {
    prior: meanOf(prior),
    posterior: mean,
    likelihood: trials ? successes / trials : 0.5,
  };
  const [low, high] = interval(posterior);
  const predicted = nextTen((k) => (posterior[0] + k) / (posterior[1] + 9 - k));
  const plugIn = nextTen(() => mean / (1 - mean));
  const strength = prior[0] + prior[1];
  return {
    written: {
      a: String(prior[0]),
      b: String(prior[1]),
      successes: String(successes),
      failures: String(failures),
      prior_mean: marked.prior.toFixed(3),
      strength: `${strength} imagined trial${strength === 1 ? "" : "s"}`,
      after_a: String(posterior[0]),
      after_b: String(posterior[1]),
      mean: mean.toFixed(3),
      low: low.toFixed(3),
      high: high.toFixed(3),
      many: fiveOrMore(predicted).toFixed(3),
      plugged: fiveOrMore(plugIn).toFixed(3),
    },
    drawn: {
      ...curves({ prior, posterior, likelihood }, marked),
      interval: { d: `M${tenth(1000 * low)} 930H${tenth(1000 * high)}` },
      mean: { cx: tenth(1000 * mean) },
      prior_mean: { cx: tenth(1000 * marked.prior) },
      ...bars(predicted, plugIn),
    },
    solves: solved(a, b, successes, failures),
  };
}

// log Γ(x) for x > 0. For large x there is Stirling's series, DLMF 5.11.1 at
// dlmf.nist.gov, whose error is below 1/(1680 x^7), that is 1e-10 from 10 on;
// a smaller x is led there by Γ(x + 1) = x Γ(x), DLMF 5.5.1.
function logGamma(x) {
  if (x < 10) return logGamma(x + 1) - Math.log(x);
  const series = 1 / (12 * x) - 1 / (360 * x ** 3) + 1 / (1260 * x ** 5);
  return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series;
}

// B(a, b) = Γ(a) Γ(b) / Γ(a + b): DLMF 5.12.1.
function beta([a, b]) {
  return Math.exp(logGamma(a) + logGamma(b) - logGamma(a + b));
}

// The density of Beta(a, b); infinite at 0 if a < 1, and at 1 if b < 1.
function densityOf([a, b]) {
  const area = beta([a, b]);
  return (rate) => (rate ** (a - 1) * (1 - rate) ** (b - 1)) / area;
}

// P[rate < x], the regularised incomplete beta function, by its continued
// fraction 1 + d1/(1 + d2/(1 + ...)): DLMF 8.17.22, from the inside to the
// outside. It converges fast below the bound; above it, 8.17.4 turns it over.
function below(x, [a, b]) {
  if (x > (a + 1) / (a + b + 2)) return 1 - below(1 - x, [b, a]);
  let fraction = 1;
  for (let m = 40; m >= 0; m--) {
    const n = a + 2 * m;
    const even = ((m + 1) * (b - m - 1) * x) / ((n + 1) * (n + 2));
    const odd = (-(a + m) * (a + b + m) * x) / (n * (n + 1));
    fraction = 1 + odd / (1 + even / fraction);
  }
  return (x ** a * (1 - x) ** b) / (a * beta([a, b]) * fraction);
}

// The rate below which a given probability lies, by halving 40 times.
function quantile(p, parameters) {
  let [left, right] = [0, 1];
  for (let step = 0; step < 40; step++) {
    const middle = (left + right) / 2;
    if (below(middle, parameters) < p) left = middle;
    else right = middle;
  }
  return left;
}

function interval(parameters) {
  return [quantile(0.025, parameters), quantile(0.975, parameters)];
}

function meanOf([a, b]) {
  return a / (a + b);
}

// Probabilities of 0 to 10 successes among the next ten. Each is that before,
// times (10 - k) / (k + 1), by which the number of orders grows, times the odds
// of a success against a failure beside k successes and 9 - k failures.
function nextTen(odds) {
  const p = [1];
  for (let k = 0; k < 10; k++) p.push((p[k] * (10 - k) * odds(k)) / (k + 1));
  const total = p.reduce((sum, each) => sum + each);
  return p.map((each) => each / total);
}

function fiveOrMore(p) {
  return p.slice(5).reduce((sum, each) => sum + each);
}

function tenth(length) {
  return Math.round(10 * length) / 10;
}

function curves(parameters, marked) {
  const names = Object.keys(parameters);
  const densities = names.map((name) => {
    const density = densityOf(parameters[name]);
    return Array.from({ length: 201 }, (_, at) => density(at / 200));
  });
  // Nearer to an end than a hundredth, a density may be infinite.
  const inside = densities.flatMap((each) => each.slice(2, -2));
  const top = 1.05 * Math.max(...inside);
  const height = (value) => HEIGHT * (1 - Math.min(value / top, 2));

  const drawn = { one: { transform: `translate(0 ${tenth(height(1))})` } };
  names.forEach((name, which) => {
    const points = densities[which].map(
      (value, at) => `${5 * at} ${Math.round(height(value))}`,
    );
    drawn[`curve_${name}`] = { d: `M${points.join("L")}` };
  });
  // The posterior is marked between the other two, or the three together.
  names.sort((one, other) => marked[one] - marked[other]);
  names.forEach((name, which) => {
    const rate = marked[name];
    const [at, cx] = [150 + 350 * which, tenth(1000 * rate)];
    const cy = tenth(Math.max(height(densityOf(parameters[name])(rate)), 0));
    drawn[`name_${name}`] = { x: at };
    drawn[`leader_${name}`] = { d: `M${at} -30L${cx} ${cy}` };
    drawn[`spot_${name}`] = { cx, cy };
  });
  return drawn;
}

function bars(predicted, plugIn) {
  const unit = HEIGHT / (1.05 * Math.max(...predicted, ...plugIn, 0.1));
  const y = (p) => tenth(HEIGHT - unit * p);
  const dot = "a15 15 0 1 0 30 0a15 15 0 1 0 -30 0"; // from its left
  const dots = plugIn.map((p, k) => `M${35 + 90 * k} ${y(p)}${dot}`);
  const drawn = {
    plug_in: { d: dots.join("") },
    tenth: { transform: `translate(0 ${y(0.1)})` },
  };
  predicted.forEach((p, k) => {
    drawn[`bar_${k}`] = { y: y(p), height: tenth(unit * p) };
  });
  return drawn;
}

function solved(a, b, successes, failures) {
  const width = (n) => {
    const [low, high] = interval([n + 1, n + 1]);
    return high - low;
  };
  const isFlat = a === 4 && b === 4;
  const [three, twenty] = [
    successes === 3 && failures === 1,
    successes === 20 && failures === 0,
  ];
  const isNarrow =
    isFlat && successes === failures && successes > 0 &&
    width(successes) < 0.2 && width(successes - 1) >= 0.2;
  return [
    ...(three && a + 4 * 3 === b + 4 * 1 ? ["half"] : []),
    ...(twenty && 10 * (a + 80) <= 9 * (a + b + 80) ? ["stubborn"] : []),
    ...(isNarrow ? ["narrow"] : []),
  ];
}
