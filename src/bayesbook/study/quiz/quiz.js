// A quiz: its questions, the score, and a memory of both.

// Storage may be full, forbidden, or hold what another hand wrote there.
function recall(name) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? {};
  } catch {
    return {};
  }
}

// What is stored stays: a page may show one quiz twice, and each copy knows
// its own answers only.
function remember(name, answers) {
  try {
    const all = { ...recall(name), ...answers };
    localStorage.setItem(name, JSON.stringify(all));
  } catch {
    // The quiz works without a memory.
  }
}

function forget(name) {
  try {
    localStorage.removeItem(name);
  } catch {
    // There is none.
  }
}

function begin(root) {
  root.dataset.live = "true";
  const find = (css) => root.querySelector(css);
  const name = `bayesbook:quiz:${root.dataset.chapter}`;
  const forms = [...root.querySelectorAll(".quiz-question")];
  const questions = forms.map((form) => makeQuestion(form, changed));
  const pips = questions.map(() => document.createElement("i"));
  find(".quiz-pips").replaceChildren(...pips);

  function tally() {
    const scores = questions.map((question) => question.score());
    const solved = scores.filter((score) => score.solved);
    const atOnce = solved.filter((score) => score.tries === 1).length;
    const first = atOnce ? `, ${atOnce} at the first try` : "";
    find(".quiz-score").textContent =
      `${solved.length} of ${questions.length} answered correctly${first}`;
    scores.forEach(({ solved, tries }, at) => {
      pips[at].className = solved ? "right" : tries ? "wrong" : "";
    });
    find(".quiz-over").hidden = scores.every((score) => !score.tries);
  }

  function changed() {
    const tried = questions.filter((question) => question.score().tries);
    remember(name, Object.fromEntries(tried.map((q) => [q.id, q.saved()])));
    tally();
  }

  const memory = recall(name);
  for (const question of questions) {
    try {
      question.resume(memory[question.id]);
    } catch {
      question.reset();
    }
  }
  find(".quiz-over").addEventListener("click", () => {
    questions.forEach((question) => question.reset());
    forget(name);
    tally();
    find(".quiz-title").focus();
  });
  keepKeys(root);
  find(".quiz-progress").hidden = false;
  tally();
}

document
  .querySelectorAll(".bayesbook-quiz:not([data-live])")
  .forEach((root) => begin(root));
