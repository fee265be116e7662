// What a search finds, the best first. It needs no page: MiniSearch finds the
// places that have the words, and here they get their order.
//
// A place is `{ kind, title, above, defines, uses, text }`; `defines` and `uses`
// are terms of the glossary, each a list of its names, its own first.

const STOP = new Set(
  (
    "a about an and are as at be by can do does for from how in is it of on " +
    "or that the this to was what when where which who why with"
  ).split(" "),
);
const WORD = /\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{N}_])+/gu;
const HAN = /\p{Script=Han}/u;
// What is looked for last: exercises, the reference of the library, sources.
const WEIGHT = {
  definition: 1.1,
  term: 0.85,
  exercise: 0.5,
  citation: 0.5,
  name: 0.3,
  reference: 0.3,
  aside: 0.5,
};
const MOST = 20;
const JUDGED = 200; // of those that have the words best
// So well a term has to agree with what is looked for to be named beside it.
const AGREES = 0.55;

// --- Words --------------------------------------------------------------------

// Words and runs of Chinese signs, without case, accents and possessives.
const runs = (text) =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/['’]s\b|['’]/g, "")
    .match(WORD) ?? [];

// Chinese is written without spaces: each two neighbours are a word.
const pairs = (run) =>
  run.length > 1 ? [...run].slice(1).map((sign, at) => run[at] + sign) : [run];
const words = (text) =>
  runs(text).flatMap((run) => (HAN.test(run) ? pairs(run) : [run]));
const telling = (all) => {
  const some = all.filter((word) => !STOP.has(word));
  return some.length ? some : all;
};

// A single Chinese sign is a word, too, and a name is also one without spaces.
function indexed(text, field) {
  const signs = runs(text)
    .filter((run) => HAN.test(run))
    .join("");
  const names = field === "defines" ? text.split("\n") : [];
  return [
    ...words(text),
    ...signs,
    ...names.map((name) => runs(name).join("")),
  ];
}

// "separated" begins like "separation", "priors" like "prior".
const root = (word) => word.slice(0, word.length > 6 ? -3 : -1);

// The word with two neighbours in each other's place: a slip of the fingers.
const swaps = (word) =>
  [...word.slice(1)].map(
    (letter, at) => word.slice(0, at) + letter + word[at] + word.slice(at + 2),
  );

const bareTitle = (title) =>
  title.replace(/^(\p{L}+ )?\d[\d.]* /u, "").replace(/[()★]/g, "");

// --- Finding ------------------------------------------------------------------

// The caller fills it, all at once or in turns.
function makeIndex(MiniSearch) {
  return new MiniSearch({
    fields: ["defines", "uses", "title", "above", "text"],
    extractField: (place, field) =>
      Array.isArray(place[field])
        ? place[field].flat().join("\n")
        : place[field],
    tokenize: indexed,
    processTerm: (word) => word,
    searchOptions: {
      tokenize: (word) => [word],
      boost: { defines: 4, uses: 2, title: 4 },
    },
  });
}

