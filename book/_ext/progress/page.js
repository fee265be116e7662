// The page "My progress": what was answered, what is due, a file, a reset.

const rootAddress = document.documentElement.dataset.content_root ?? "";
const place = document.querySelector(".book-progress");
const parts = window.bayesbookCatalogue ?? [];
const chapters = parts.flatMap((part) => part.chapters);

// --- Words ------------------------------------------------------------------

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "click") node.addEventListener("click", value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child !== ""));
  return node;
}

const plural = (count, one, many = `${one}s`) =>
  `${count} ${count === 1 ? one : many}`;
const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);
const titleOf = ({ number, title }) => (number ? `${number}. ${title}` : title);
const link = (address, ...words) =>
  make("a", { href: rootAddress + address }, ...words);

function whenDue({ due }) {
  const days = due - today();
  return days === 1 ? "again from tomorrow" : `again in ${days} days`;
}

// --- Lists of questions -----------------------------------------------------

function itemOf(item, words) {
  const { address, chapter, text, title } = item;
  return make(
    "li",
    {},
    link(address, `${titleOf(chapter)}, ${title.toLowerCase()}`),
    `: ${text} `,
    make("span", { class: "progress-aside" }, `(${words(item)})`),
  );
}

function section(title, note, items, words) {
  if (!items.length) return "";
  const list = make("ul", {}, ...items.map((item) => itemOf(item, words)));
  return make(
    "section",
    {},
    make("h2", {}, `${title} (${items.length})`),
    make("p", {}, note),
    list,
  );
}

// A kind of drill that two chapters have is due once.
function onceEach(items) {
  const seen = new Set();
  const isFirst = ({ kind }) => !kind || (!seen.has(kind) && seen.add(kind));
  return items.filter(isFirst);
}

// --- Chapters ---------------------------------------------------------------

const countsOf = (items) => ({
  right: withState(items, "right").length,
  tried: withState(items, "right", "wrong").length,
  total: items.length,
});
function inWords(name, { right, tried, total }) {
  if (!total) return "";
  const words = tried
    ? `${right} right, ${tried} tried, of ${total}`
    : `none of ${total} tried`;
  return make("li", {}, `${name}: ${words}`);
}

function barOf({ right, tried, total }) {
  const share = (name, count) =>
    make("i", { class: name, style: `flex-grow: ${count}` });
  return make(
    "span",
    { class: "progress-share", "aria-hidden": "true" },
    share("right", right),
    share("wrong", tried - right),
    share("open", total - tried),
  );
}

function passedInWords({ passed, total }) {
  if (!passed) return "";
  return make("li", {}, `Coding exercises: ${passed} of ${total} passed`);
}

function drillWords(drills) {
  if (!drills.length) return "";
  const each = drills.flatMap(({ address, text, right, tried }, at) => [
    at ? "; " : " ",
    link(address, text),
    tried ? `, ${right} right of ${tried} tried` : "",
  ]);
  return make("li", {}, drills.length > 1 ? "Drills:" : "Drill:", ...each);
}

function chapterItem(chapter) {
  const quiz = questionsOf(chapter, "quiz");
  const checks = questionsOf(chapter, "check");
  const drills = drillsOf(chapter);
  const exercises = passedOf(chapter);
  const begun =
    exercises.passed > 0 ||
    [...quiz, ...checks, ...drills].some(({ state }) => state !== "open");
  const title = titleOf(chapter);
  const reset = make(
    "button",
    {
      type: "button",
      class: "progress-button",
      click: () => askToForget(chapter),
    },
    "Reset",
    make("span", { class: "visually-hidden" }, ` ${title}`),
  );
  return make(
    "li",
    { class: "progress-chapter" },
    make(
      "div",
      { class: "progress-title" },
      link(`${chapter.page}.html`, title),
    ),
    barOf(countsOf([...quiz, ...checks])),
    make(
      "ul",
      { class: "progress-counts", role: "list" },
      inWords("Quiz", countsOf(quiz)),
      inWords("Quick checks", countsOf(checks)),
      drillWords(drills),
      passedInWords(exercises),
    ),
    begun ? reset : "",
  );
}

const partOf = (part) => [
  make("h3", {}, part.title),
  make(
    "ul",
    { class: "progress-chapters", role: "list" },
    ...part.chapters.map(chapterItem),
  ),
];

// --- All of it --------------------------------------------------------------

const said = make("p", { class: "progress-said", role: "status" });
const notices = make("div", { class: "progress-notices" });
const overview = make("div", { class: "progress-overview" });
const say = (words) => said.replaceChildren(words);

