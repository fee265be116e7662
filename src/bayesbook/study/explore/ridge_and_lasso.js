// Ridge and lasso with two inputs: the penalty is in steps of 0.002, the
// estimates of least squares and the correlation are in hundredths.

const [X, Y, UNIT, HEIGHT] = [500, 440, 400, 880]; // in units of the pictures
const PENALTIES = Array.from({ length: 101 }, (_, at) => 10 * at);
const LEVELS = [0.2, 0.4, 0.6, 0.8];
const NAMES = ["w₁", "w₂"];

function view({ penalty, first, second, correlation }) {
  const squares = [first / 100, second / 100];
  const rho = correlation / 100;
  const estimate = {
    ridge: (size) => ridge(size, squares, rho),
    lasso: (size) => lasso(size, squares, rho),
  };
  const written = {
    penalty: (penalty / 500).toFixed(3),
    first: signed(squares[0], 2),
    second: signed(squares[1], 2),
    correlation: signed(rho, 2),
  };
  const drawn = {};
  const found = {};
  for (const name of ["ridge", "lasso"]) {
    // What both computations agree on, so that they write alike.
    const w = estimate[name](penalty / 500).map(
      (each) => Math.round(1e9 * each) / 1e9,
    );
    const path = PENALTIES.map((each) => estimate[name](each / 500));
    found[name] = w;
    Object.assign(written, writtenOf(name, w));
    Object.assign(drawn, plane(name, w, squares, rho, path));
    Object.assign(drawn, paths(name, penalty, w, squares, path));
  }
  const solves = solved({ penalty, first, second, correlation }, found);
  return { written, drawn, solves };
}

// The inverse of a symmetric matrix with the same two elements in its diagonal.
function inverse(diagonal, rho, [a, b]) {
  const det = diagonal ** 2 - rho ** 2;
  return [(diagonal * a - rho * b) / det, (diagonal * b - rho * a) / det];
}

function ridge(size, [a, b], rho) {
  return inverse(1 + size, rho, [a + rho * b, b + rho * a]);
}

// Where both coefficients have a sign, the gradient with these signs vanishes;
// where one of them is zero, the other is that of a single input.
function lasso(size, [a, b], rho) {
  for (const s of [-1, 1]) {
    for (const t of [-1, 1]) {
      const [x, y] = inverse(1, rho, [size * s, size * t]);
      const w = [a - x, b - y];
      if (w[0] * s > 0 && w[1] * t > 0) return w;
    }
  }
  const slopes = [a + rho * b, b + rho * a];
  const alone = slopes.map(
    (slope) => Math.sign(slope) * Math.max(Math.abs(slope) - size, 0),
  );
  return Math.abs(slopes[0]) > Math.abs(slopes[1])
    ? [alone[0], 0]
    : [0, alone[1]];
}

function writtenOf(name, w) {
  const zeros = NAMES.filter((_, which) => w[which] === 0);
  const said = [
    "neither is exactly zero",
    `${zeros.join("")} is exactly zero`,
    "both are exactly zero",
  ];
  return {
    [`${name}_1`]: signed(w[0], 3),
    [`${name}_2`]: signed(w[1], 3),
    [`${name}_zeros`]: said[zeros.length],
  };
}

function plane(name, w, squares, rho, path) {
  const [a, b] = [w[0] - squares[0], w[1] - squares[1]];
  const error = Math.max(a * a + 2 * rho * a * b + b * b, 0);
  const spot = ([x, y]) => ({ cx: tenth(x), cy: tenth(y) });
  const levels = LEVELS.map((level, k) => [
    `${name}_level_${k}`,
    ellipse(squares, rho, level),
  ]);
  const way = path.map((each) => point(place(each)));
  return {
    ...Object.fromEntries(levels),
    [`${name}_touching`]: ellipse(squares, rho, Math.sqrt(error)),
    [`${name}_way`]: { d: `M${way.join("L")}` },
    [`${name}_squares`]: spot(place(squares)),
    [`${name}_spot`]: spot(place(w)),
    [`${name}_shape`]: shape(name, w),
  };
}

// Where the mean squared error is the square of a level above the least.
function ellipse(squares, rho, level) {
  const [cx, cy] = place(squares).map(tenth);
  const [rx, ry] = [1 + rho, 1 - rho].map((curvature) =>
    tenth((UNIT * level) / Math.sqrt(curvature)),
  );
  return { cx, cy, rx, ry, transform: `rotate(-45 ${cx} ${cy})` };
}

function shape(name, [a, b]) {
  if (name === "ridge") return { r: tenth(UNIT * Math.hypot(a, b)) };
  const size = UNIT * (Math.abs(a) + Math.abs(b));
  const corners = [
    [X + size, Y],
    [X, Y - size],
    [X - size, Y],
    [X, Y + size],
  ];
  return { d: `M${corners.map(point).join("L")}Z` };
}

function paths(name, penalty, w, squares, path) {
  const drawn = {
    [`${name}_line`]: { d: `M${penalty} -62V${HEIGHT}` },
    [`${name}_grip`]: { transform: `translate(${penalty} 0)` },
  };
  const starts = apart(...squares.map(height));
  for (const which of [0, 1]) {
    const curve = path.map((each, at) =>
      point([PENALTIES[at], height(each[which])]),
    );
    const at = { cx: penalty, cy: tenth(height(w[which])) };
    const visibility = w[which] ? "hidden" : "visible";
    drawn[`${name}_path_${which + 1}`] = { d: `M${curve.join("L")}` };
    drawn[`${name}_at_${which + 1}`] = at;
    drawn[`${name}_zero_${which + 1}`] = { ...at, visibility };
    drawn[`${name}_name_${which + 1}`] = { y: tenth(starts[which] + 16) };
  }
  return drawn;
}

// So far apart that names do not overlap.
function apart(one, other) {
  const missing = 60 - Math.abs(one - other);
  if (missing <= 0) return [one, other];
  const way = one > other ? missing / 2 : -missing / 2;
  return [one + way, other - way];
}

function solved({ penalty, first, second, correlation }, { ridge, lasso }) {
  const isExample = first === 90 && second === 40;
  const isSetTo = (size, rho) =>
    isExample && penalty === size && correlation === rho;
  const isTurned = [first, second].some(
    (start, j) => ridge[j] * start < 0 && lasso[j] === 0 && lasso[1 - j] !== 0,
  );
  return [
    ...(isSetTo(200, 0) ? ["drop"] : []),
    ...(isSetTo(300, 51) ? ["keep"] : []),
    ...(isTurned ? ["sign"] : []),
  ];
}

function place([a, b]) {
  return [X + UNIT * a, height(b)];
}

function height(w) {
  return Y - UNIT * w;
}

function point([x, y]) {
  return `${tenth(x)} ${tenth(y)}`;
}

// With the sign of a page, and none of what is rounded to zero.
function signed(value, digits) {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) ? `−${text}` : text;
}

function tenth(length) {
  return Math.round(10 * length) / 10;
}
