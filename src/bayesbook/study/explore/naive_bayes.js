// Naive Bayes for the votes of one member: v1 to v16 say how often each vote is
// counted, β is in tenths.

const EQUAL = 1e-9; // sums in another order differ by less
const [ZERO, UNIT] = [500, 50]; // of a bar, in units of its picture

function view({ member, few, beta, ...times }) {
  const { isDemocrat, answers, fits } = DATA[member];
  const counts = Object.values(times);
  const { prior, added } = fitted(fits[few], beta / 10);
  // What is not counted adds nothing, were it infinite.
  const adds = added.map((value, i) => (counts[i] ? counts[i] * value : 0));
  // Not a number if both joint probabilities are 0.
  const z = prior + sum(adds);
  const p = 1 / (1 + Math.exp(-z));
  const isRight = isDemocrat ? z > EQUAL : z < -EQUAL;
  const written = {
    beta: (beta / 10).toFixed(1),
    used: String(counts.filter(Boolean).length),
    counted: String(sum(counts)),
    z: number(z),
    p: Number.isNaN(z) ? "undefined" : (p + EQUAL).toFixed(4),
    verdict: saidVerdict(z, isRight),
    adds_prior: number(prior),
    adds_sum: number(z),
  };
  const drawn = {
    posterior: { width: Number.isNaN(z) ? 0 : tenth(1000 * p) },
    bar_prior: bar(prior),
    bar_sum: bar(z),
  };
  Object.keys(times).forEach((name, i) => {
    written[`answer_${name}`] = answers[i];
    written[`times_${name}`] = `×${counts[i]}`;
    written[`adds_${name}`] = number(adds[i]);
    drawn[`bar_${name}`] = bar(adds[i]);
  });
  const asked = { member, few, beta, counts, prior, added, isRight };
  return { written, drawn, solves: solved(asked) };
}

// What the prior, with one added to each party, and each vote add to the
// log-odds: without smoothing perhaps ∞, or 0/0.
function fitted({ members, like, voted }, beta) {
  const share = (party, i) =>
    (like[party][i] + beta) / (voted[party][i] + 2 * beta);
  return {
    prior: Math.log((members[0] + 1) / (members[1] + 1)),
    added: like[0].map((_, i) => Math.log(share(0, i) / share(1, i))),
  };
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

function saidVerdict(z, isRight) {
  if (Number.isNaN(z)) {
    return "Both parties have the joint probability 0, so there is no posterior.";
  }
  if (Math.abs(z) <= EQUAL) return "Both parties are equally probable.";
  return `The model names the ${isRight ? "right" : "wrong"} party.`;
}

function number(value) {
  if (Number.isNaN(value)) return "undefined";
  if (Math.abs(value) === Infinity) return value > 0 ? "∞" : "−∞";
  const text = Math.abs(value).toFixed(2);
  return value < 0 && Number(text) ? `−${text}` : text;
}

function bar(value) {
  if (Number.isNaN(value)) return { x: ZERO, width: 0, class: "" };
  const length = Math.min(Math.abs(value) * UNIT, ZERO);
  const isLeft = value < -EQUAL;
  return {
    x: tenth(isLeft ? ZERO - length : ZERO),
    width: tenth(length),
    class: isLeft ? "explore-against" : "explore-for",
  };
}

function solved({ member, few, beta, counts, prior, added, isRight }) {
  const left = counts.filter((count) => !count).length;
  const copied = counts.filter((count) => count > 1).length;
  const isFirst = member === 0 && !few;
  return [
    ...(isFirst && !left && copied === 1 && isRight ? ["copy"] : []),
    ...(isFirst && !copied && isFewest(beta, counts, left, prior, added)
      ? ["leave"]
      : []),
    ...(member === 1 && few && !left && !copied && !isRight && beta &&
    sum(Object.values(fitted(DATA[1].fits[1], (beta - 1) / 10)).flat()) > EQUAL
      ? ["smooth"]
      : []),
  ];
}

// The fewest votes are those that speak most against the party.
function isFewest(beta, counts, left, prior, added) {
  const enough = Math.log(9);
  const inOrder = [...added].sort((a, b) => a - b);
  return (
    beta === 10 &&
    prior + sum(added.filter((_, i) => counts[i])) > enough &&
    prior + sum(inOrder.slice(Math.max(left - 1, 0))) <= enough
  );
}

function tenth(length) {
  return Math.round(10 * length) / 10;
}
