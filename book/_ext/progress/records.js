// What is stored of all chapters: read, counted, kept in a file, merged.
//
// Beside the records of quizzes, quick checks and drills, memory.js, there is
// one of each coding exercise that was passed in a notebook, once its file has
// been imported: bayesbook:exercise:<chapter>, { exercise's name: record }.

const PREFIX = "bayesbook:";
const FORMAT = "bayesbook-progress";
const FORMAT_VERSION = 1;
const NAME = /^(quiz|check|drill|exercise):[\w-]+$/;
const NOTHING_CHANGED = "Nothing has changed.";

// --- Reading ----------------------------------------------------------------

const isObject = (value) => value instanceof Object && !Array.isArray(value);
const isCount = (value) => Number.isInteger(value) && value >= 0;
const isShort = (value) => typeof value === "string" && value.length < 500;
const isGiven = (value) =>
  value === null ||
  isCount(value) ||
  isShort(value) ||
  (Array.isArray(value) && value.length < 100 && value.every(isCount));

const NEEDED = {
  version: isShort,
  tries: isCount,
  solved: (value) => typeof value === "boolean" || isCount(value),
};
const OPTIONAL = {
  given: isGiven,
  box: (value) => isCount(value) && value >= 1 && value <= DAYS.length,
  due: isCount,
  at: isCount,
};

const isRecord = (record) =>
  isObject(record) &&
  Object.entries(NEEDED).every(([name, test]) => test(record[name])) &&
  Object.entries(OPTIONAL).every(
    ([name, test]) => record[name] === undefined || test(record[name]),
  );

const FIELDS = Object.keys({ ...NEEDED, ...OPTIONAL });
const onlyFields = (record) =>
  Object.fromEntries(
    FIELDS.filter((name) => record[name] !== undefined).map((name) => [
      name,
      record[name],
    ]),
  );

// What is no record was written by another hand, and is left out.
function recordsOf(name) {
  const found = Object.entries(recall(PREFIX + name));
  return Object.fromEntries(found.filter(([, record]) => isRecord(record)));
}

function storedNames() {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => key.slice(PREFIX.length))
      .filter((name) => NAME.test(name));
  } catch {
    return [];
  }
}

const allRecords = () =>
  Object.fromEntries(storedNames().map((name) => [name, recordsOf(name)]));

function canStore() {
  try {
    localStorage.setItem(`${PREFIX}trial`, "1");
    localStorage.removeItem(`${PREFIX}trial`);
    return true;
  } catch {
    return false;
  }
}

// --- Counting ---------------------------------------------------------------

function stateOf(version, record) {
  if (!record?.tries) return "open";
  if (record.version !== version) return "changed";
  return record.solved ? "right" : "wrong";
}

// The questions of a chapter, those of one kind: "quiz" or "check".
function questionsOf(chapter, kind) {
  const records = recordsOf(`${kind}:${chapter.name}`);
  const asked = kind === "quiz" ? chapter.quiz : chapter.checks;
  const name = chapter.name.replaceAll("_", "-");
  return asked.map(([id, version, text], at) => ({
    address: `${chapter.page}.html#${kind}-${name}-${id}`,
    chapter,
    text,
    title: `${kind === "quiz" ? "Question" : "Quick check"} ${at + 1}`,
    record: records[id],
    state: stateOf(version, records[id]),
  }));
}

function drillsOf(chapter) {
  return chapter.drills.map(([kind, id, text]) => {
    const record = recordsOf(`drill:${kind}`).all;
    const right = Number(record?.solved ?? 0);
    return {
      address: `${chapter.page}.html#${id}`,
      chapter,
      kind,
      text,
      title: "Drill",
      record,
      right,
      tried: record?.tries ?? 0,
      state: !record?.tries ? "open" : record.box === 1 ? "wrong" : "right",
    };
  });
}

// Who has imported no passes may have some in a notebook.
function passedOf({ name, exercises }) {
  const records = Object.values(recordsOf(`exercise:${name}`));
  const passed = records.filter(({ solved }) => solved).length;
  return { passed: Math.min(passed, exercises), total: exercises };
}

const withState = (items, ...states) =>
  items.filter(({ state }) => states.includes(state));

// A mistake stays one until the question was right on a later day.
const wasWrong = ({ state, record }) => state === "wrong" || record.box === 1;

// --- Keeping and merging ----------------------------------------------------

const exported = () => ({
  format: FORMAT,
  version: FORMAT_VERSION,
  saved: new Date().toISOString(),
  records: allRecords(),
});

// The records of a file, or an error that says why there are none.
function readExported(text) {
  let file;
  try {
    file = JSON.parse(text);
  } catch {
    file = null;
  }
  if (file?.format !== FORMAT || !isObject(file.records)) {
    throw new Error("This is no file that “Export” has written.");
  }
  if (file.version !== FORMAT_VERSION) {
    throw new Error(
      "This file is from another edition of the book, whose records this " +
        "one cannot read.",
    );
  }
  const now = Date.now();
  const read = Object.entries(file.records).map(([name, records]) => {
    if (!NAME.test(name) || !isObject(records)) {
      throw new Error(`This file is damaged, at “${name.slice(0, 60)}”.`);
    }
    const clean = Object.entries(records).map(([id, record]) => {
      if (!isRecord(record) || id.length > 100) {
        const place = `${name}, ${id.slice(0, 60)}`;
        throw new Error(`This file is damaged, at “${place}”.`);
      }
      // A clock that ran ahead must not win for ever.
      const at = Math.min(record.at ?? 0, now);
      return [id, { ...onlyFields(record), at }];
    });
    return [name, Object.fromEntries(clean)];
  });
  return Object.fromEntries(read);
}

function isNewer(theirs, mine) {
  if (!mine) return true;
  const later = theirs.at - (mine.at ?? 0);
  return later > 0 || (later === 0 && theirs.tries > mine.tries);
}

// Put records into the storage where they are newer: all of them, or none.
// Says how many were.
function mergeAll(incoming) {
  let taken = 0;
  const merged = Object.entries(incoming).map(([name, records]) => {
    const mine = recordsOf(name);
    const newer = Object.entries(records).filter(([id, record]) =>
      isNewer(record, mine[id]),
    );
    taken += newer.length;
    return [PREFIX + name, { ...mine, ...Object.fromEntries(newer) }];
  });
  const before = [];
  try {
    for (const [key, records] of merged) {
      before.push([key, localStorage.getItem(key)]);
      localStorage.setItem(key, JSON.stringify(records));
    }
  } catch {
    for (const [key, text] of before) {
      if (text === null) forget(key);
      else localStorage.setItem(key, text);
    }
    throw new Error("This browser has no room to store the answers.");
  }
  return taken;
}
