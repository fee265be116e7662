// A threshold for a score: hundredths of it are counted from -5, the separation
// is in tenths, the prevalence in thousandths, and the price in hundredths.

const HEIGHT = 880; // of the pictures with a score to the right, in their units
const TOP = 1.5; // the highest cost that is drawn, against that without a score
// What is said of the pictures where it is best to reject.
const REJECTED = {
  hatched: "Where it is hatched, it is best to reject.",
  widened: "The wide part is rejected.",
  lowered: "The wide line is the least cost with the reject option.",
};
const GRID = Array.from({ length: 101 }, (_, at) => 10 * at);

function view(state) {
  const { threshold, separation, prevalence, miss, price, reject } = state;
  const [score, half] = [(threshold - 500) / 100, separation / 20];
  const well = 1000 - prevalence;
  const cost = (at) => {
    const [fpr, tpr] = rates(at, half);
    return (prevalence * miss * (1 - tpr) + well * fpr) / 1000;
  };
  const [fpr, tpr] = rates(score, half);
  const best = bestOf(state);
  const band = reject ? bandOf(state) : null;
  const idle = Math.min(prevalence * miss, well) / 1000;
  const [found, called] = [prevalence * tpr, prevalence * tpr + well * fpr];
  const [hits, alarms] = [Math.round(found), Math.round(well * fpr)];
  const groups = {
    hits,
    misses: prevalence - hits,
    alarms,
    spared: well - alarms,
  };
  const rejecting = rejectingOf(band, half, state);
  const texts = [
    ...Object.entries(groups).map(([name, n]) => [name, String(n)]),
    ...Object.entries(REJECTED).map(([name, said]) => [name, band ? said : ""]),
  ];
  // The posterior odds are the prior odds times the likelihood ratio.
  const odds = (prevalence / well) * Math.exp(2 * half * score);
  return {
    written: {
      threshold: signed(score),
      separation: (separation / 10).toFixed(1),
      prevalence: (prevalence / 1000).toFixed(3),
      miss: String(miss),
      price: (price / 100).toFixed(2),
      ill: String(prevalence),
      well: String(well),
      ...Object.fromEntries(texts),
      recall: tpr.toFixed(3),
      fpr: fpr.toFixed(3),
      precision: (found / called).toFixed(3),
      auc: below(separation / 10 / Math.SQRT2).toFixed(3),
      cost: cost(score).toFixed(3),
      least: cost(best ?? 0).toFixed(3),
      advice: advice(best, 1 / (1 + miss)),
      posterior: (1 / (1 + 1 / odds)).toFixed(3),
      idle: idle.toFixed(3),
      rejecting: reject ? say(band, rejecting) : "",
    },
    drawn: {
      ...densities(threshold, half),
      ...roc(score, half, best, prevalence * miss, well),
      ...costs(threshold, best, cost, TOP * idle),
      ...drawnBand(band, half, rejecting.cost / (TOP * idle)),
      ...people(groups),
    },
    solves: solved(state, found / called),
  };
}

function density(x) {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
}

// P[Z < x] of a standard Gaussian: 1/2 and the density times
// x + x^3/3 + x^5/(3*5) + ...; DLMF 7.6.2 at dlmf.nist.gov.
function below(x) {
  if (Math.abs(x) > 8) return x > 0 ? 1 : 0;
  let [sum, term] = [0, x];
  for (let k = 3; sum + term !== sum; k += 2) {
    sum += term;
    term *= (x * x) / k;
  }
  return 0.5 + density(x) * sum;
}

// The false- and the true-positive rate above a score.
function rates(score, half) {
  return [below(-half - score), below(half - score)];
}

// Where the odds of malignant times the cost of a miss are one; without a
// separation at an end, or anywhere.
function bestOf({ separation, prevalence, miss }) {
  const odds = (prevalence * miss) / (1000 - prevalence);
  if (separation) return -Math.log(odds) / (separation / 10);
  if (odds === 1) return null;
  return odds > 1 ? -Infinity : Infinity;
}

function advice(best, cut) {
  if (best === null) return "with any threshold";
  if (best === -Infinity) return "with a biopsy for all";
  if (best === Infinity) return "with a biopsy for none";
  const where = `where P[malignant | x] = ${cut.toFixed(3)}`;
  return `at the threshold ${signed(best)}, ${where}`;
}

// It is best to reject while the price is below the costs of both decisions.
function bandOf({ separation, prevalence, miss, price }) {
  const well = 1000 - prevalence;
  if (!separation) {
    const isBest = 10 * price < Math.min(prevalence * miss, well);
    return isBest ? [-Infinity, Infinity] : null;
  }
  if (price * (miss + 1) >= 100 * miss) return null;
  const logOdds = [price / (100 * miss - price), (100 - price) / price];
  return logOdds.map(
    (odds) =>
      (Math.log(odds) - Math.log(prevalence / well)) / (separation / 10),
  );
}

function rejectingOf(band, half, { prevalence, miss, price }) {
  if (!band) return { cost: 0, rejected: 0 };
  const [[fprLow, tprLow], [fpr, tpr]] = band.map((end) => rates(end, half));
  const well = 1000 - prevalence;
  const rejected = prevalence * (tprLow - tpr) + well * (fprLow - fpr);
  const decided = prevalence * miss * (1 - tprLow) + well * fpr;
  return {
    cost: (decided + (rejected * price) / 100) / 1000,
    rejected: Math.round(rejected),
  };
}

