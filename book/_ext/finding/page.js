// The dialog of the search: a field, a list of links, and how many there are.

const PAUSE = 100; // milliseconds without a key, after which it is searched
const TURN = 20; // places that get into the index at once
const AROUND = 60; // characters before the first word that was found
const SHOWN = 180; // characters of a text

const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

// --- The places -----------------------------------------------------------------

function unpacked({ pages, terms, places }) {
  const found = places.map(
    ([page, id, kind, title, , defines, uses, text]) => ({
      address: `${pages[page]}.html`,
      anchor: id,
      kind,
      title,
      defines:
        kind === "name"
          ? [[title.split(".").pop()]]
          : defines.map((at) => terms[at]),
      uses: uses.map((at) => terms[at]),
      text,
    }),
  );
  // A place stands after the one that holds it.
  found.forEach((place, at) => {
    const above = found[places[at][4]];
    place.id = at;
    place.above = above
      ? [above.above, above.title].filter(Boolean).join(" › ")
      : "";
  });
  return found;
}

// In turns, so that a reader can go on typing.
async function finderOf(places) {
  const index = makeIndex(window.MiniSearch);
  for (let at = 0; at < places.length; at += TURN) {
    index.addAll(places.slice(at, at + TURN));
    await new Promise((resolve) => setTimeout(resolve));
  }
  return makeFinder(index, places);
}

// --- A hit ----------------------------------------------------------------------

// The words that a hit is shown by: those found, and those of its term if a
// reader has called it otherwise.
function shownWords({ place, term, words: found }) {
  const said = new Set(words(`${place.title} ${place.text}`));
  const there = found.filter((word) => said.has(word));
  if (!term || there.length === found.length) return there;
  return [...new Set([...there, ...telling(words(term))])];
}

function patternOf(found) {
  if (!found.length) return null;
  const parts = found.flatMap((word) =>
    HAN.test(word)
      ? [...word]
      : [`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`],
  );
  return new RegExp(parts.join("|"), "giu");
}

function marked(text, pattern) {
  const parts = [];
  let end = 0;
  for (const { 0: word, index } of pattern ? text.matchAll(pattern) : []) {
    parts.push(text.slice(end, index), make("mark", { textContent: word }));
    end = index + word.length;
  }
  return [...parts, text.slice(end)];
}

function excerpt(text, pattern) {
  const at = pattern ? Math.max(0, text.search(pattern)) : 0;
  const start = at > AROUND ? text.indexOf(" ", at - AROUND) + 1 : 0;
  const end = text.indexOf(" ", start + SHOWN);
  const before = start ? "… " : "";
  return end < 0 || text.length - start < SHOWN
    ? before + text.slice(start)
    : `${before}${text.slice(start, end)} …`;
}

function shown(hit, root) {
  const { place, term } = hit;
  const found = shownWords(hit);
  const pattern = patternOf(found);
  const address = new URL(`${root}${place.address}`, location.href);
  if (found.length) address.searchParams.set("highlight", found.join(" "));
  address.hash = place.anchor;
  const said = place.title.toLowerCase().includes(term.toLowerCase());
  const name = term && !said ? `${term}: ` : "";
  return make(
    "li",
    {},
    make(
      "a",
      { href: address.href },
      ...marked(`${name}${place.title}`, pattern),
    ),
    make("p", { className: "search-above", textContent: place.above }),
    make("p", {}, ...marked(excerpt(place.text, pattern), pattern)),
  );
}

function told(hits) {
  const many = hits.length === 1 ? "One place" : `${hits.length} places`;
  if (!hits.length) return "Nothing found. Try fewer or other words.";
  if (!hits[0].whole) return `${many} with some of the words.`;
  return hits.length === MOST ? `The ${MOST} best places.` : `${many}.`;
}

// --- The dialog -----------------------------------------------------------------

window.bayesbookSearch = ({ dialog, root, load }) => {
  const field = dialog.querySelector("input");
  const status = dialog.querySelector("[role=status]");
  const list = dialog.querySelector("ol");
  const links = () => [...list.querySelectorAll("a")];
  let find = null;
  let timer;
  let asked = "";

  function search() {
    asked = field.value.trim();
    if (!find && asked) status.textContent = "Loading …";
    if (!find) return;
    const hits = find(asked);
    list.replaceChildren(...hits.map((hit) => shown(hit, root)));
    status.textContent = asked ? told(hits) : "";
  }

  // The titles and the terms come first, and can be searched at once.
  async function prepare() {
    await load("places");
    const places = unpacked(window.bayesbookPlaces);
    find = await finderOf(places);
    search();
    await load("texts");
    for (const [at, text] of Object.entries(window.bayesbookTexts)) {
      places[at].text = text;
    }
    find = await finderOf(places);
    // What a reader is about to choose stays where it is.
    if (document.activeElement === field) search();
  }

  function move(step) {
    const all = [field, ...links()];
    const at = all.indexOf(document.activeElement);
    all[Math.min(Math.max(at + step, 0), all.length - 1)].focus();
  }

  const KEYS = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Escape: () => dialog.close(),
  };

  field.addEventListener("input", ({ isComposing }) => {
    clearTimeout(timer);
    if (!isComposing) timer = setTimeout(search, PAUSE);
  });
  field.addEventListener("compositionend", search);
  dialog.addEventListener("keydown", (event) => {
    if (event.isComposing || !KEYS[event.key]) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  // Enter opens the first.
  dialog.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    if (field.value.trim() !== asked) search();
    links()[0]?.click();
  });
  dialog
    .querySelector("button")
    .addEventListener("click", () => dialog.close());
  list.addEventListener("click", () => setTimeout(() => dialog.close()));
  prepare().catch(() => {
    status.textContent = "The search does not load; the index has all terms.";
  });
};
