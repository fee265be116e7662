// The number game: x1 to x6 are the numbers that are shown, 0 where there is
// none. A concept has its name, its weight in the prior and its members.

const EQUAL = 1e-9; // sums in another order differ by less
const ROWS = 11;
const [SIDE, MIDDLE, ONE] = [120, 440, 800]; // in units of the pictures
const NUMBERS = Array.from({ length: 100 }, (_, at) => at + 1);

const concepts = DATA.map((each) => ({
  ...each,
  members: new Set(each.members),
}));
const sum = (values) => values.reduce((total, value) => total + value, 0);
const total = sum(concepts.map(({ weight }) => weight));
const target = concepts.find(({ name }) => name === "powers of 2");
// Whatever contains all powers of 2 is consistent with any of them.
const most = target.weight / sum(holding([...target.members]).map(weightOf));

function weightOf({ weight }) {
  return weight;
}

function holding(numbers) {
  return concepts.filter(({ members }) => numbers.every((x) => members.has(x)));
}

function view({ weak, ...places }) {
  const shown = Object.values(places).filter(Boolean);
  // Equal fractions are equal numbers, so a tie is one here.
  const left = holding(shown).map((each) => ({
    ...each,
    joint: each.weight / (weak ? 1 : each.members.size ** shown.length),
  }));
  const evidence = sum(left.map(({ joint }) => joint));
  left.sort((a, b) => b.joint - a.joint);
  for (const each of left) each.p = each.joint / evidence;
  const [first] = left;
  const best = left.filter(({ p }) => p > first.p - EQUAL);
  const average = chances(left);
  const perplexity = Math.exp(-sum(average.map((p) => p * Math.log(p))));
  const written = {
    evidence: saidEvidence(shown, left.length),
    best: saidBest(best.map(({ name }) => `“${name}”`), first.p),
    average: decimal(perplexity, 1),
    plugged: first.name,
    size: String(first.members.size),
    full: Object.values(places).every(Boolean)
      ? "All six places are taken, so another number replaces the last one."
      : "",
    more: left.length > ROWS ? `… and ${left.length - ROWS} more` : "",
  };
  const drawn = {
    belongs: { d: NUMBERS.map((x) => filled(x, belongs(x, left))).join("") },
    shown: { d: [...new Set(shown)].sort((a, b) => a - b).map(framed).join("") },
    average: { d: bars(average, -1) },
    plug_in: { d: bars(chances([{ ...first, p: 1 }]), 1) },
    marks: { d: shown.map((x) => `M${10 * x - 5} 908h0`).join("") },
  };
  for (const x of NUMBERS) drawn[`n${x}`] = { "data-sets": click(x, places) };
  for (let row = 1; row <= ROWS; row++) {
    const { name, weight, members, p } = left[row - 1] ?? { weight: 0, p: 0 };
    written[`name_${row}`] = name ?? "";
    written[`size_${row}`] = String(members?.size ?? "");
    written[`prior_${row}`] = decimal(weight / total, 4);
    written[`posterior_${row}`] = decimal(p);
    drawn[`row_${row}`] = { class: name ? "" : "unused" };
    drawn[`bar_${row}`] = { width: tenth(1000 * p) };
    drawn[`before_${row}`] = { d: `M${tenth((1000 * weight) / total)} 0v10` };
  }
  return { written, drawn, solves: solved(shown, weak, left, best) };
}

// The probability of each number to be drawn next.
function chances(left) {
  return NUMBERS.map((x) =>
    sum(left.map(({ members, p }) => (members.has(x) ? p / members.size : 0))),
  );
}

function belongs(x, left) {
  return sum(left.map(({ members, p }) => (members.has(x) ? p : 0)));
}

function saidEvidence(shown, left) {
  if (!shown.length) {
    return "No number is shown yet, so the posterior is the prior.";
  }
  const after = `After ${shown.join(", ")}`;
  return left === 1
    ? `${after}, only one of the ${concepts.length} concepts is consistent.`
    : `${after}, ${left} of the ${concepts.length} concepts are consistent.`;
}

function saidBest(names, p) {
  const [last, ...others] = [...names].reverse();
  const posterior = `with posterior ${decimal(p)}.`;
  return others.length
    ? `The most probable ones are ${others.reverse().join(", ")} and ${last}, ` +
        `each ${posterior}`
    : `The most probable one is ${last}, ${posterior}`;
}

function corner(x) {
  const column = (x - 1) % 10;
  return [SIDE * column - 100, (SIDE * (x - 1 - column)) / 10 - 100];
}

function filled(number, p) {
  const [x, y] = corner(number);
  return `M${x} ${y + SIDE}h${SIDE}v-${tenth(SIDE * p)}h-${SIDE}Z`;
}

function framed(number) {
  const [x, y] = corner(number);
  const inner = SIDE - 16;
  return `M${x + 8} ${y + 8}h${inner}v${inner}h-${inner}Z`;
}

function bars(chances, down) {
  return NUMBERS.filter((x) => chances[x - 1])
    .map((x) => {
      const end = tenth(MIDDLE + down * ONE * chances[x - 1]);
      return `M${10 * x - 5} ${MIDDLE}V${end}`;
    })
    .join("");
}

// A click shows a number, or takes it back.
function click(number, places) {
  const names = Object.keys(places);
  const taken = names.findLast((name) => places[name] === number);
  if (taken) return `${taken} 0`;
  const free = names.find((name) => !places[name]);
  return `${free ?? names.at(-1)} ${number}`;
}

function solved(shown, weak, left, best) {
  const p = left.find(({ name }) => name === target.name)?.p ?? 0;
  const n = shown.length;
  return [
    ...(!weak && n === 2 && p > 0.9 ? ["powers"] : []),
    ...(!weak && n === 1 && best.length === 3 ? ["tied"] : []),
    ...(weak && n === 3 && p > most - EQUAL ? ["weak"] : []),
  ];
}

// Half way between two decimals, the larger one, in whichever order the sums
// were made.
function decimal(value, digits = 3) {
  return (value + EQUAL).toFixed(digits);
}

function tenth(length) {
  return Math.round(10 * length) / 10;
}
