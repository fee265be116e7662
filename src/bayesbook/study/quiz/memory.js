// What the browser remembers of a learner. Nothing of it leaves the browser.
//
//   bayesbook:quiz:<chapter>    { question's id: record }
//   bayesbook:check:<chapter>   { quick check's id: record }
//   bayesbook:drill:<kind>      { "all": record }
//
// A record is { version, tries, solved, given, box, due, at }. Its version is
// that of the question: an answer to another version counts as not answered.
// Of a kind of drill, `tries` and `solved` count questions. `box` is 1 to 5,
// `due` the day on which it should be asked again, in days since 1970, which
// begin at midnight where the learner is, and `at` the moment at which it was
// stored, in milliseconds. Records from before these three existed lack them.

const DAYS = [1, 2, 4, 8, 16]; // until it is due, by its box
const today = () => {
  const now = new Date();
  const here = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
  return here / 86_400_000;
};

// Due later than the last box allows was written by a clock that ran ahead.
function isDue({ due }, day) {
  return !(due > day && due <= day + DAYS.at(-1));
}

// Leitner's rule: who is right goes on to the next box, who is wrong back to
// the first. Ahead of time, as just after the reasons were read, to be right
// tells nothing new, and moves nothing.
function scheduled(record, isRight, day) {
  if (isRight && !isDue(record, day)) return record;
  const last = DAYS[record.box - 1] ? record.box : 1;
  const box = isRight ? Math.min(last + 1, DAYS.length) : 1;
  return { ...record, box, due: day + DAYS[box - 1] };
}

// Tells the parts of a page that show what is stored, such as the contents.
const tellMemory = () => document.dispatchEvent(new Event("bayesbook-memory"));

// Storage may be full, forbidden, or hold what another hand wrote there.
function recall(name) {
  try {
    const all = JSON.parse(localStorage.getItem(name));
    return all instanceof Object && !Array.isArray(all) ? all : {};
  } catch {
    return {};
  }
}

// What else is stored stays: another page, or a second copy on this one, may
// have written it. Says whether it has been stored.
function remember(name, answers) {
  try {
    const stamped = Object.entries(answers).map(([id, record]) => [
      id,
      { ...record, at: Date.now() },
    ]);
    const all = { ...recall(name), ...Object.fromEntries(stamped) };
    localStorage.setItem(name, JSON.stringify(all));
    tellMemory();
    return true;
  } catch {
    return false; // All works without a memory.
  }
}

function forget(name) {
  try {
    localStorage.removeItem(name);
    tellMemory();
  } catch {
    // There is none.
  }
}