function notice(words) {
  notices.append(make("p", { class: "progress-notice" }, words));
}

function opening(questions, due) {
  const { right, tried, total } = countsOf(questions);
  const drilled = onceEach(chapters.flatMap(drillsOf));
  const drills = sum(drilled.map((each) => each.tried));
  const drillsRight = sum(drilled.map((each) => each.right));
  if (!tried && !drills) {
    return make(
      "p",
      {},
      `None of the ${total} questions of this book is answered yet. `,
      "Each chapter ends with a quiz: begin with that of ",
      link(`${chapters[0].page}.html`, titleOf(chapters[0])),
      ".",
    );
  }
  const words =
    `Of the ${total} questions you have tried ${tried} and answered ${right} ` +
    "right.";
  const inDrills = drills
    ? ` In drills you have tried ${drills} more, ${drillsRight} of them right.`
    : "";
  const dueNow = ` Due today: ${due || "nothing"}.`;
  return make("p", {}, words, inDrills, dueNow);
}

function show() {
  const questions = chapters.flatMap((chapter) => [
    ...questionsOf(chapter, "check"),
    ...questionsOf(chapter, "quiz"),
  ]);
  const drills = onceEach(chapters.flatMap(drillsOf));
  const answered = withState([...questions, ...drills], "right", "wrong");
  const isDueNow = ({ record }) => isDue(record, today());
  const due = answered.filter(isDueNow);
  const wrong = answered.filter((item) => !isDueNow(item) && wasWrong(item));
  const before = ({ state }) =>
    state === "wrong" ? "not right last time" : "right last time";
  overview.replaceChildren(
    opening(questions, due.length),
    section(
      "Due today",
      "What you know comes back after 2, 4, 8 and 16 days; what was wrong " +
        "comes back on the next day.",
      due,
      before,
    ),
    section(
      "To be tried again",
      "These were wrong. Try them at once, or when they are due.",
      wrong,
      ({ state, record }) => {
        const words = state === "wrong" ? "not right yet" : "corrected";
        return `${words}, ${whenDue(record)}`;
      },
    ),
    section(
      "Changed since you answered",
      "This edition asks these questions in another way, so your answers to " +
        "them no longer count.",
      withState(questions, "changed"),
      () => "changed, not answered yet",
    ),
    make("h2", {}, "All chapters"),
    ...parts.flatMap(partOf),
  );
}

// --- A file -----------------------------------------------------------------

