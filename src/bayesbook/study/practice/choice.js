// What is chosen: in the form, in the address of the page, and as Python.

const ADDRESS = "#practice?";
const LARGEST_SEED = 999_999_999;
const newSeed = () => String(Math.floor(Math.random() * 10_000));
// Names of chapters and levels have no dot.
const DOT = ".";

// --- the questions that a choice leaves -------------------------------------

const WHICH = {
  all: () => true,
  due: (record) => record.tries > 0 && isDue(record, today()),
  wrong: (record) => record.tries > 0 && (!record.solved || record.box === 1),
  new: (record) => !record.tries,
};

// An answer to an older version of a question counts as none.
function recordOf(memory, id, version) {
  const record = memory[id];
  return record?.version === version ? record : {};
}

function poolOf(index, { chapters, levels, which }) {
  const pool = chapters.map((chapter) => {
    const memory = recall(`bayesbook:quiz:${chapter}`);
    const own = Object.entries(index[chapter].questions)
      .filter(([, [level]]) => levels.includes(level))
      .filter(([id, [, version]]) =>
        WHICH[which](recordOf(memory, id, version)),
      );
    return [chapter, own.map(([id]) => id)];
  });
  return Object.fromEntries(pool);
}

// Why there is nothing to practise, or how many questions there are.
function refusal({ chapters, levels, which, size, seed }, count) {
  if (!chapters.length) return "Choose a chapter.";
  if (!levels.length) return "Choose a level.";
  if (!(Number.isInteger(size) && size > 0)) {
    return "How many questions? Write a whole number from 1 on.";
  }
  if (!/^\d+$/.test(seed) || Number(seed) > LARGEST_SEED) {
    return "The seed is a whole number of at most nine digits.";
  }
  if (count) return "";
  return {
    all: "These chapters have no question of these levels.",
    due: "Nothing of this choice is due today.",
    wrong: "Nothing of this choice was wrong.",
    new: "You have answered all questions of this choice.",
  }[which];
}

const counted = (count) => `${count} question${count === 1 ? "" : "s"}`;

function countWords(size, count) {
  if (size <= count) return `Drawn from ${counted(count)}.`;
  const are = count === 1 ? "is" : "are";
  return `There ${are} only ${counted(count)}: all of them come.`;
}

// --- as Python --------------------------------------------------------------

const listed = (names) => `[${names.map((name) => `"${name}"`).join(", ")}]`;

function pythonOf({ chapters, levels, seed }, all, size) {
  const some = levels.length < all.levels.length;
  const level = some ? `levels=${listed(levels)}, ` : "";
  return (
    `study.worksheet(${listed(chapters)}, ${level}size=${size}, ` +
    `seed=${Number(seed)})`
  );
}

// --- the form and the address -----------------------------------------------

function choiceForm(form) {
  const ticks = (name) => [...form.querySelectorAll(`[name=${name}]`)];
  const values = (boxes) => boxes.map((box) => box.value);
  const all = {
    chapters: values(ticks("chapter")),
    levels: values(ticks("level")),
  };
  const { which, size, seed } = form.elements;

  function read() {
    const ticked = (name) => values(ticks(name).filter((box) => box.checked));
    return {
      chapters: ticked("chapter"),
      levels: ticked("level"),
      which: which.value,
      size: size.value.trim() === "" ? NaN : Number(size.value),
      seed: seed.value.trim().replace(/^0+(?=\d)/, ""),
    };
  }

  // The title of a part stands for its chapters.
  function showParts() {
    for (const part of form.querySelectorAll(".practice-part")) {
      const own = [...part.querySelectorAll("[name=chapter]")];
      const checked = own.filter((box) => box.checked).length;
      const whole = part.querySelector(".practice-whole");
      whole.checked = checked === own.length;
      whole.indeterminate = 0 < checked && checked < own.length;
    }
  }

  function tick(boxes, isTicked) {
    for (const box of boxes) box.checked = isTicked(box);
    showParts();
  }

  // What makes no sense is as if it were not there.
  function readAddress() {
    const asked = new URLSearchParams(location.hash.slice(ADDRESS.length));
    for (const [name, boxes] of [
      ["chapters", ticks("chapter")],
      ["levels", ticks("level")],
    ]) {
      const wanted = asked.get(name)?.split(DOT) ?? [];
      const known = boxes.filter((box) => wanted.includes(box.value));
      tick(boxes, (box) => !known.length || known.includes(box));
    }
    const wanted = asked.get("which");
    which.value = Object.hasOwn(WHICH, wanted) ? wanted : "all";
    const number = (name, form, box) => {
      if (form.test(asked.get(name))) box.value = asked.get(name);
    };
    number("size", /^[1-9]\d{0,3}$/, size);
    number("seed", /^\d{1,9}$/, seed);
  }

  function writeAddress() {
    const now = read();
    const some = (name) =>
      now[name].length < all[name].length ? now[name].join(DOT) : null;
    const parameters = {
      chapters: some("chapters"),
      levels: some("levels"),
      which: now.which === "all" ? null : now.which,
      size: now.size,
      seed: now.seed,
    };
    const kept = Object.entries(parameters).filter(
      ([, value]) => value !== null,
    );
    history.replaceState(null, "", ADDRESS + new URLSearchParams(kept));
  }

  const isOurs = () => location.hash.startsWith(ADDRESS);
  const address = { isOurs, readAddress, writeAddress };
  return { ...address, all, read, showParts, tick, ticks };
}