function makeFinder(index, places) {
  const wordsOf = ({ defines, uses, title, above }) => ({
    defines: defines.map((names) => names.map(words)),
    uses: uses.map((names) => names.map(words)),
    title: telling(words(bareTitle(title))),
    around: [...words(title), ...words(above)],
  });
  const cores = new Map();
  function coreOf(place) {
    if (!cores.has(place)) cores.set(place, wordsOf(place));
    return cores.get(place);
  }

  const has = (word, options) => index.search(word, options).length > 0;

  // What a word is looked for as: one that the book does not have was mistyped.
  function meant(word) {
    if (HAN.test(word) || word.length < 4 || has(word, { prefix: true })) {
      return { word, fuzzy: 0 };
    }
    const swapped = swaps(word).find((other) => has(other));
    if (swapped) return { word: swapped, fuzzy: 0 };
    const slip = word.length < 5 || has(word, { fuzzy: 1 }) ? 1 : 2;
    return { word, fuzzy: slip };
  }

  // The last word may be unfinished.
  const either = ({ word, fuzzy }, at, { length }) => ({
    combineWith: "OR",
    queries: [
      { queries: [word], prefix: word.length > 3 || at === length - 1, fuzzy },
      ...(word.length > 4 && !HAN.test(word)
        ? [{ queries: [root(word)], prefix: true, boostTerm: () => 0.2 }]
        : []),
    ],
  });

  // How near a word of a name is to one of the query, from 0 to 1.
  function near(word, { word: asked, fuzzy }, found) {
    if (word === asked) return 1;
    if (!found.has(word)) return 0;
    if (word.startsWith(asked)) return 0.4 + (0.6 * asked.length) / word.length;
    if (asked.length > 4 && word.startsWith(root(asked))) return 0.8;
    const alike = Math.abs(word.length - asked.length) <= fuzzy;
    return fuzzy && alike ? 0.8 : 0;
  }

  // How well a name agrees with a query, from 0 to 1: as much as its words are
  // in the query, and those of the query in it or at least around it.
  function agreement(name, around, query, found) {
    const most = (values) => Math.max(0, ...values);
    const inQuery = name.map((w) => most(query.map((q) => near(w, q, found))));
    const joined = query.length === 1 && name.join("") === query[0].word;
    if (joined) return 1;
    const sum = (values) => values.reduce((a, b) => a + b, 0);
    const said = query.map((q) => {
      const named = name.some((word) => near(word, q, found) > 0);
      return named ? 1 : 0.8 * around.some((word) => near(word, q, found) > 0);
    });
    const share = name.length ? sum(inQuery) / name.length : 0;
    return share && (share * sum(said)) / query.length;
  }

  // A place that defines what is looked for comes before its entry in the
  // glossary; both come before places with such a title, those that use it, and
  // all that only have the words.
  function ranked({ id, terms, score, queryTerms }, query, top) {
    const place = places[id];
    const { defines, uses, title, around } = coreOf(place);
    const found = new Set(terms);
    const agree = (name) => agreement(name, around, query, found);
    const best = (names) => Math.max(0, ...names.map(agree));
    const fits = [...defines, ...uses].map(best);
    const called = [
      ...fits
        .slice(0, defines.length)
        .map((fit) => (place.kind === "term" ? 0.85 * fit : fit)),
      ...fits.slice(defines.length).map((fit) => 0.7 * fit),
      0.85 * agree(title),
    ];
    const fit = Math.max(0, ...called);
    const at = called.indexOf(fit);
    const term = fit > AGREES && [...place.defines, ...place.uses][at];
    const met = new Set(queryTerms);
    const asked = query.filter(
      ({ word }) => met.has(word) || met.has(root(word)),
    );
    const share = asked.length / query.length;
    const weight = WEIGHT[place.kind] ?? 1;
    return {
      place,
      term: term ? term[0] : "",
      words: terms.filter((word) =>
        query.some((asked) => near(word, asked, found) > AGREES),
      ),
      whole: share === 1,
      score: weight * (2 * fit ** 2 + (share ** 2 * score) / top),
    };
  }

  return function find(text) {
    const query = telling(words(text)).map(meant);
    const queries = query.map(either);
    if (!queries.length) return [];
    const hits = index.search({ combineWith: "AND", queries });
    if (hits.length < MOST && queries.length > 1) {
      const known = new Set(hits.map(({ id }) => id));
      const others = index.search({ combineWith: "OR", queries });
      hits.push(...others.filter(({ id }) => !known.has(id)));
    }
    const top = Math.max(...hits.map(({ score }) => score));
    return hits
      .slice(0, JUDGED)
      .map((hit) => ranked(hit, query, top))
      .sort((a, b) => b.score - a.score)
      .slice(0, MOST);
  };
}