function exportFile() {
  const content = exported();
  const all = Object.values(content.records);
  const count = sum(all.map((records) => Object.keys(records).length));
  const text = JSON.stringify(content, null, 1);
  const blob = new Blob([text], { type: "application/json" });
  const address = URL.createObjectURL(blob);
  const day = content.saved.slice(0, 10);
  const download = `bayesbook-progress-${day}.json`;
  make("a", { href: address, download }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  say(`${plural(count, "answer")} exported.`);
}

function take(text) {
  try {
    const incoming = readExported(text);
    const count = sum(
      Object.values(incoming).map((each) => Object.keys(each).length),
    );
    const taken = mergeAll(incoming);
    show();
    tellMemory();
    return (
      `${plural(count, "answer")} in the file: ${taken} new or newer, ` +
      `${count - taken} as they were.`
    );
  } catch (error) {
    return `${error.message} ${NOTHING_CHANGED}`;
  }
}

const LARGEST = 5_000_000; // bytes: more than a browser stores

async function importFile({ target }) {
  const [file] = target.files;
  if (!file) return;
  const text = file.size > LARGEST ? "" : await file.text();
  target.value = ""; // so that the same file can be chosen again
  say(take(text));
}

// --- Starting anew ----------------------------------------------------------

function namesOf(chapter) {
  const kinds = chapter.drills.map(([kind]) => `drill:${kind}`);
  const own = ["quiz", "check", "exercise"].map(
    (kind) => `${kind}:${chapter.name}`,
  );
  return [...own, ...kinds];
}

function whatGoes(names) {
  const count = (kind) => {
    const named = names.filter((name) => name.startsWith(kind));
    const all = named.map((name) => Object.values(recordsOf(name)));
    return kind === "drill"
      ? sum(all.flat().map(({ tries }) => tries))
      : all.flat().length;
  };
  const counted = [
    [count("quiz"), "to quizzes"],
    [count("check"), "to quick checks"],
    [count("drill"), "in drills"],
    [count("exercise"), "to coding exercises"],
  ].filter(([number]) => number);
  const words = counted.map(([n, where]) => `${plural(n, "answer")} ${where}`);
  return words.join(", ") || "nothing";
}

function askToForget(chapter) {
  const names = chapter ? namesOf(chapter) : storedNames();
  const shared = chapter?.drills.filter(([kind]) =>
    chapters.some(
      (other) =>
        other !== chapter && other.drills.some(([theirs]) => theirs === kind),
    ),
  );
  const opener = document.activeElement;
  const answer = (forgets) => () => {
    dialog.close();
    dialog.remove();
    if (!forgets) return opener.focus();
    for (const name of names) forget(PREFIX + name);
    show();
    say(`Forgotten: ${chapter ? titleOf(chapter) : "all answers"}.`);
    said.focus();
  };
  const button = (words, forgets) =>
    make(
      "button",
      { type: "button", class: "progress-button", click: answer(forgets) },
      words,
    );
  const dialog = make(
    "dialog",
    { class: "progress-dialog", "aria-labelledby": "progress-question" },
    make(
      "h2",
      { id: "progress-question" },
      chapter
        ? `Forget your answers in “${titleOf(chapter)}”?`
        : "Forget all your answers in this book?",
    ),
    make("p", {}, `This goes: ${whatGoes(names)}.`),
    shared?.length
      ? make(
          "p",
          {},
          "Other chapters have these drills, too: " +
            `${shared.map(([, , text]) => text).join("; ")}.`,
        )
      : "",
    make("p", {}, "It cannot be undone; an exported file keeps a copy."),
    make(
      "div",
      { class: "progress-buttons" },
      button("Keep them", false),
      button("Forget them", true),
    ),
  );
  dialog.addEventListener("cancel", answer(false));
  place.append(dialog);
  dialog.showModal();
}

// --- Beginning --------------------------------------------------------------

const controls = () =>
  make(
    "section",
    { class: "progress-controls" },
    make("h2", {}, "Keep it, move it, start anew"),
    make(
      "p",
      {},
      "A file takes your answers to another browser or machine, or keeps " +
        "them safe. Of two answers to one question, the newer stays.",
    ),
    make(
      "div",
      { class: "progress-buttons" },
      make(
        "button",
        { type: "button", class: "progress-button", click: exportFile },
        "Export",
      ),
      make("label", { class: "progress-button" }, "Import", fileBox),
      make(
        "button",
        {
          type: "button",
          class: "progress-button",
          click: () => askToForget(null),
        },
        "Reset everything",
      ),
    ),
  );
const fileBox = make("input", {
  type: "file",
  accept: ".json,application/json",
  class: "visually-hidden",
});

// From the disk, a browser may give each page a storage of its own. A page
// stores a token and sends it with its link, together with its answers: if the
// token is not found here, nothing is shared.
const PROBE = `${PREFIX}probe`;
const APART = `${PREFIX}apart`;

function sayIfApart() {
  if (!localStorage.getItem(APART) || notices.childElementCount) return;
  notice(
    "This book is opened from the disk, and this browser gives each of its " +
      "pages a memory of its own: this page knows only what you bring here. " +
      "Any link to “My progress” brings the answers of the page that it is " +
      "on, and Import those of a file; Export keeps all of them in one.",
  );
}

function takeFromAddress() {
  const [, carried] = location.hash.split("#answers=");
  if (!carried) return;
  history.replaceState(null, "", location.pathname);
  try {
    const text = decodeURIComponent(carried);
    const incoming = readExported(text);
    const { probe } = JSON.parse(text);
    const isShared = localStorage.getItem(PROBE) === probe;
    localStorage.removeItem(PROBE);
    if (isShared) return localStorage.removeItem(APART);
    localStorage.setItem(APART, "1");
    const taken = mergeAll(incoming);
    show();
    say(`${plural(taken, "new answer")} from the page that you came from.`);
  } catch {
    // What an address brings by mistake is nobody's concern.
  }
}

function begin() {
  place.replaceChildren();
  if (!chapters.length) {
    place.append(make("p", {}, "The list of questions cannot be loaded."));
    return;
  }
  said.tabIndex = -1;
  fileBox.addEventListener("change", importFile);
  place.append(notices, overview, said, controls());
  show();
  if (!canStore()) {
    notice(
      "This browser does not let the book store anything, so your answers " +
        "are forgotten with each page. A private window or strict settings " +
        "may be the reason.",
    );
  } else if (location.protocol === "file:") {
    takeFromAddress();
    sayIfApart();
  }
  // Another window may answer, and a page may come back as it was left.
  addEventListener("storage", show);
  addEventListener("pageshow", ({ persisted }) => persisted && show());
}

begin();
