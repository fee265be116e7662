// A quick check: one question, and a memory of its answer. All checks of a
// chapter share one, by their ids.

function beginCheck(root) {
  root.dataset.live = "true";
  const name = `bayesbook:check:${root.dataset.chapter}`;
  const question = makeQuestion(root.querySelector("form"), changed);

  function changed() {
    if (question.score().tries) {
      remember(name, { [question.id]: question.saved() });
    }
  }

  try {
    question.resume(recall(name)[question.id]);
  } catch {
    question.reset();
  }
  keepKeys(root);
}

function beginChecks() {
  document
    .querySelectorAll(".bayesbook-check:not([data-live])")
    .forEach((root) => beginCheck(root));
}

beginChecks();
// A page has this script once, before its later checks are there.
document.addEventListener("DOMContentLoaded", beginChecks);