function say(band, { cost, rejected }) {
  const least = cost.toFixed(3);
  if (!band) return "At this price it is never best to reject.";
  if (band[1] === Infinity) return `To reject all lumps costs ${least}.`;
  const [low, high] = band.map(signed);
  return (
    `If scores from ${low} to ${high} are rejected, ${rejected} of the ` +
    `thousand, the least cost is ${least}.`
  );
}

function densities(threshold, half) {
  const line = `M${threshold} -62V${HEIGHT}`;
  const drawn = { line: { d: line } };
  const sides = {
    left: [...GRID.filter((x) => x < threshold), threshold],
    right: [threshold, ...GRID.filter((x) => x > threshold)],
  };
  const middle = HEIGHT / 2;
  const classes = { malignant: [half, 1], benign: [-half, -1] };
  for (const [name, [mean, up]] of Object.entries(classes)) {
    for (const [side, places] of Object.entries(sides)) {
      const line = places.map((x) => {
        const height = up * 1000 * density((x - 500) / 100 - mean);
        return `${x} ${tenth(middle - height)}`;
      });
      const [first, last] = [places[0], places.at(-1)];
      const d = `M${first} ${middle}L${line.join("L")}L${last} ${middle}Z`;
      drawn[`${name}_${side}`] = { d };
    }
  }
  drawn.grip = { transform: `translate(${threshold} 0)` };
  return drawn;
}

function roc(score, half, best, ill, well) {
  const [x, y] = inSquare(score, half);
  const far = 1500 / Math.hypot(ill, well);
  const ends = [-1, 1].map(
    (way) => `${tenth(x + way * far * ill)} ${tenth(y - way * far * well)}`,
  );
  const [cx, cy] = best === null ? [60, 880] : inSquare(best, half);
  return {
    roc: { d: `M60 880L${along(5, -5, half)}L940 0` },
    same_cost: { d: `M${ends.join("L")}` },
    roc_spot: { cx: tenth(x), cy: tenth(y) },
    roc_best: { cx: tenth(cx), cy: tenth(cy), ...seen(best !== null) },
  };
}

function inSquare(score, half) {
  const [fpr, tpr] = rates(score, half);
  return [60 + 880 * fpr, 880 * (1 - tpr)];
}

// The points of the ROC curve from one threshold to another.
function along(high, low, half) {
  const inside = GRID.map((x) => (500 - x) / 100);
  const places = inside.filter((at) => low < at && at < high);
  return [high, ...places, low]
    .map((at) => inSquare(at, half).map(tenth).join(" "))
    .join("L");
}

function costs(threshold, best, cost, top) {
  const height = (x) =>
    HEIGHT * (1 - Math.min(cost((x - 500) / 100) / top, 2));
  const line = GRID.map((x) => `${x} ${tenth(height(x))}`);
  const isSeen = best !== null && Math.abs(best) <= 5;
  const cx = isSeen ? 500 + 100 * best : 500;
  const inside = (x) => tenth(Math.max(height(x), 0));
  return {
    costs: { d: `M${line.join("L")}` },
    cost_line: { d: `M${threshold} -62V${HEIGHT}` },
    cost_spot: { cx: threshold, cy: inside(threshold) },
    cost_best: { cx: tenth(cx), cy: inside(cx), ...seen(isSeen) },
    cost_grip: { transform: `translate(${threshold} 0)` },
  };
}

function drawnBand(band, half, share) {
  if (!band) {
    const [none, names] = [{ d: "" }, ["band", "cost_band", "roc_band"]];
    return Object.fromEntries([...names, "with_reject"].map((x) => [x, none]));
  }
  const [low, high] = band.map((end) => Math.min(Math.max(end, -5), 5));
  const [left, right] = [low, high].map((end) => tenth(500 + 100 * end));
  const box = { d: `M${left} 0H${right}V${HEIGHT}H${left}Z` };
  return {
    band: box,
    cost_band: box,
    roc_band: { d: `M${along(high, low, half)}` },
    with_reject: { d: `M0 ${tenth(HEIGHT * (1 - share))}H1000` },
  };
}

function seen(isSeen) {
  return { visibility: isSeen ? "visible" : "hidden" };
}

// A thousand people in columns of 25, one group after the other.
function people(groups) {
  let first = 0;
  const drawn = {};
  for (const [name, count] of Object.entries(groups)) {
    let d = "";
    for (let place = first; place < first + count; place++) {
      const [x, y] = [25 * Math.floor(place / 25), 40 * (place % 25)];
      d += `M${x + 12.5} ${y + 20}h0`;
    }
    first += count;
    drawn[`people_${name}`] = { d };
  }
  return drawn;
}

function solved(state, precision) {
  const { threshold, separation, prevalence, miss, price, reject } = state;
  const isExample = separation === 27 && miss === 19;
  const isEven = prevalence * miss === 1000 - prevalence;
  const isHalf = Math.abs(precision - 0.5) < 0.005;
  const limit = (100 * miss) / (miss + 1);
  const isLowest = price - 1 < limit && limit <= price;
  return [
    ...(isExample && isEven && threshold === 500 ? ["middle"] : []),
    ...(threshold === 519 && separation === 27 && isHalf ? ["precision"] : []),
    ...(reject && miss === 19 && isLowest ? ["price"] : []),
  ];
}

// With the sign of a page, and none of what is rounded to zero.
function signed(value) {
  const text = Math.abs(value).toFixed(2);
  return value < 0 && Number(text) ? `−${text}` : text;
}

function tenth(length) {
  return Math.round(10 * length) / 10;
}
