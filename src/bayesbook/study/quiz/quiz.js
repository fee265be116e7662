// A quiz: its questions and the score, both remembered.

function begin(root) {
  root.dataset.live = "true";
  const find = (css) => root.querySelector(css);
  const name = `bayesbook:quiz:${root.dataset.chapter}`;
  const forms = [...root.querySelectorAll(".quiz-question")];
  const questions = forms.map((form) => {
    const question = makeQuestion(form, () => changed(question));
    return question;
  });
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

  // Only its own answer: what this page knows of others may be outdated.
  function changed(question) {
    remember(name, { [question.id]: question.saved() });
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
  .querySelectorAll(".bayesbook-quiz:not(.bayesbook-check, [data-live])")
  .forEach((root) => begin(root));
