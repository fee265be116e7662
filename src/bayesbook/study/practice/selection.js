// Which questions a seed draws, and in which order: the same as draw_evenly of
// shuffling.py, where the rule is explained.

// SHA-256 of a text of ASCII signs, in hexadecimal digits. A browser has it,
// too, but answers later, and not on every page from a disk.
const PRIMES = [];
for (let n = 2; PRIMES.length < 64; n++) {
  if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);
}
const fraction = (x) => ((x % 1) * 2 ** 32) | 0;
const STEPS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

const rotated = (word, by) => (word >>> by) | (word << (32 - by));
const mixed = (word, a, b, c) => rotated(word, a) ^ rotated(word, b) ^ c;

function compressed(state, block) {
  const words = [...block];
  for (let at = 16; at < 64; at++) {
    const [early, late] = [words[at - 15], words[at - 2]];
    words[at] =
      (words[at - 16] +
        mixed(early, 7, 18, early >>> 3) +
        words[at - 7] +
        mixed(late, 17, 19, late >>> 10)) |
      0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let at = 0; at < 64; at++) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const first =
      h + mixed(e, 6, 11, rotated(e, 25)) + choice + STEPS[at] + words[at];
    const second = mixed(a, 2, 13, rotated(a, 22)) + majority;
    const [next, fifth] = [(first + second) | 0, (d + first) | 0];
    [a, b, c, d, e, f, g, h] = [next, a, b, c, fifth, e, f, g];
  }
  return [a, b, c, d, e, f, g, h].map((word, at) => (word + state[at]) | 0);
}

function sha256(text) {
  const size = 16 * Math.ceil((text.length + 9) / 64);
  const words = Array(size).fill(0);
  const put = (at, byte) => (words[at >> 2] |= byte << (24 - 8 * (at % 4)));
  for (let at = 0; at < text.length; at++) put(at, text.charCodeAt(at));
  put(text.length, 0x80);
  words[size - 1] = 8 * text.length;
  let state = START;
  for (let at = 0; at < size; at += 16) {
    state = compressed(state, words.slice(at, at + 16));
  }
  const digits = (word) => (word >>> 0).toString(16).padStart(8, "0");
  return state.map(digits).join("");
}

// Digits and small letters are compared as Python does.
const byKey = (one, other) =>
  one.key < other.key ? -1 : Number(one.key > other.key);

function drawEvenly(names, size, seed) {
  const turns = Object.entries(names).flatMap(([group, own]) =>
    own
      .map((name) => ({ group, name, key: sha256(`${seed}:${group}/${name}`) }))
      .sort(byKey)
      .map((each, turn) => ({ ...each, turn })),
  );
  return turns
    .sort((one, other) => one.turn - other.turn || byKey(one, other))
    .slice(0, size)
    .sort(byKey)
    .map(({ group, name }) => [group, name]);
}
